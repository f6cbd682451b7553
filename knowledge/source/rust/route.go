package rust

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// area is a range of tokens whose routes belong to a router.
type area struct {
	span
	id     string
	prefix string // the path prefix
}

// routing follows the routers of axum and actix through nesting and the functions that construct them.
type routing struct {
	*facts
	areas []area       // open areas, outermost first
	done  map[int]bool // the methods read as part of a chain
	any   bool         // the file may have routers or commands
	serve bool         // the file may have routers
}

func (r *routing) enter(i int) {
	o := r.o
	if !r.any {
		return
	}
	for len(r.areas) > 0 && r.areas[len(r.areas)-1].To <= i {
		r.areas = r.areas[:len(r.areas)-1]
	}
	switch string(o.text(i)) {
	case "fn":
		r.function(i)
	case "let":
		r.variable(i)
	case "Router":
		if o.is(i+1, "::") && o.is(i+3, "(") && (string(o.text(i+2)) == "new" || string(o.text(i+2)) == "default") {
			r.chain(o.after(i+3), r.here(i))
		}
	case "scope":
		if o.is(i-1, "::") && o.is(i+1, "(") && o.class(i+2) == text {
			r.chain(o.after(i+1), r.below(r.here(i), i+2))
		}
	case "mount":
		r.rocket(i)
	case "resource":
		if o.is(i-1, "::") && o.is(i+1, "(") && o.class(i+2) == text {
			r.resource(o.after(i+1), r.below(r.here(i), i+2))
		}
	}
}

// open begins an area. IDs are nested, so the depth is limited.
func (r *routing) open(a area) {
	if len(r.areas) < mostAreas {
		r.areas = append(r.areas, a)
	}
}

const (
	mostAreas      = 64
	longestHandler = 64
)

const mostHead = 400

func (r *routing) function(i int) {
	o := r.o
	at := i + 2
	for n := 0; n < mostHead && at < len(o.toks) && !o.is(at, "{") && !o.is(at, ";"); n++ {
		at = o.after(at)
	}
	if o.class(i+1) != word || !o.is(at, "{") {
		return
	}
	name, end := o.name(i+1), int(o.toks[at].mate)
	r.open(area{span: span{From: at, To: end}, id: name})
	if o.class(end-1) == word && (o.is(end-2, ";") || o.is(end-2, "}")) {
		r.mount(name+"."+o.name(end-1), area{id: name}, end-1) // the function returns the variable
	}
}

// variable reads `let name = …;`. Routes registered in the statement belong to the variable.
func (r *routing) variable(i int) {
	o := r.o
	at := i + 1
	if o.is(at, "mut") {
		at++
	}
	if o.class(at) != word || !o.is(at+1, "=") {
		return
	}
	end := at + 2
	for n := 0; n < mostHead && end < len(o.toks) && !o.is(end, ";"); n++ {
		end = o.after(end)
	}
	r.open(area{span: span{From: at, To: end}, id: r.here(i).id + "." + o.name(at)})
}

func (r *routing) here(i int) area {
	for n := len(r.areas) - 1; n >= 0; n-- {
		if r.areas[n].From <= i && i < r.areas[n].To {
			return r.areas[n]
		}
	}
	return area{}
}

func (r *routing) below(a area, i int) area {
	o := r.o
	if o.class(i) == text {
		a.prefix = below(a.prefix, o.unquote(i))
		return a
	}
	for o.is(i, "&") {
		i++
	}
	var names []string
	for n := 0; n < longestHandler && o.class(i) == word; n++ {
		names = append(names, o.name(i))
		if i++; o.is(i, "::") {
			i++
		}
	}
	if !o.is(i, ",") && !o.is(i, ")") {
		names = nil // computed
	}
	names = slices.DeleteFunc(names, isRelative)
	a.prefix = below(a.prefix, source.Placeholder(strings.Join(names, ".")))
	return a
}

