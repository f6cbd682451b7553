package cfamily

// shape is the structure of a declaration, as token indexes; -1 for missing parts.
type shape struct {
	start, end, next                                              int // end is after the last token
	head                                                          int // after the template header
	title                                                         int // the declared name, if a parenthesis identifies it
	params                                                        int // the parenthesis of the parameters
	body                                                          int // the brace of the function body
	record                                                        int // the struct, union, class or enum keyword of a definition
	brace                                                         int // the brace of the record
	equals                                                        int // start of the initializer
	colon                                                         int // start of a constructor's member initializers
	pointer                                                       bool
	typedef, using, friend, static, external, constant, constexpr bool
	opaque                                                        bool // nothing is declared: assertions, instantiations
	bare                                                          bool // no type precedes the name: a macro, or C before C99
}

func (o *outline) scan(i int) shape {
	s := shape{start: i, head: i, title: -1, params: -1, body: -1, record: -1, brace: -1, equals: -1, colon: -1}
	w := &walk{outline: o, shape: &s, limit: o.top().end}
	w.run(i)
	s.end = min(s.end, w.limit)
	return s
}

type walk struct {
	*outline
	*shape
	limit int
	typed bool // a possible type has been read
}

func (w *walk) run(i int) {
	for j := w.templates(i); j < w.limit; {
		t := w.tokens[j]
		next := j + 1
		switch {
		case t.kind == identifier:
			next = w.identifier(j)
		case t.kind != punctuation:
		case t.id == ';':
			w.end, w.next = j, j+1
			return
		case t.id == '}':
			w.end, w.next = j, j
			return
		case t.id == '{':
			var done bool
			if next, done = w.open(j); done {
				return
			}
		default:
			next = w.punctuation(j, t.id)
		}
		j = max(next, j+1)
	}
	w.end, w.next = w.limit, w.limit
}

func (w *walk) templates(i int) int {
	for w.word(i, kwTemplate) && i+1 < w.limit {
		if !w.is(i+1, '<') {
			w.opaque = true // an explicit instantiation
			return i + 1
		}
		next := w.angle(i + 1)
		if next < 0 {
			return i + 1
		}
		if next+1 < w.limit && w.word(next, kwRequires) {
			next = w.requirement(next + 1)
		}
		i, w.head = next, next
	}
	return i
}

// requirement skips a requires clause's constraint: terms joined by && and ||.
func (w *walk) requirement(i int) int {
	for i < w.limit {
		switch {
		case w.is(i, '('):
			i = w.after(i)
		case w.word(i, kwRequires):
			i++
			if w.is(i, '(') {
				i = w.after(i)
			}
			if w.is(i, '{') {
				i = w.after(i)
			}
		default:
			i = w.qualified(i)
			if w.is(i, '(') && w.is(i-1, '>') {
				i = w.after(i)
			}
		}
		if !w.is(i, opAnd) && !(i+1 < w.limit && w.tokens[i].kind == punctuation && w.spell(i) == "||") {
			return i
		}
		i++
	}
	return i
}

