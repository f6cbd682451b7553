package cfamily

type declarator struct {
	title      int
	from, to   int // the first declarator's range includes the specifiers
	specifiers int // end of the specifiers
	equals     int // start of the initializer, or -1
	pointer    bool
}

// maxDeclarators limits the names of one declaration, because each has the whole declaration as content.
const maxDeclarators = 64

// declarators lists the names declared in [from:to). typed means that the type precedes from.
func (o *outline) declarators(from, to int, typed bool) []declarator {
	var out []declarator
	specifiers := from
	for i := from; i < to && len(out) < maxDeclarators; {
		d, next := o.declarator(i, to, typed)
		if d.title >= 0 {
			if len(out) == 0 {
				specifiers = o.beforePointers(d.title, from)
			}
			d.specifiers = specifiers
			out = append(out, d)
		}
		typed = typed || len(out) > 0
		i = next + 1
	}
	return out
}

func (o *outline) beforePointers(i, from int) int {
	for i > from && (o.is(i-1, '*') || o.is(i-1, '&') || o.is(i-1, opAnd) || o.is(i-1, '(')) {
		i--
	}
	return i
}

func (o *outline) declarator(from, to int, typed bool) (d declarator, next int) {
	d = declarator{title: -1, from: from, to: to, equals: -1}
	r := &reader{outline: o, declarator: &d, typed: typed, limit: to}
	i := from
	for i < to && !o.is(i, ',') {
		i = max(r.token(i), i+1)
	}
	d.to = min(i, to)
	return d, min(i, to)
}

// reader is the state of reading one declarator.
type reader struct {
	*outline
	*declarator
	limit int
	typed bool
	fixed bool
	// certain says that a definite type precedes the name, not a word that may be a macro.
	certain bool
}

func (r *reader) token(i int) int {
	t := r.tokens[i]
	switch {
	case t.kind == identifier:
		return r.take(i, t.id)
	case t.kind != punctuation:
		return i + 1
	}
	switch t.id {
	case '(':
		return r.parenthesis(i)
	case '[':
		r.fixed = r.fixed || r.title >= 0
		return r.after(i)
	case '{':
		if r.equals < 0 && r.title >= 0 {
			r.equals = i
		}
		return r.after(i)
	case '=':
		if r.equals < 0 {
			r.equals, r.fixed = i, true
		}
	case ':':
		r.fixed = true
	case '<':
		if r.equals < 0 && r.name(i-1) {
			if next := r.angle(i); next > 0 {
				r.typed, r.title = true, -1
				return next
			}
		}
	case '*', '&', opAnd:
		r.pointer = r.pointer || !r.fixed
	}
	return i + 1
}

func (r *reader) take(i int, id uint8) int {
	if r.fixed {
		return i + 1
	}
	switch id {
	case none:
		if r.typed && r.title == i-1 && r.title >= 0 && r.certain && looksMacro(r.spell(i)) && !looksMacro(r.spell(i-1)) {
			r.fixed = true // a macro after the name
			return i + 1
		}
		if r.typed {
			r.title = i
		} else {
			r.typed, r.certain = true, !looksMacro(r.spell(i))
		}
	case kwType, kwCPPType, kwTypename:
		r.typed, r.certain = true, true
	case kwTypeof, kwCPPTypeof, kwAttribute, kwCPPAttribute:
		r.typed = r.typed || id == kwTypeof || id == kwCPPTypeof
		for i+1 < r.limit && r.tokens[i+1].kind == identifier && r.tokens[i+1].id == kwQualifier {
			i++
		}
		if r.is(i+1, '(') {
			return r.after(i + 1)
		}
	case kwStruct, kwUnion, kwEnum, kwClass:
		r.typed = true
		first := i == r.from
		for i = r.attributes(i + 1); i < r.limit && (r.name(i) || r.is(i, opScope)); i++ {
			if first && r.macroBefore(i) {
				first = false
				continue
			}
			if !r.is(i, opScope) && !r.is(i+1, opScope) {
				return i + 1
			}
		}
		return i
	}
	return i + 1
}

// attributes skips attributes between a record's keyword and its name.
func (r *reader) attributes(i int) int {
	for i < r.limit {
		switch {
		case r.is(i, '[') && r.is(i+1, '['):
			i = r.after(i)
		case r.is(i+1, '(') && (r.word(i, kwAttribute) || r.word(i, kwCPPAttribute) || r.capitals(i) && r.name(r.after(i+1))):
			i = r.after(i + 1)
		default:
			return i
		}
	}
	return i
}

func (r *reader) capitals(i int) bool { return r.name(i) && looksMacro(r.spell(i)) }

// macroBefore distinguishes an attribute macro, `class EXPORT Name;`, from a type name. Only spelling helps: such a
// declaration of a struct may also be a variable, with a lower-case name.
func (r *reader) macroBefore(i int) bool {
	if !r.cpp || !r.capitals(i) || !r.name(i+1) || !r.is(i+2, ';') {
		return false
	}
	c := r.spell(i + 1)[0]
	return r.word(r.from, kwClass) || c >= 'A' && c <= 'Z'
}

// parenthesis reads (*name)(…) or name(…), or skips a macro argument.
func (r *reader) parenthesis(i int) int {
	after := r.after(i)
	if r.fixed || r.equals >= 0 {
		return after
	}
	w := &walk{outline: r.outline, shape: &shape{title: -1, params: -1}, limit: r.limit, typed: r.typed}
	if r.typed && (w.declarator(i, after) || r.is(after, '(') && r.name(i+1) && r.is(i+2, ')')) {
		w.inner(i)
		if w.title >= 0 {
			r.title, r.fixed, r.pointer = w.title, true, true
		}
		return after
	}
	if r.title == i-1 && r.title >= 0 {
		r.fixed = true
	}
	return after
}
