package ecma

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// fileRoutes says which exports of which files are routes by the place of the file.
type fileRoutes struct {
	below string // the directory that the paths begin in
	under string // the beginning of the path
	file  string // the name of the file; any file, whose default export it is, where it is empty
	all   bool   // no directory is private
}

var fileConventions = []fileRoutes{
	{below: "app", file: "route"},                 // Next.js, app router
	{below: "pages", under: "/api"},               // Next.js, pages router
	{below: "routes", file: "+server", all: true}, // SvelteKit
}

// placedRoutes adds the routes that the file has by its place.
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

// placedPath is the path of directories: (group) and @slot are no part of it, [id] is a parameter. Those with an underscore
// are private, unless all count.
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

// methodRoutes are the exports that are called like methods of HTTP.
func (x *extractor) methodRoutes(route string) {
	for i := range x.symbols {
		s := &x.symbols[i]
		if s.Exported && routeMethods[strings.ToLower(s.Name)] == s.Name && s.Name != "" {
			x.facts = append(x.facts, source.Fact{Kind: source.Route, Name: s.Name + " " + route, Value: s.Name, Line: s.Line})
		}
	}
}

// defaultRoute is the default export.
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

// longestRegistry is how many elements a dotted name has that anything is registered with.
const longestRegistry = 24

// dottedName reads a dotted name, and returns where it ends.
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
