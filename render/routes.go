package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// mostMounts bounds the mount paths of a router.
const mostMounts = 32

// mounts resolves the mount paths of all routers.
type mounts struct {
	of    map[string][]element // by the ID of the mounted router
	known map[string][]prefix
	texts map[string]string // constants, and defaults of configuration keys that are paths, by ID; empty if ambiguous
}

// prefix is a mount path. computed is the file with a computed part; except lists the paths without the prefix, and with
// the functions that wrap all routes below it.
type prefix struct {
	path, computed, except, with string

	lost bool     // nothing is known to mount the router
	as   *element // the mount of a class whose handlers another class inherits
}

// routesOf returns the routes of all modules with the mount paths of their routers.
func routesOf(surfaces []surface) []element {
	m := mounts{map[string][]element{}, map[string][]prefix{}, map[string]string{}}
	places, methods := routerPlaces(surfaces), routerMethods(surfaces)
	for e := range elementsOf(surfaces) {
		switch {
		case e.Kind == source.Config && strings.HasPrefix(e.Default, "/"):
			hold(m.texts, e.Name, e.Default)
		case e.Kind == source.Holds:
			hold(m.texts, idOf(e.module, e.ID), e.Default)
			if e.Default == "/" { // an optional prefix with a configurable value
				hold(m.texts, lastElement(e.ID), e.Default)
			}
		case e.Kind == source.Mount:
			ids := []string{idOf(e.module, e.ID)}
			if e.ID == source.Served {
				ids[0] = idOf(manifest.ModuleOf(e.module), e.ID)
			}
			if strings.HasPrefix(e.ID, "@") {
				ids = places.find(e.ID)
			} else if name, ok := strings.CutPrefix(e.ID, source.Methods); ok {
				if ids = methods[name]; len(ids) > 1 {
					ids = nil // which one is not known
				}
			}
			for _, id := range ids {
				m.of[id] = append(m.of[id], e)
			}
		}
	}
	m.handled(surfaces)
	var out []element
	handed := map[string]bool{} // the routers of routes that count only if they are mounted
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Route && e.Usage == source.Handed {
			handed[idOf(e.module, e.Of)] = true
		}
	}
	extends := map[string]bool{} // classes with a known base
	for e := range elementsOf(surfaces) {
		if e.Kind == source.Mount && e.Usage == source.Inherited && handed[idOf(e.module, e.ID)] {
			extends[idOf(e.module, e.Of)] = true
		}
	}
	for e := range elementsOf(surfaces) {
		if e.Kind != source.Route || e.Name == "" || e.Usage == source.Fallback && handed[idOf(e.module, e.ID)] {
			continue
		}
		if strings.HasPrefix(e.Of, outside) && len(m.of[e.Of]) == 0 {
			continue // no controller implements the interface
		}
		before := []prefix{{}}
		if e.Of != "" {
			of := m.served(e.module, e.Of)
			if e.Usage == source.Handed && (len(m.of[of]) == 0 || extends[of] && e.Name[0] == '/') {
				continue // any method stands for those of its base
			}
			before = m.before(of)
		}
		name, computed := m.filled(e)
		also := e.Also
		for _, at := range before {
			if at.excepts(name) {
				at = prefix{}
			}
			e.Help = ""
			if at.lost {
				e.Help = "the prefix of its router is not known"
			}
			if in := cmp.Or(at.computed, computed); in != "" {
				e.Help = "a part of the path is computed in " + in
			}
			e.Also = inList(at.with, also)
			if e.Name = behind(at.path, name, source.TraitsOfFile(e.File).Slashed); strings.ContainsAny(e.Name, "/?") {
				out = append(out, at.inherited(e))
			}
		}
	}
	return out
}

// handled mounts the functions that receive a router and that no known code calls, if their module calls one that it is given.
func (m mounts) handled(surfaces []surface) {
	for e := range elementsOf(surfaces) {
		id, by := idOf(e.module, e.Of), m.of[idOf(e.module, source.Handlers)]
		if e.Of != "" && strings.HasSuffix(e.Of, "()") && len(m.of[id]) == 0 && len(by) == 1 && idOf(e.module, by[0].Of) != id && e.Of != source.Handlers {
			m.of[id] = by
		}
	}
}