func (w *walk) qualified(i int) int {
	for i < w.limit {
		switch {
		case w.is(i, '!'), w.tokens[i].kind == identifier, w.is(i, opScope):
			i++
			if w.is(i, '<') {
				if next := w.angle(i); next > 0 {
					i = next
				}
			}
			if !w.is(i, opScope) && !w.is(i-1, opScope) && !w.is(i-1, '!') {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// angle returns the end of the template arguments at i, or -1 if the '<' is an operator.
func (o *outline) angle(i int) int {
	if i < o.noAngle {
		return -1
	}
	depth := 0
	end := o.top().end
	j := i
scan:
	for ; j < end; j++ {
		t := o.tokens[j]
		if t.kind != punctuation {
			continue
		}
		switch t.id {
		case '<':
			depth++
		case '>', opGreaterEqual:
			if depth--; depth == 0 {
				return j + 1
			}
		case '(', '[':
			j = o.after(j) - 1
		case '{':
			if !o.is(j-1, ')') && !o.name(j-1) && !o.is(j-1, '>') {
				break scan
			}
			j = o.after(j) - 1
		case ';', '}':
			break scan
		}
	}
	o.noAngle = j
	return -1
}

func (w *walk) identifier(j int) int {
	t := w.tokens[j]
	next := j + 1
	switch t.id {
	case kwStatic:
		w.static = true
	case kwExtern:
		w.external = true
		if next < w.limit && w.tokens[next].kind == text {
			next++
		}
	case kwTypedef:
		w.typedef = true
	case kwConst:
		w.constant = w.constant || w.title < 0
	case kwConstexpr:
		w.constexpr, w.typed = true, w.typed || !w.cpp
	case kwFriend:
		w.friend = true
	case kwUsing:
		w.using = w.using || !w.typed
	case kwAssert:
		w.opaque = true
	case kwAttribute, kwTypeof, kwCPPAttribute, kwCPPTypeof:
		w.typed = w.typed || t.id == kwTypeof || t.id == kwCPPTypeof
		for next < w.limit && w.tokens[next].kind == identifier && w.tokens[next].id == kwQualifier {
			next++
		}
		if w.is(next, '(') {
			next = w.after(next)
		}
	case kwTrailing, kwRequires:
		if t.id == kwRequires && w.cpp {
			return w.requirement(next)
		}
		if w.is(next, '(') {
			next = w.after(next)
		}
	case kwStruct, kwUnion, kwEnum, kwClass:
		w.typed = true
		return w.recordKeyword(j)
	case kwOperator:
		return w.operator(j)
	case kwType, kwCPPType, kwTypename:
		w.typed = true
	case none:
		return w.plain(j)
	}
	return next
}

func (w *walk) plain(j int) int {
	if w.is(j+1, '<') && w.equals < 0 {
		if next := w.angle(j + 1); next > 0 {
			if !w.is(next, '(') && !w.is(next, opScope) {
				w.typed = true
			}
			if w.is(next, '(') && w.title < 0 && w.equals < 0 {
				return w.callee(j, next)
			}
			return next
		}
	}
	if w.is(j+1, '(') && w.title < 0 && w.equals < 0 {
		return w.callee(j, j+1)
	}
	if w.title < 0 && !w.is(j+1, opScope) && !w.is(j+1, '(') {
		w.typed = true
	}
	return j + 1
}

// callee classifies `name (`: the function's name, a type before a parenthesized declarator, or a macro for a type or
// attribute.
func (w *walk) callee(j, paren int) int {
	after := w.after(paren)
	switch {
	case w.declarator(paren, after):
		w.typed = true
		return w.inner(paren)
	case w.typed, w.constructor(j):
		w.setName(j, paren)
	case after < w.limit && (w.tokens[after].kind == identifier && w.tokens[after].id != kwTrailing &&
		w.tokens[after].id != kwConst || w.is(after, '*')) && w.oldStyle(paren) < 0:
		w.typed = true // a macro for the type
	default:
		w.setName(j, paren)
	}
	if next := w.oldStyle(paren); w.params == paren && next > 0 {
		return next
	}
	return after
}

func (w *walk) setName(j, paren int) {
	if w.argument(paren+1) && w.typed {
		w.equals = paren // an object with constructor arguments
		return
	}
	w.title, w.params = j, paren
	w.bare = !w.typed && !w.constructor(j)
	// __REDIRECT (name, (parameters), alias): the macro's first argument is the name.
	if looksMacro(w.spell(j)) && w.aliased(paren) {
		w.title, w.params = paren+1, paren+3
	}
}

func (w *walk) aliased(paren int) bool {
	return w.name(paren+1) && w.is(paren+2, ',') && w.is(paren+3, '(')
}
