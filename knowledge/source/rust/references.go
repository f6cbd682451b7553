package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// maxOwnerRefs limits the names that a member inherits from the head of its impl block.
const maxOwnerRefs = 64

// references lists the names in an item's interface that may belong to other declarations.
func (o *outline) references(it *item, known map[string]int) []string {
	if it.form == using {
		return []string{it.ref}
	}
	r := &references{o: o, it: it, known: known, params: o.parameters(it.label+1, it.head)}
	if it.scope.kind == inImpl {
		r.owner()
	}
	r.attributes(it.attrs, it.first)
	switch it.form {
	case fields, cases:
		i, end, _ := o.body(it)
		r.tokens(it.first, min(max(i, it.first), it.head))
		for _, m := range o.members(i, end, it.form == cases) {
			if m.visible {
				r.attributes(m.attrs, m.first)
				first := m.first
				if it.form == cases {
					first++ // the variant's name
				}
				r.tokens(first, m.end)
			}
		}
		r.tokens(max(end, it.first), it.head)
	case value:
		r.values = true
		r.tokens(it.first, it.end)
	case merged:
		for _, s := range it.seen() {
			r.tokens(s.From, s.To)
		}
	case macro:
	default:
		r.tokens(it.first, it.head)
	}
	return source.Unique(r.found)
}

type references struct {
	o      *outline
	it     *item
	known  map[string]int
	params []string
	values bool // the tokens include expressions, where lower-case names may be functions
	found  []string
}

func (r *references) owner() {
	s := r.it.scope
	if !s.read {
		s.read = true
		head := &references{o: r.o, it: r.it, known: r.known, params: s.generics}
		head.tokens(s.head, s.headEnd)
		s.refs = source.Unique(head.found)
		s.refs = s.refs[:min(len(s.refs), maxOwnerRefs)]
	}
	r.params = append(r.params, s.generics...)
	r.found = append(r.found, s.refs...)
}

// attributes adds derives, which may be macros of the repository.
func (r *references) attributes(i, end int) {
	for a := range r.o.attributesIn(i, end) {
		if r.o.is(a.From, "derive") {
			r.tokens(a.From+1, a.To)
		}
	}
}

func (r *references) tokens(i, end int) {
	o := r.o
	for i < end {
		if o.toks[i].class != word || o.toks[i].skip || i == r.it.label {
			i++
			continue
		}
		if next, _ := o.visibility(i); next > i {
			i = next
			continue
		}
		last := i
		for last+2 < end && o.is(last+1, "::") && o.class(last+2) == word {
			last += 2
		}
		r.path(i, last)
		i = last + 1
	}
}

func (r *references) path(i, last int) {
	o := r.o
	first := o.text(i)
	if i == last && r.irrelevant(first, i) || string(first) == "Self" || o.is(i-1, "::") && o.is(i-2, ">") {
		return
	}
	if last-i > 2*maxDepth || int(o.toks[last].end-o.toks[i].start) > maxPath {
		return
	}
	var segments []string
	for ; i <= last; i += 2 {
		segments = append(segments, o.validName(i))
		if capital(segments[len(segments)-1]) {
			break
		}
	}
	if builtin[segments[0]] && len(segments) > 1 {
		return
	}
	r.found = append(r.found, r.local(segments))
	if name := segments[len(segments)-1]; len(segments) > 1 && !relative[name] {
		r.found = append(r.found, name)
	}
}

func (r *references) irrelevant(name []byte, i int) bool {
	o := r.o
	switch {
	case keywords[string(name)] || builtin[string(name)] || relative[string(name)]:
		return true
	case o.is(i-1, "fn") || o.is(i-1, "type") || o.is(i-1, "const"):
		return true // a member's own name
	case o.is(i+1, ":"):
		return true // the name of a parameter, field or generic
	case !capital(string(name[:1])):
		return !r.values && !o.is(i+1, "!") && !o.is(i+1, "(") && !o.is(i+1, "<") && !o.is(i-1, ":") && !o.is(i-1, "->")
	}
	for _, p := range r.params {
		if p == string(name) {
			return true
		}
	}
	return false
}

// local resolves a path to the file's symbols, relative to its inline module if there is such a symbol.
func (r *references) local(segments []string) string {
	path, in, inside := climb(segments, r.it.scope.modules)
	if !inside {
		return strings.Join(segments, ".")
	}
	name := strings.Join(path, ".")
	for n := len(in); n > 0; n-- {
		if full := dotted(in[:n], name); r.has(full) {
			return full
		}
	}
	if len(path) < len(segments) {
		return dotted(in, name)
	}
	return name
}

func (r *references) has(name string) bool {
	_, ok := r.known[name]
	return ok
}

func (o *outline) parameters(i, end int) []string {
	if !o.is(i, "<") {
		return nil
	}
	var out []string
	for _, m := range o.members(i+1, o.outside(i+1, end, ">"), true) {
		name := m.first
		if o.is(name, "const") {
			name++
		}
		if o.class(name) == word && len(out) < maxOwnerRefs {
			out = append(out, o.name(name))
		}
	}
	return out
}
