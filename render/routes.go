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
	of    map[string][]element // the mounts by the ID of what is mounted
	known map[string][]string
}

// routesOf are the routes of modules, each behind the paths that its router is mounted at. One whose router stands behind what is
// computed is none that could be told.
func routesOf(surfaces []surface) []element {
	m := mounts{map[string][]element{}, map[string][]string{}}
	for _, s := range surfaces {
		for _, b := range s.Elements {
			if b.Kind == source.Mount {
				m.of[idOf(s.module, b.ID)] = append(m.of[idOf(s.module, b.ID)], element{b, s.module})
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
				b.Name = behind(prefix, name, path.Ext(b.File) == ".py")
				out = append(out, element{b, s.module})
			}
		}
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
	var out []string
	for _, mount := range m.of[id] {
		if mount.Usage == source.Hidden {
			continue
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
	if !ok {
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
