package ecma

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// fileRoutes describes a framework's file-based routing.
type fileRoutes struct {
	below string // directory that the paths are relative to
	under string // path prefix
	file  string // file name; if empty, the default export of any file is a route
	all   bool   // no directory is private
}

var fileConventions = []fileRoutes{
	{below: "app", file: "route"},                 // Next.js, app router
	{below: "pages", under: "/api"},               // Next.js, pages router
	{below: "routes", file: "+server", all: true}, // SvelteKit
}

func (x *extractor) placedRoutes() {
	stem, _, _ := strings.Cut(path.Base(x.path), ".")
	dirs := strings.Split(path.Dir(x.path), "/")
	for _, c := range fileConventions {
		at := slices.Index(dirs, c.below)
		if at < 0 || c.file != "" && c.file != stem {
			continue
		}
		segments := dirs[at+1:]
		if c.file == "" && stem != "index" {
			segments = append(slices.Clone(segments), strings.TrimSuffix(path.Base(x.path), path.Ext(x.path)))
		}
		route, ok := placedPath(segments, c.all)
		switch {
		case !ok || c.under != "" && route != c.under && !strings.HasPrefix(route, c.under+"/"):
		case c.file == "":
			x.defaultRoute(route)
		default:
			x.methodRoutes(route)
		}
	}
}

// placedPath converts directories to a route path: (group) and @slot are dropped, [id] is a parameter. Directories
// with an underscore are private unless all is set.
func placedPath(segments []string, all bool) (string, bool) {
	out := ""
	for _, s := range segments {
		inner, parameter := strings.CutPrefix(s, "[")
		switch {
		case strings.HasPrefix(s, "_") && !all:
			return "", false
		case strings.HasPrefix(s, "(") || strings.HasPrefix(s, "@"):
			continue
		case parameter:
			inner, _, _ = strings.Cut(strings.Trim(inner, "[]"), "=")
			if rest, many := strings.CutPrefix(inner, "..."); many {
				inner = rest + "..."
			}
			s = "{" + inner + "}"
		}
		out += "/" + s
	}
	return cmp.Or(out, "/"), true
}

func (x *extractor) methodRoutes(route string) {
	for i := range x.symbols {
		s := &x.symbols[i]
		if s.Exported && routeMethods[strings.ToLower(s.Name)] == s.Name && s.Name != "" {
			x.facts = append(x.facts, source.Fact{Kind: source.Route, Name: s.Name + " " + route, Value: s.Name, Line: s.Line})
		}
	}
}

func (x *extractor) defaultRoute(route string) {
	for i := range x.t {
		if !x.t[i].isKeyword(kExport) || !x.at(i+1).isKeyword(kDefault) {
			continue
		}
		f := source.Fact{Kind: source.Route, Name: route, Line: int(x.t[i].line)}
		for i += 2; x.at(i).isKeyword(kAsync) || x.at(i).isKeyword(kFunction); i++ {
		}
		if x.at(i).kind == tIdent {
			f.Value, _ = x.dottedName(i)
		}
		x.facts = append(x.facts, f)
		return
	}
}

// longestRegistry bounds the elements of a dotted name on which something is registered.
const longestRegistry = 24

func (x *extractor) dottedName(i int) (string, int) {
	if x.at(i).kind != tIdent {
		return "", i
	}
	name := x.text(i)
	i++
	for range longestRegistry {
		if !x.at(i).isPunct('.') || x.at(i+1).kind != tIdent {
			break
		}
		name += "." + x.text(i+1)
		i += 2
	}
	return name, i
}
