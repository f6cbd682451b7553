package ecma

import (
	"bytes"
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
	mark  string // text of such files, unless their names end in a method, as in index.post.ts
}

// eventHandler ends the functions that make the handlers of Nitro: defineEventHandler(async (event) => …).
const eventHandler = "ventHandler("

var fileConventions = []fileRoutes{
	{below: "app", file: "route"},                                   // Next.js, app router
	{below: "pages", under: "/api"},                                 // Next.js, pages router
	{below: "routes", file: "+server", all: true},                   // SvelteKit
	{below: "server", under: "/api", all: true, mark: eventHandler}, // Nuxt, and Nitro alone
	{below: "routes", all: true, mark: eventHandler},
}

func (x *extractor) placedRoutes() {
	base := strings.TrimSuffix(path.Base(x.path), path.Ext(x.path))
	stem, _, _ := strings.Cut(base, ".")
	dirs := strings.Split(path.Dir(x.path), "/")
	for _, c := range fileConventions {
		at := slices.Index(dirs, c.below)
		if at < 0 || c.file != "" && c.file != stem {
			continue
		}
		segments, last, method := dirs[at+1:], base, ""
		if c.mark != "" {
			method = routeMethods[strings.TrimPrefix(path.Ext(base), ".")]
			last = strings.TrimSuffix(base, path.Ext(base))
		}
		if method == "" && !bytes.Contains(x.src, []byte(c.mark)) {
			continue
		}
		if c.file == "" && stem != "index" {
			segments = append(slices.Clone(segments), last)
		}
		route, ok := placedPath(segments, c.all)
		switch {
		case !ok || c.under != "" && route != c.under && !strings.HasPrefix(route, c.under+"/"):
		case c.mark != "" && slices.Contains(segments, "middleware"):
		case c.mark != "":
			x.defaultRoute(c, strings.TrimSpace(method+" "+route))
			return
		case c.file == "":
			x.defaultRoute(c, route)
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

func (x *extractor) defaultRoute(c fileRoutes, route string) {
	for i := range x.t {
		if !x.t[i].isKeyword(kExport) || !x.at(i+1).isKeyword(kDefault) {
			continue
		}
		f := source.Fact{Kind: source.Route, Line: int(x.t[i].line)}
		for i += 2; x.at(i).isKeyword(kAsync) || x.at(i).isKeyword(kFunction); i++ {
		}
		if f.Value, f.Also = x.wrapped(i, 0); f.Also == "" && c.mark != "" && x.at(x.target(i).To).isPunct('(') {
			f.Value = "" // a function literal in a call
		}
		methods := x.listedMethods(i, x.skipExpression(i))
		if methods == nil && c.mark == "" {
			methods = x.askedMethods()
		}
		if len(methods) == 0 {
			methods = []string{""}
		}
		for _, method := range methods {
			f.Name = strings.TrimSpace(method + " " + route)
			x.facts = append(x.facts, f)
		}
		return
	}
}

// wrapped returns the handler at i, and the functions that wrap it: those whose first argument is a function of the file.
func (x *extractor) wrapped(i, depth int) (handler, wrappers string) {
	t := x.target(i)
	name, open := strings.Join(t.path, "."), t.To
	if !x.at(open).isPunct('(') || x.at(open+1).kind != tIdent || depth > mostWrappers {
		return name, ""
	}
	if at, own := x.index[x.text(open+1)]; own && x.symbols[at].Kind == source.Func && !x.at(open+2).isPunct('(') {
		return x.text(open + 1), name
	}
	if inner, more := x.wrapped(open+1, depth+1); more != "" {
		return inner, name + ", " + more
	}
	return name, ""
}

// mostWrappers bounds the nesting of calls around a handler.
const mostWrappers = 8

// listedMethods returns the methods that an option lists: { methods: ["GET", "POST"] }.
func (x *extractor) listedMethods(from, to int) (out []string) {
	for i := from; i < to; i++ {
		if x.textIs(i, "methods") && x.at(i+1).isPunct(':') && x.at(i+2).isPunct('[') {
			return x.methodTexts(i+3, int(x.at(i+2).match))
		}
	}
	return nil
}

// methodTexts returns the methods among the texts of a range; nil if it has other words.
func (x *extractor) methodTexts(from, to int) (out []string) {
	for i := from; i < to; i++ {
		text := strings.Trim(x.text(i), "'\"`")
		if is := routeMethods[strings.ToLower(text)] == text && text != ""; is && x.at(i).kind == tString {
			out = append(out, text)
		} else if !x.at(i).isPunct(',') {
			return nil
		}
	}
	return out
}

// askedMethods returns the methods with which the file compares that of a request, if it refuses the others.
func (x *extractor) askedMethods() (out []string) {
	refuses := false
	for i := range x.t {
		t := &x.t[i]
		refuses = refuses || t.kind == tNumber && x.textIs(i, "405") || t.kind == tString && x.textIs(i+1, ",") && strings.Trim(x.text(i), "'\"") == "Allow"
		if !x.textIs(i, "method") || !x.afterDot(i) {
			continue
		}
		switch {
		case x.at(i+1).kind == tPunct && x.at(i+2).kind == tString && strings.Trim(x.text(i+1), "=") == "":
			out = append(out, x.methodTexts(i+2, i+3)...)
		case x.textIs(i+1, "!==") && x.at(i+2).kind == tString:
			return x.methodTexts(i+2, i+3)
		case x.at(i+1).isPunct(')') && x.at(i+2).isPunct('{'):
			for j := i + 3; j < int(x.at(i+2).match); j++ {
				if x.at(j).isKeyword(kCase) {
					out = append(out, x.methodTexts(j+1, j+2)...)
				}
			}
		}
	}
	if !refuses {
		return nil
	}
	slices.Sort(out)
	return slices.Compact(out)
}
