package python

import (
	"slices"
	"strings"
)

type refs struct {
	reader *reader
	found  []string
}

func (r *refs) expression(from, to int) {
	x := r.reader
	for i := from; i < to; i++ {
		switch x.toks[i].kind {
		case name:
			if x.is(i+1, to, "=") && i > from && (x.is(i-1, to, "(") || x.is(i-1, to, ",")) {
				continue // keyword argument
			}
			i = r.name(i, from, to)
		case str:
			r.quoted(x.text(i))
		}
	}
}

// header reads a def or class header, without parameter names.
func (r *refs) header(h header) {
	x := r.reader
	i := h.head + 2
	if x.is(h.head, h.end, "class") {
		r.expression(i, h.end)
		return
	}
	depth, starts := 0, false
	for ; i < h.end; i++ {
		d := x.depth(i)
		depth += d
		switch {
		case d != 0 || x.is(i, h.end, ","):
			starts = depth == 1 && !x.is(i, h.end, "[") && d >= 0
		case x.toks[i].kind == name && starts:
			starts = false
		case x.toks[i].kind == name:
			i = r.name(i, h.head, h.end)
		case x.toks[i].kind == str:
			r.quoted(x.text(i))
		}
	}
}

// name adds the dotted name at token i and returns its last token.
func (r *refs) name(i, from, to int) int {
	x := r.reader
	last := i
	for x.is(last+1, to, ".") && x.isName(last+2, to) {
		last += 2
	}
	if i > from && x.is(i-1, to, ".") {
		return last // member of something other than a name
	}
	if last == i {
		r.found = append(r.found, x.text(i))
		return last
	}
	var dotted strings.Builder
	for j := i; j <= last; j++ {
		dotted.WriteString(x.text(j))
	}
	r.found = append(r.found, dotted.String())
	return last
}

const maxQuoted = 200

func (r *refs) quoted(literal string) {
	r.found = append(r.found, quotedNames(literal)...)
}

// quotedNames lists the dotted names in a string literal that looks like a type.
func quotedNames(literal string) []string {
	if len(literal) > maxQuoted {
		return nil
	}
	for i := range len(literal) {
		if c := literal[i]; !identPart[c] && strings.IndexByte(`.,[]|"' `, c) < 0 {
			return nil
		}
	}
	value, ok := stringValue(literal)
	if !ok {
		return nil
	}
	names := strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(`,[]|"' `, c) })
	return slices.DeleteFunc(names, func(n string) bool { return !identStart[n[0]] || isKeyword(n) })
}

func sortedNames(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = valid(n)
	}
	slices.Sort(out) // replacement characters may change the order
	return slices.Compact(out)
}