// inherited returns a route with the class that has the handler from its base, if there is one.
func (p prefix) inherited(e element) element {
	if p.as == nil {
		return e
	}
	class, owner := lastElement(p.as.Of), lastElement(e.Of)
	if e.Value == owner {
		e.module, e.ID, e.File, e.Line, e.In = p.as.module, p.as.Of, p.as.File, p.as.Line, ""
	}
	e.Value = class + strings.TrimPrefix(e.Value, owner)
	return e
}

// described returns what deployment descriptors and builds say about routes: the prefixes of the resources of Java modules,
// and the routes of interfaces that are made of documents. It also lists the files that are not read in full.
func described(f *facts) (out []surface, partial []string) {
	known := map[string][]manifest.Operation{} // by document
	for _, file := range ask(f, survey.FilesFor, survey.DeployList) {
		content := f.blob(file)
		if supportsTests(file) {
			continue
		}
		for _, at := range manifest.ResourcePaths(content) {
			out = append(out, surface{module: manifest.ModuleOf(file), Elements: []node.Behavior{{Kind: source.Mount, ID: source.Served, Of: source.Program, Name: at, File: file}}})
		}
		own := surface{module: manifest.ModuleOf(file)}
		for _, s := range manifest.Servlets(content) {
			if ask(f, survey.Exists, s.File(own.module)) { // others are of libraries
				own.Elements = append(own.Elements, node.Behavior{Kind: source.Route, Name: s.Path, Value: lastElement(s.Class), File: file})
			}
		}
		out = append(out, own)
		apis, whole := manifest.GeneratedAPIs(file, content)
		if !whole {
			partial = append(partial, file)
		}
		for _, api := range apis {
			operations, read := known[api.Document]
			if !read {
				var unread error
				if operations, unread = manifest.Operations(f.blob(api.Document)); unread != nil {
					partial = append(partial, api.Document)
				}
				known[api.Document] = operations
			}
			s := surface{module: "."}
			for _, r := range api.Routes(operations) {
				s.Elements = append(s.Elements, node.Behavior{Kind: source.Route, Name: r.Name, Of: outside + api.Package + "#" + r.Interface, Help: r.Help, File: api.Document, Line: r.Line})
			}
			out = append(out, s)
		}
	}
	return out, partial
}

// served returns the ID of a router; for the prefix of an application, that of the application in the nearest parent
// directory.
func (m mounts) served(module, id string) string {
	if id != source.Served && id != source.Versioned {
		return idOf(module, id)
	}
	for dir := module; ; dir = path.Dir(dir) {
		switch own := idOf(dir, id); {
		case len(m.of[own]) > 0:
			return own
		case dir == "." && id == source.Versioned:
			return m.served(module, source.Served)
		case dir == ".":
			return own
		}
	}
}

// excepts reports whether a route lacks the prefix: its path is listed, or is below a listed wildcard.
func (p prefix) excepts(route string) bool {
	_, route, _ = strings.Cut(route, "/")
	for except := range strings.SplitSeq(p.except, ", ") {
		at, _, all := strings.Cut(strings.Trim(except, "/"), "{/*")
		if p.except != "" && (route == at || all && strings.HasPrefix(route, at+"/")) {
			return true
		}
	}
	return false
}

const computedPart = "?"

// filled returns the path of a route or mount, and the file that computes a part of it.
func (m mounts) filled(e element) (text, computed string) {
	text = source.Fill(e.Name, func(name string) string {
		if text := m.texts[name]; text != "" {
			return text
		}
		key := lastElement(name)
		owner := strings.ToLower(strings.TrimSuffix(name, "."+key))
		if text := m.texts[key]; text != "" && (strings.HasSuffix(owner, "settings") || strings.HasSuffix(owner, "config")) {
			return text
		}
		computed = e.file()
		return computedPart
	})
	return strings.ReplaceAll(text, "//", "/"), computed
}

// routerIndex finds routers by place (source.PlaceID).
type routerIndex struct {
	ids   map[string][]string // by place
	whole map[string]string   // the file whose exports a file re-exports
}

// mostFiles bounds a chain of re-exports.
const mostFiles = 8

func (r routerIndex) find(place string) []string {
	file, name, _ := strings.Cut(place, "#")
	for range mostFiles {
		if ids := r.ids[file+"#"+name]; len(ids) > 0 || file == "" {
			return ids
		}
		file = r.whole[file]
	}
	return nil
}

