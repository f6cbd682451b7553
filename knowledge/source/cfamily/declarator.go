package cfamily

// declarator is one of the names that a declaration introduces.
type declarator struct {
	title      int
	from, to   int // its part of the declaration; the first one's includes the specifiers
	specifiers int // where the specifiers of the declaration end
	equals     int // its initialiser, -1 without
	pointer    bool
}

// maxDeclarators bounds the names of one declaration: each of them has the whole of it for its content.
const maxDeclarators = 64

// declarators lists the names that tokens [from:to) declare. typed says that the type stands before from.
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

// beforePointers is where the '*' and '&' before a name begin.
func (o *outline) beforePointers(i, from int) int {
	for i > from && (o.is(i-1, '*') || o.is(i-1, '&') || o.is(i-1, opAnd) || o.is(i-1, '(')) {
		i--
	}
	return i
}

// declarator reads one name and its initialiser; next is the comma behind it, or to.
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

// reader is one declarator under way.
type reader struct {
	*outline
	*declarator
	limit int
	typed bool
	fixed bool // the name is certain
	// certain says that a type stands before the name, not only a word that may be a macro.
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
			r.fixed = true // a macro behind the name
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

// attributes passes over the attributes between the keyword of a record and its name.
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

// macroBefore tells a macro that stands for an attribute, `class EXPORT Name;`, from the name of a type. Nothing but
// spelling can: a variable of a class is not written so, one of a struct may be, with a small letter.
func (r *reader) macroBefore(i int) bool {
	if !r.cpp || !r.capitals(i) || !r.name(i+1) || !r.is(i+2, ';') {
		return false
	}
	c := r.spell(i + 1)[0]
	return r.word(r.from, kwClass) || c >= 'A' && c <= 'Z'
}

// parenthesis reads (*name)(…), name(…), or passes over the argument of a macro.
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
