package cfamily

import "github.com/causaldocs/causal/knowledge/source"

func (u *uses) templateHeader(i, to int) int {
	for u.outline.word(i, kwTemplate) && u.is(i+1, '<') {
		end := u.angle(i + 1)
		if end < 0 || end > to {
			return i
		}
		for k := i + 2; k < end-1; {
			next := k
			for depth := 0; next < end-1 && (depth > 0 || !u.is(next, ',')); next++ {
				switch {
				case u.is(next, '<'):
					depth++
				case u.is(next, '>'):
					depth--
				}
			}
			u.templateParameter(k, next)
			k = next + 1
		}
		i = end
	}
	return i
}

func (u *uses) templateParameter(from, to int) {
	title := -1
	for k := from; k < to && !u.is(k, '='); k++ {
		if u.name(k) {
			title = k
		}
	}
	how := source.AsType
	for k := from; k < to; k++ {
		if u.is(k, '=') && !u.outline.word(from, kwTypename) && !u.outline.word(from, kwClass) {
			how = source.AsValue
		}
		if u.name(k) && k != title {
			u.free(u.id(k), how, k)
		}
	}
	if title >= 0 {
		u.bind(u.id(title))
	}
}

func (u *uses) record(e *entry, from int) {
	last := -1
	for i := from; i < e.brace && !u.is(i, ':'); i++ {
		if u.name(i) {
			last = i
		}
	}
	u.types = true
	for i := from; i < e.brace; i++ {
		if u.name(i) && i != last {
			i = u.identifier(i) - 1
		}
	}
	u.types = false
	kind := inRecord
	if e.kind == source.Enum {
		kind = inEnum
	}
	end := min(int(u.match[e.brace]), e.end)
	u.frames = append(u.frames[:0], frame{end: end, kind: kind})
	u.start = true
	u.walk(e.brace+1, end)
	if tail := min(u.past(e.brace), e.end); tail < e.end {
		u.titles(tail, e.end, true)
		u.walk(tail, e.end)
	}
}

func (u *uses) function(e *entry, from int) {
	u.types = true
	for i := from; i < e.title; i++ {
		if u.name(i) {
			i = u.identifier(i) - 1
		} else if u.tokens[i].id == kwAttribute && u.tokens[i].kind == identifier && u.is(i+1, '(') {
			i = u.past(i+1) - 1
		}
	}
	u.types = false
	if e.params < e.start || e.params >= e.end {
		return
	}
	u.parameters(e.params)
	u.frames = u.frames[:0]
	body := e.end
	if e.body > e.params {
		body, u.body = min(e.body, e.end), e.body
	}
	for i := min(u.past(e.params), body); i < body; {
		if u.tokens[i].kind == identifier && !u.outline.word(i, kwConst) {
			u.start, u.types = false, !u.cpp // parameters before ANSI C
			i = u.identifier(i)
		} else {
			i++
		}
	}
	u.walk(body, e.end)
}

func (u *uses) parameters(paren int) {
	if u.depth >= maxScopes {
		return
	}
	u.depth++
	end := u.past(paren) - 1
	for i := paren + 1; i < end; {
		d, next := u.declarator(i, end, false)
		title := d.title
		if title < 0 && next == i+1 && u.name(i) && u.oldStyle(paren) > 0 {
			title = i // C before 1989
		}
		stop := next
		if d.equals >= 0 {
			stop = min(d.equals, next)
		}
		u.typeTokens(i, stop, title)
		if title >= 0 {
			u.bind(u.id(title))
		}
		for k := stop; k < next; k++ {
			if u.name(k) {
				k = u.identifier(k) - 1
			}
		}
		i = next + 1
	}
	u.depth--
}

// typeTokens records a parameter's types; parameters of a function pointer are bound temporarily.
func (u *uses) typeTokens(from, to, title int) {
	u.types = true
	for i := from; i < to; i++ {
		switch {
		case i == title:
		case u.name(i):
			i = u.identifier(i) - 1
		case u.is(i, '(') && u.is(i-1, ')'):
			n := len(u.locals)
			u.types = false
			u.parameters(i)
			u.types = true
			u.release(n)
			i = min(u.past(i), to) - 1
		}
	}
	u.types = false
}