func routerPlaces(surfaces []surface) routerIndex {
	all := routerIndex{map[string][]string{}, map[string]string{}}
	out := all.ids
	for e := range elementsOf(surfaces) {
		if e.Of == "" || strings.HasPrefix(e.Of, source.Program) || strings.Contains(e.Of, "#") || e.Kind != source.Route && e.Kind != source.Mount {
			continue
		}
		prefix := source.Prefix(e.File, true)
		files := []string{path.Join(e.module, strings.TrimSuffix(e.File, path.Ext(e.File)))}
		if prefix == "" {
			files = append(files, e.module)
		}
		id, name := idOf(e.module, e.Of), strings.TrimPrefix(e.Of, prefix)
		whole, passed := strings.CutSuffix(e.ID, "#"+name)
		passed = passed && e.Kind == source.Mount && e.Name == "" && strings.HasPrefix(whole, "@")
		for _, file := range files {
			for _, key := range waysTo(file) {
				if passed {
					all.whole["@"+key] = whole
				}
				if key = source.PlaceID(key, name); !slices.Contains(out[key], id) {
					out[key] = append(out[key], id)
				}
			}
		}
	}
	return all
}

// routerMethods returns the IDs of the routers that methods receive, by the name of the method.
func routerMethods(surfaces []surface) map[string][]string {
	out := map[string][]string{}
	for e := range elementsOf(surfaces) {
		typ, method, ok := strings.Cut(e.Of, ".")
		if id := idOf(e.module, e.Of); (e.Kind == source.Route || e.Kind == source.Mount) && ok && typ != source.Program && strings.HasSuffix(method, "()") && !slices.Contains(out[method], id) {
			out[method] = append(out[method], id)
		}
	}
	return out
}

// mostDirectories bounds the leading directories that a path may omit.
const mostDirectories = 16

// waysTo returns a path from the root and its suffixes.
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

// before lists the mount paths of a router.
func (m mounts) before(id string) []prefix {
	if known, ok := m.known[id]; ok {
		return known
	}
	if len(m.of[id]) == 0 {
		return []prefix{{lost: strings.HasSuffix(id, "()")}} // a function that no known code calls
	}
	m.known[id] = nil // breaks cycles
	all, fallback := m.of[id], ""
	for _, mount := range all {
		if mount.Usage == source.Fallback {
			fallback = mount.Name
		}
	}
	var out []prefix
	for _, mount := range all {
		switch {
		case mount.Usage == source.Fallback && len(all) > 1:
			continue
		case mount.Name == "":
			mount.Name = fallback
		}
		at, computed := m.filled(mount)
		above, of := []prefix{{}}, idOf(mount.module, mount.Of)
		switch {
		case mount.Usage == source.Inherited && len(m.of[of]) == 0:
			continue
		case mount.Usage == source.Handed && (mount.Of == source.Program || len(m.of[of]) == 0):
			above[0].lost = true
		case mount.Of != source.Program && mount.Of != "":
			above = m.before(of)
		}
		for _, p := range above {
			if mount.Usage == source.Inherited && p.as == nil {
				p.as = &mount
			}
			p = prefix{joinPaths(p.path, at), cmp.Or(p.computed, computed), cmp.Or(mount.Also, p.except), inList(p.with, mount.Value), p.lost, p.as}
			if len(out) < mostMounts && !slices.ContainsFunc(out, func(q prefix) bool { return q.path == p.path && q.with == p.with && q.lost == p.lost }) {
				out = append(out, p)
			}
		}
	}
	for _, useless := range []func(prefix) bool{func(p prefix) bool { return p.lost && p.path == "" }, func(p prefix) bool { return p.lost }} {
		if found := slices.DeleteFunc(slices.Clone(out), useless); len(found) > 0 {
			out = found
		}
	}
	m.known[id] = out
	return out
}

// behind prefixes a route such as "GET /x". The root path of a router keeps a trailing slash only if the framework
// distinguishes it (exact).
func behind(prefix, route string, exact bool) string {
	method, rest, ok := strings.Cut(route, " ")
	if !ok && strings.ContainsAny(route[:1], "/?") {
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

// inList appends a list to another one.
func inList(list, more string) string {
	return strings.Trim(list+", "+more, ", ")
}

func joinPaths(prefix, rest string) string {
	if prefix == "" || rest == "" {
		return prefix + rest
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}

// ownRoutes prefixes the routes of a module with the mount paths known in the module itself.
func ownRoutes(n *node.Node) []node.Behavior {
	var out []node.Behavior
	for _, e := range routesOf([]surface{{module: n.Path, Elements: n.Behaviour}}) {
		out = append(out, e.Behavior)
	}
	return out
}
