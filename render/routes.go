package render

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// mostMounts is behind how many paths a router is told to stand.
const mostMounts = 32

// mounts tells behind which paths the routers of all modules stand.
type mounts struct {
	of       map[string][]element // the mounts by the ID of what is mounted
	known    map[string][]string
	settings map[string]string // the defaults of keys of configurations that are paths; empty where they differ
}

// routesOf are the routes of modules, each behind the paths that its router is mounted at. One whose router stands behind what is
// computed is none that could be told.
func routesOf(surfaces []surface) []element {
	m := mounts{map[string][]element{}, map[string][]string{}, map[string]string{}}
	places := routerPlaces(surfaces)
	for _, s := range surfaces {
		for _, b := range s.Elements {
			if b.Kind == source.Config && strings.HasPrefix(b.Default, "/") {
				if was, known := m.settings[b.Name]; known && was != b.Default {
					b.Default = ""
				}
				m.settings[b.Name] = b.Default
			}
			if b.Kind != source.Mount {
				continue
			}
			ids := []string{idOf(s.module, b.ID)}
			if strings.HasPrefix(b.ID, "@") {
				ids = places[b.ID]
			}
			for _, id := range ids {
				m.of[id] = append(m.of[id], element{b, s.module})
			}
		}
	}
	var out []element
	for _, s := range surfaces {
		for _, b := range s.Elements {
			if b.Kind != source.Route || b.Name == "" {
				continue
			}
			before := []string{""}
			if b.Of != "" {
				before = m.before(idOf(s.module, b.Of))
			}
			name := b.Name
			for _, prefix := range before {
				if b.Name = behind(prefix, name, path.Ext(b.File) == ".py"); strings.Contains(b.Name, "/") {
					out = append(out, element{b, s.module})
				}
			}
		}
	}
	return out
}

// routerPlaces are the IDs of routers by the places that code may name them by (source.PlaceID).
func routerPlaces(surfaces []surface) map[string][]string {
	out := map[string][]string{}
	for _, s := range surfaces {
		for _, b := range s.Elements {
			if b.Of == "" || b.Of == source.Program || strings.Contains(b.Of, "#") || b.Kind != source.Route && b.Kind != source.Mount {
				continue
			}
			prefix := source.Prefix(b.File, true)
			files := []string{path.Join(s.module, strings.TrimSuffix(b.File, path.Ext(b.File)))}
			if prefix == "" {
				files = append(files, s.module)
			}
			id, name := idOf(s.module, b.Of), strings.TrimPrefix(b.Of, prefix)
			for _, file := range files {
				for _, key := range waysTo(file) {
					if key = source.PlaceID(key, name); !slices.Contains(out[key], id) {
						out[key] = append(out[key], id)
					}
				}
			}
		}
	}
	return out
}

// mostDirectories bounds how many directories of a path may be left out.
const mostDirectories = 16

// waysTo are a path from the root, and the ends of it.
func waysTo(file string) []string {
	out := []string{"/" + file, file}
	for range mostDirectories {
		_, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		out, file = append(out, rest), rest
	}
	return out
}

// before lists the paths that a router stands behind.
func (m mounts) before(id string) []string {
	if known, ok := m.known[id]; ok {
		return known
	}
	if len(m.of[id]) == 0 {
		return []string{""}
	}
	m.known[id] = nil // what is mounted at itself is nowhere
	all, fallback := m.of[id], ""
	for _, mount := range all {
		if mount.Usage == source.Fallback {
			fallback = mount.Name
		}
	}
	var out []string
	for _, mount := range all {
		if at := m.settings[mount.Value]; mount.Usage == source.Hidden && at != "" {
			mount.Usage, mount.Name = "", at
		}
		switch {
		case mount.Usage == source.Hidden, mount.Usage == source.Fallback && len(all) > 1:
			continue
		case mount.Name == "":
			mount.Name = fallback
		}
		above := []string{""}
		if mount.Of != source.Program && mount.Of != "" {
			above = m.before(idOf(mount.module, mount.Of))
		}
		for _, prefix := range above {
			if at := joinPaths(prefix, mount.Name); len(out) < mostMounts && !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
	}
	m.known[id] = out
	return out
}

// behind puts a path before that of a route, "GET /x". The path of a router itself has a slash at its end only where
// the framework tells them apart.
func behind(prefix, route string, exact bool) string {
	method, rest, ok := strings.Cut(route, " ")
	if !ok && strings.HasPrefix(route, "/") {
		method, rest = "", route
	}
	switch {
	case prefix == "":
	case rest == "/" && !exact:
		rest = prefix
	default:
		rest = joinPaths(prefix, rest)
	}
	return strings.TrimSpace(method + " " + rest)
}

func joinPaths(prefix, rest string) string {
	if prefix == "" || rest == "" {
		return prefix + rest
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}

// ownRoutes puts the routes of a module behind the paths that the module itself says.
func ownRoutes(n *node.Node) []node.Behavior {
	var out []node.Behavior
	for _, e := range routesOf([]surface{{module: n.Path, Elements: n.Behaviour}}) {
		out = append(out, e.Behavior)
	}
	return out
}