func below(prefix, rest string) string {
	if prefix == "" || rest == "" || rest == "/" {
		return prefix + strings.TrimPrefix(rest, "/"[:min(len(prefix), 1)])
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}

func (r *routing) chain(i int, a area) {
	o := r.o
	for o.is(i, ".") && o.class(i+1) == word && o.is(i+2, "(") {
		paren, close := i+2, int(o.toks[i+2].mate)
		switch string(o.text(i + 1)) {
		case "route":
			r.done[i+1] = true
			if at := r.argument(paren+1, close); at > 0 {
				r.routed(paren+1, at, close, r.below(a, paren+1))
			}
		case "nest", "nest_service":
			if at := r.argument(paren+1, close); at > 0 {
				r.nested(r.below(a, paren+1), at, close)
			}
		case "merge", "service", "configure":
			r.nested(a, paren+1, close)
		}
		i = o.after(i + 2)
	}
}

// rocket reads mount("/x", routes![a, b::c]).
func (r *routing) rocket(i int) {
	o := r.o
	if !o.is(i-1, ".") || !o.is(i+1, "(") || !o.is(i+3, ",") || string(o.text(i+4)) != "routes" || !o.is(i+5, "!") || !o.is(i+6, "[") {
		return
	}
	a := r.below(r.here(i), i+2)
	var names []string
	for at := i + 7; at <= int(o.toks[i+6].mate); at++ {
		if o.class(at) == word {
			names = append(names, o.name(at))
		} else if !o.is(at, "::") {
			r.mount(placeOf(names), a, i)
			names = nil
		}
	}
}

func (r *routing) argument(i, end int) int {
	for ; i < end; i = r.o.after(i) {
		if r.o.is(i, ",") {
			return i + 1
		}
	}
	return 0
}

func (r *routing) resource(i int, a area) {
	o := r.o
	for o.is(i, ".") && o.class(i+1) == word && o.is(i+2, "(") {
		if name := string(o.text(i + 1)); name == "route" || name == "to" {
			r.done[i+1] = true
			if name == "to" {
				r.add("", a, r.handler(i+3, int(o.toks[i+2].mate)), i)
			} else {
				r.routed(i, i+3, int(o.toks[i+2].mate), a)
			}
		}
		i = o.after(i + 2)
	}
}

// nested mounts the argument between tokens below an area's path.
func (r *routing) nested(a area, from, to int) {
	o := r.o
	var names []string
	i := from
	for ; i < to && o.class(i) == word; i += 2 {
		names = append(names, o.name(i))
		if !o.is(i+1, "::") {
			i++
			break
		}
	}
	switch {
	case len(names) == 1 && i == to: // a variable, or a registered function
		r.mount(names[0], a, from)
		r.mount(r.current()+"."+names[0], a, from)
	case len(names) > 0 && (i == to || o.is(i, "(") && o.after(i) == to && names[len(names)-1] != "new"):
		r.mount(placeOf(names), a, from)
	default:
		a.span = span{From: from, To: to}
		r.open(a)
	}
}

func (r *routing) current() string {
	for _, a := range r.areas {
		if name, _, nested := strings.Cut(a.id, "."); !nested || name != "" {
			return name
		}
	}
	return ""
}

func isRelative(name string) bool { return name == "crate" || name == "self" || name == "super" }

func placeOf(names []string) string {
	names = slices.DeleteFunc(names, isRelative)
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	last := len(names) - 1
	return source.PlaceID(strings.Join(names[:last], "/"), names[last])
}

func (r *routing) mount(id string, a area, at int) {
	if id == "" || id == a.id || !r.serve {
		return
	}
	f := source.Fact{Kind: source.Mount, ID: id, Of: a.id, Name: a.prefix, Line: int(r.o.toks[at].line)}
	r.list = append(r.list, f)
}

// routed reads the handlers of a path: get(a).post(b), web::get().to(h).
func (r *routing) routed(at, i, last int, a area) {
	o := r.o
	verbs := 0
	var pending string
	for o.class(i) == word && o.is(i+1, "::") {
		i += 2
	}
	for i < last && o.class(i) == word {
		name := strings.TrimSuffix(string(o.text(i)), "_service")
		verb, is := methods[name]
		paren := i + 1
		if !o.is(paren, "(") {
			break
		}
		handler := r.handler(paren+1, int(o.toks[paren].mate))
		switch {
		case is && handler == "" && o.toks[paren].mate == int32(paren+1): // web::get()
			pending = verb
		case is:
			r.add(verb, a, handler, at)
			verbs++
		case name == "to" || name == "any":
			r.add(pending, a, handler, at)
			verbs++
		}
		if i = o.after(paren); !o.is(i, ".") {
			break
		}
		i++
	}
	if verbs == 0 {
		r.add(pending, a, r.handler(i, last), at)
	}
}

func (r *routing) handler(from, to int) string {
	name := ""
	if to-from > longestHandler {
		return ""
	}
	for i := from; i < to; i++ {
		if r.o.class(i) != word && !r.o.is(i, "::") {
			return ""
		}
		name += string(r.o.text(i))
	}
	return toValid(name)
}

func (r *routing) add(verb string, a area, handler string, at int) {
	if !strings.HasPrefix(a.prefix, "/") && !strings.HasPrefix(a.prefix, "$(") {
		return
	}
	f := source.Fact{Kind: source.Route, Name: strings.TrimSpace(verb + " " + a.prefix), Of: a.id, Value: handler}
	if !r.seen[f] {
		r.seen[f] = true
		f.Line = int(r.o.toks[at].line)
		r.list = append(r.list, f)
	}
}
