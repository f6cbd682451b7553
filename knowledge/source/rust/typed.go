package rust

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// outside returns the next of some tokens outside angle brackets, or end.
func (o *outline) outside(i, end int, tokens ...string) int {
	angles := 0
	for ; i < end; i = o.after(i) {
		switch {
		case angles == 0 && slices.Contains(tokens, string(o.text(i))):
			return i
		case o.is(i, "<"):
			angles++
		case o.is(i, ">"):
			angles = max(angles-1, 0)
		}
	}
	return end
}

func (o *outline) parts(it *item, signature string) source.Parts {
	if it.form != plain && it.form != value && it.form != fields && it.form != cases || it.label <= it.first {
		return ""
	}
	l := source.NewLayout(signature, "#[")
	for i := it.first; i < it.label-1; i = o.after(i) {
		if o.class(i) == word {
			l.Modifier(o.render(i, i+1))
		}
	}
	at := it.label + 1
	if o.is(at, "<") {
		end := o.outside(at+1, it.head, ">")
		for _, m := range o.members(at+1, end, true) {
			l.TypeParam()
			o.parameterParts(l, m)
		}
		at = end + 1
	}
	switch {
	case it.form == fields || it.form == cases:
		o.memberParts(l, it)
	case it.kind == source.Trait && o.is(at, ":"):
		for end := o.outside(at, it.head, "where"); at < end; {
			from := at + 1
			at = o.outside(from, end, "+")
			l.Base(o.render(from, at))
		}
	case it.form == value:
		l.Result(o.render(at+1, it.head))
		l.Assigned()
	case o.is(at, "("):
		for _, m := range o.members(at+1, int(o.toks[at].mate), true) {
			kind := source.Plain
			if o.outside(m.first, o.outside(m.first, m.end, ":"), "self") < o.outside(m.first, m.end, ":") {
				kind = source.Receiver
			}
			l.Param(kind)
			o.parameterParts(l, m)
		}
		if at = o.after(at); o.is(at, "->") {
			l.Result(o.render(at+1, o.outside(at+1, it.head, "where")))
		}
	}
	return l.Parts()
}

// parameterParts adds a parameter's name, type and default. A lone name is a receiver, a type parameter or, in old
// traits, a parameter's type.
func (o *outline) parameterParts(l *source.Layout, m member) {
	from := m.first
	if o.is(from, "mut") || o.is(from, "const") {
		from++
	}
	end := o.outside(from, m.end, "=")
	colon := o.outside(from, end, ":")
	l.Name(o.render(from, colon))
	l.Type(o.render(colon+1, end))
	l.Default(o.render(end+1, m.end))
}

func (o *outline) memberParts(l *source.Layout, it *item) {
	i, end, bracket := o.body(it)
	if bracket != '{' {
		return
	}
	for _, m := range o.members(i, end, it.form == cases) {
		switch {
		case it.form == cases:
			l.Member()
			l.Name(o.render(m.first, m.first+1))
		case !m.visible || o.is(m.first+1, "("):
			l.Partial()
		default:
			m.first++
			l.Member()
			o.parameterParts(l, m)
		}
	}
}
