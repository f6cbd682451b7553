package rust

import "strings"

// maxAround limits the conditions considered for one token.
const maxAround = 16

// guard returns the condition of token i. Calls must have increasing i.
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

// through returns the condition of an edge, including that of the file's module in its path.
func (im *imports) through(path string, e *edge) string {
	guard := e.guards.guard()
	inner, found := strings.CutPrefix(path, "self::")
	if !found {
		return guard
	}
	name, _, _ := strings.Cut(inner, "::")
	return both(guard, im.conditional[name].guard())
}

var tools = set("rustfmt", "clippy", "rustdoc", "miri", "diagnostic", "rust_analyzer")

// tool returns the index after a tool or lint path in an attribute; i if there is none.
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
