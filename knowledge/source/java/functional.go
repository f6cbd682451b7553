package java

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// functionalVerbs are the methods of Spring's functional route builders and predicates.
var functionalVerbs = map[string]bool{"GET": true, "POST": true, "PUT": true, "DELETE": true, "PATCH": true, "HEAD": true, "OPTIONS": true}

// beans are annotations of methods whose routes Spring serves; another method's caller decides about the path.
var beans = map[string]bool{"Bean": true}

// functional reads the routes that a method builds: route().GET("/a", this::list), route(GET("/a"), this::list),
// nest(path("/a"), …) and path("/a", builder -> …).
func (p *parser) functional(owner, d decl) []source.Fact {
	f := functionalRoutes{parser: p, owner: owner, name: d.name, of: d.name}
	if _, served := p.annotated(d.mods, beans); served {
		f.of = ""
	}
	f.within(d.all, "", 0)
	if f.of != "" && len(f.out) > 0 {
		f.out = append(f.out, source.Fact{Kind: source.Mount, ID: f.of, Of: source.Program, Usage: source.Handed, Line: f.out[0].Line})
	}
	return f.out
}

type functionalRoutes struct {
	*parser

	owner decl
	name  string
	of    string // the method, if its path is unknown
	out   []source.Fact
}

func (f *functionalRoutes) within(s span, prefix string, depth int) {
	for i := s.From; i < s.To; i++ {
		f.meter.Step()
		if f.kind(i) != word || f.kind(i+1) != '(' {
			continue
		}
		switch args := (span{From: i + 2, To: f.ends[i+1] - 1}); {
		case functionalVerbs[f.text(i)]:
			f.route(i, args, prefix)
		case f.of == "" && depth == 0 && args.From == args.To && f.kind(i-1) != '.' && f.declares(f.text(i)): // as it is
			f.out = append(f.out, source.Fact{Kind: source.Mount, ID: f.owner.name + "." + f.text(i), Of: source.Program, Name: prefix, Line: int(f.line(i))})
		case (f.isWord(i, "nest") || f.isWord(i, "andNest")) && depth < maxNesting:
			if at := f.predicate(args); at.From > 0 {
				f.below(at, args, prefix, depth)
				i = args.To
			}
		case f.isWord(i, "path") && f.kind(i-1) == '.' && depth < maxNesting && f.comma(args) < args.To:
			f.below(args, args, prefix, depth)
			i = args.To
		}
	}
}

// declares reports whether the class has a method.
func (f *functionalRoutes) declares(name string) bool {
	f.meter.Steps(len(f.decls))
	name = f.owner.name + "." + name
	return name != f.name && slices.ContainsFunc(f.decls, func(d decl) bool { return d.name == name })
}

// comma returns the index of the comma after the first argument, or the end.
func (f *functionalRoutes) comma(args span) int32 {
	i := args.From
	for i < args.To && f.kind(i) != ',' {
		i = max(i+1, f.ends[i])
	}
	return i
}

// predicate returns the argument of path(…) at the beginning of others.
func (f *functionalRoutes) predicate(args span) span {
	for i := args.From; i < args.To && (f.kind(i) == word || f.kind(i) == '.'); i++ {
		if f.isWord(i, "path") && f.kind(i+1) == '(' {
			return span{From: i + 2, To: f.ends[i+1] - 1}
		}
	}
	return span{}
}

// below reads the routes in the arguments after the path of a nested router, or mounts the method that builds them.
func (f *functionalRoutes) below(at, args span, prefix string, depth int) {
	path, _ := f.path(f.owner, at)
	if path = route(prefix, path); len(path) > longestPath {
		path = source.Placeholder("")
	}
	rest := span{From: f.comma(args) + 1, To: args.To}
	f.within(rest, path, depth+1)
	if name := f.text(rest.From); f.kind(rest.From) == word && f.kind(rest.From+1) == '(' && f.ends[rest.From+1] == rest.To {
		f.out = append(f.out, source.Fact{Kind: source.Mount, ID: f.owner.name + "." + name, Of: f.of, Name: path, Line: int(f.line(rest.From))})
	}
}

func (f *functionalRoutes) route(i int32, args span, prefix string) {
	path, at := "", args.From
	if f.text(at+1) != "::" { // otherwise it has the path of the router
		path, at = f.path(f.owner, args)
		if at >= args.To { // a predicate: the handler follows it, perhaps after further conditions
			for at = args.To + 1; f.kind(at) == '.' && f.kind(at+1) == word && f.kind(at+2) == '('; {
				at = f.ends[at+2]
			}
		}
		if f.kind(at) != ',' {
			return
		}
		at++
	}
	f.meter.Steps(stepsOfRoute)
	f.out = append(f.out, source.Fact{
		Kind: source.Route, Name: f.text(i) + " " + route(prefix, path), Value: f.handler(at), Of: f.of, Line: int(f.line(i)),
	})
}

// handler names a method reference: this::list, or handler::list by the type of the field.
func (f *functionalRoutes) handler(i int32) string {
	if f.kind(i) != word || f.kind(i+2) != word || f.text(i+1) != "::" {
		return source.Anonymous
	}
	of := f.text(i)
	if of == "this" {
		of = f.owner.name
	}
	f.meter.Steps(len(f.decls))
	for _, d := range f.decls {
		if d.name == f.owner.name+"."+of && d.head.To > d.head.From {
			of = f.text(d.head.From)
		}
	}
	return of + "." + f.text(i+2)
}
