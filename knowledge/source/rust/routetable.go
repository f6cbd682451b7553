package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// routeTable reads the routes that an attribute of the project's own lists for a type:
// #[routes("/x" => [get(list), post(add)], "/users" => sub(users::Api))]. A function that is no HTTP method mounts the
// routes of another type.
func (f *facts) routeTable(a span, owner string) {
	o := f.o
	for i := a.From + 1; i+1 < a.To; i++ {
		o.meter.Step()
		if !o.is(i, "=>") || o.class(i-1) != text {
			continue
		}
		at, to := i+1, i+2
		if o.is(at, "[") {
			at, to = at+1, int(o.toks[at].mate)
		}
		for path := o.unquote(i - 1); at < to && (path == "" || path[0] == '/'); at++ {
			if o.class(at) == word && o.is(at+1, "(") {
				f.routeRow(owner, path, at)
				at = int(o.toks[at+1].mate)
			}
		}
	}
}

// routeRow reads one function of a row, with the handler or the other type.
func (f *facts) routeRow(owner, path string, at int) {
	o := f.o
	var names []string
	for i := at + 2; i < int(o.toks[at+1].mate); i++ {
		switch {
		case o.class(i) == word:
			names = append(names, toValid(o.name(i)))
		case !o.is(i, "::"):
			return
		}
	}
	if len(names) == 0 {
		return
	}
	method := strings.ToUpper(o.name(at))
	if frameworks.Get().Routes.Verbs[method] {
		f.note(source.Fact{Kind: source.Route, Name: strings.TrimSpace(method + " " + path), Of: owner, Value: strings.Join(names, ".")}, at)
		return
	}
	whole := strings.Split(f.whole(strings.Join(names, ".")), ".")
	below := f.children
	for len(whole) > 1 && relative[whole[0]] {
		whole, below = whole[1:], ""
	}
	id := whole[len(whole)-1]
	if place := strings.Join(whole[:len(whole)-1], "/"); place != "" {
		id = source.PlaceID(below+place, id)
	}
	f.note(source.Fact{Kind: source.Mount, ID: id, Of: owner, Name: path}, at)
}
