package rust

import "strings"

// maxAround bounds how many conditions around a token count.
const maxAround = 16

// guard is the condition that token i stands under. A walk over the tokens asks for it from the front to the end.
func (im *imports) guard(i int) string {
	for ; im.next < len(im.ranges) && im.ranges[im.next].start <= i; im.next++ {
		if r := im.ranges[im.next]; r.end > i && len(im.around) < maxAround {
			im.around = append(im.around, r)
		}
	}
	guard := ""
	open := im.around[:0]
	for _, r := range im.around {
		if r.end > i {
			open = append(open, r)
			guard = both(guard, r.guard)
		}
	}
	im.around = open
	return guard
}

// through is the condition of an edge: its own, and that of the file's module that it leads through.
func (im *imports) through(path string, e *edge) string {
	guard := e.guards.guard()
	inner, found := strings.CutPrefix(path, "self::")
	if !found {
		return guard
	}
	name, _, _ := strings.Cut(inner, "::")
	if g := im.conditional[name]; g != nil {
		guard = both(guard, g.guard())
	}
	return guard
}

// tools are the names in attributes that speak to tools about the code.
var tools = set("rustfmt", "clippy", "rustdoc", "miri", "diagnostic", "rust_analyzer")

// tool returns where to go on behind the words of an attribute that names a tool or its lints at i; i when there is none.
func (im *imports) tool(i int) int {
	o := im.o
	if o.lead(i-1) == '[' && (o.is(i-2, "#") || o.is(i-2, "!") && o.is(i-3, "#")) {
		im.attribute = int(o.toks[i-1].mate)
	}
	if i >= im.attribute || !tools[string(o.text(i))] || !o.is(i+1, "::") {
		return i
	}
	for o.is(i+1, "::") && o.class(i+2) == word {
		i += 2
	}
	return i + 1
}
