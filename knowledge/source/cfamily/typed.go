package cfamily

import "github.com/causaldocs/causal/knowledge/source"

func (b *builder) parts(e *entry, signature string) source.Parts {
	l := source.NewLayout(signature, "[[")
	at, last := e.shown[0].From, e.shown[len(e.shown)-1].To
	for b.is(at, '[') && b.is(at+1, '[') {
		at = b.after(at)
	}
	template := b.word(at, kwTemplate)
	if template {
		l.Modifier("template")
	}
	for ; b.word(at, kwStatic) || b.word(at, kwInline) || b.word(at, kwVirtual) || b.word(at, kwConstexpr) || b.word(at, kwExtern); at++ {
		if !b.word(at, kwExtern) {
			l.Modifier(b.spell(at))
		}
	}
	switch {
	case e.function:
		if !template && at < e.title {
			l.Result(b.render(span{From: at, To: e.title}))
		}
		b.callParts(l, e.params, last)
	case e.brace > 0:
		b.recordParts(l, e, at)
	case !e.value.Empty():
		l.Assigned()
	}
	return l.Parts()
}

func (b *builder) callParts(l *source.Layout, open, last int) {
	end := b.after(open)
	switch {
	case end == open+2 && !b.cpp: // a C function without a prototype takes any arguments
		l.Param(source.Variadic)
	case end != open+3 || b.spell(open+1) != "void":
		for _, s := range b.list(span{From: open + 1, To: end - 1}) {
			kind := source.Plain
			for i := s.From; i < s.To; i++ {
				if b.is(i, opEllipsis) {
					kind = source.Variadic
				}
			}
			l.Param(kind)
			b.declaredParts(l, s)
		}
	}
	for ; end < last && !b.is(end, opArrow) && !b.is(end, '='); end = b.past(end) {
		if b.word(end, kwConst) {
			l.Modifier("const")
		}
	}
	if b.is(end, '=') && end < last {
		l.Value(b.render(span{From: end + 1, To: last}))
	}
}

// past returns the index after a token or its bracket pair. Unlike after, it never goes back.
func (b *builder) past(i int) int { return max(b.after(i), i+1) }

func (b *builder) list(s span) (out []span) {
	angles, depth, from := b.angles(s.From, s.To), 0, s.From
	for i := s.From; i < s.To; i = b.past(i) {
		switch {
		case angles[i] && b.is(i, '<'):
			depth++
		case angles[i]:
			depth--
		case depth == 0 && b.is(i, ','):
			out, from = append(out, span{From: from, To: i}), i+1
		}
	}
	if from < s.To {
		out = append(out, span{From: from, To: s.To})
	}
	return out
}

func (b *builder) declaredParts(l *source.Layout, s span) {
	end := s.From
	for end < s.To && !b.is(end, '=') {
		end = b.past(end)
	}
	name := end - 1
	for name > s.From && b.is(name, ']') && int(b.match[name]) < name {
		name = int(b.match[name]) - 1
	}
	if !b.name(name) || name <= s.From || !b.typeBefore(name) {
		name = -1
	}
	if name < 0 {
		l.Type(b.render(span{From: s.From, To: end}))
	} else {
		l.Type(b.render(span{From: s.From, To: name}))
		l.Name(b.spell(name))
		l.Type(b.render(span{From: name + 1, To: end}))
	}
	if end < s.To {
		l.Default(b.render(span{From: end + 1, To: s.To}))
	}
}

func (b *builder) recordParts(l *source.Layout, e *entry, at int) {
	for ; at < e.brace && !b.is(at, ':'); at++ {
		if b.spell(at) == "final" {
			l.Modifier("final")
		}
	}
	if e.kind != source.Enum && at < e.brace {
		for _, s := range b.list(span{From: at + 1, To: e.brace}) {
			for s.From < s.To && !b.name(s.From) {
				s.From++
			}
			l.Base(b.render(s))
		}
	}
	for _, f := range e.fields {
		switch {
		case f.silent || e.kind == source.Class && f.access != "public":
		case e.kind == source.Enum:
			l.Member()
			l.Name(b.spell(f.at.From))
		default:
			b.fieldParts(l, f.at)
		}
	}
}

// fieldParts adds a declaration's fields. For several fields and for bit fields it adds only names.
func (b *builder) fieldParts(l *source.Layout, s span) {
	for i := s.From; i < s.To; i++ {
		if b.is(i, '(') || b.is(i, '{') {
			return // a function or a nested record
		}
	}
	list := b.list(s)
	for n, s := range list {
		bits := s.From
		for bits < s.To && !b.is(bits, ':') {
			bits++
		}
		switch at := bits - 1; {
		case len(list) == 1 && bits == s.To:
			l.Member()
			b.declaredParts(l, s)
		case b.name(at) && (n > 0 || at > s.From):
			l.Member()
			l.Name(b.spell(at))
		}
	}
}
