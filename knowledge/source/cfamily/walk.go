package cfamily

func (w *walk) punctuation(j int, id uint8) int {
	switch id {
	case '(':
		after := w.after(j)
		if w.title < 0 && w.equals < 0 && w.typed &&
			(w.declarator(j, after) || w.is(after, '(') && w.name(j+1) && w.is(j+2, ')')) {
			return w.inner(j)
		}
		return after
	case '[':
		return w.after(j)
	case '=':
		if w.equals < 0 {
			w.equals = j
		}
	case ':':
		if w.params >= 0 && w.equals < 0 {
			next := w.initialisers(j + 1)
			if next > j+1 {
				w.colon = j
			}
			return next
		}
	}
	return j + 1
}

func (w *walk) declarator(paren, after int) bool {
	if !w.is(after, '(') && !w.is(after, '[') {
		return false
	}
	if w.name(paren+1) && w.name(paren+2) && w.is(paren+3, ')') && w.is(after, '(') && (w.typed || w.typedef) {
		return true // a calling convention macro
	}
	for i := paren + 1; i < after-1; i++ {
		t := w.tokens[i]
		switch {
		case t.kind == punctuation && (t.id == '*' || t.id == '^' || t.id == '&' || t.id == opAnd):
			return true
		case t.kind == identifier && t.id != kwType, t.kind == punctuation && t.id == opScope:
			if i > paren+4 {
				return false
			}
		default:
			return false
		}
	}
	return false
}

func (w *walk) inner(paren int) int {
	after := w.after(paren)
	for i := paren + 1; i < after; i++ {
		t := w.tokens[i]
		switch {
		case t.kind == punctuation && (t.id == '*' || t.id == '^' || t.id == '&' || t.id == opAnd):
			w.pointer = true
		case t.kind == identifier && t.id == kwAttribute && w.is(i+1, '('):
			i = w.after(i+1) - 1
		case w.name(i) && w.is(i+1, '('):
			w.title, w.params, w.pointer = i, i+1, false
			return after
		case w.name(i) && (w.is(i+1, ')') || w.is(i+1, '[')):
			w.title = i
			if !w.pointer {
				w.params = after
			}
			return after
		case t.kind == punctuation && t.id == '(':
			// a pointer to a function that returns a pointer: the name is further inside
		}
	}
	return after
}

func (w *walk) initialisers(i int) int {
	start := i
	for i < w.limit {
		if w.tokens[i].kind != identifier && !w.is(i, opScope) {
			return start
		}
		i = w.qualified(i)
		if !w.is(i, '(') && !w.is(i, '{') {
			return start
		}
		i = w.after(i)
		if w.is(i, opEllipsis) {
			i++
		}
		if !w.is(i, ',') {
			return i
		}
		i++
	}
	return i
}

func (w *walk) operator(j int) int {
	if w.title >= 0 || w.equals >= 0 {
		return j + 1
	}
	i := j + 1
	if w.is(i, '(') && w.is(i+1, ')') {
		i += 2
	}
	for ; i < w.limit; i++ {
		switch {
		case w.is(i, '('):
			w.title, w.params = j, i
			return w.after(i)
		case w.is(i, ';'), w.is(i, '{'), w.is(i, '}'):
			return i
		}
	}
	return i
}

// piecesPerParameter limits the tokens and groups of an old-style parameter, because a macro that looks like such a
// function may have no semicolon up to the end of the file.
const piecesPerParameter = 64

// oldStyle returns the body brace of a pre-ANSI function definition, whose parameter declarations follow the list;
// otherwise -1.
func (o *outline) oldStyle(paren int) int {
	if o.cpp || !o.name(paren+1) {
		return -1
	}
	end := o.after(paren)
	names := map[string]bool{}
	for i := paren + 1; i < end-1; i++ {
		switch {
		case o.name(i) && (o.is(i+1, ',') || o.is(i+1, ')')):
			names[o.spell(i)] = true
		case o.is(i, ','):
		default:
			return -1
		}
	}
	limit := o.top().end
	known, chunks := false, 0
	pieces := piecesPerParameter * (len(names) + 1)
	for i := end; i < limit && pieces > 0; i++ {
		pieces--
		switch t := o.tokens[i]; {
		case t.kind == identifier:
			known = known || t.id == none && names[o.spell(i)]
		case t.kind == number:
		case t.kind != punctuation:
			return -1
		case t.id == ';':
			if chunks++; !known || chunks > len(names) {
				return -1
			}
			known = false
		case t.id == '{' && o.is(i-1, ';'):
			return i
		case t.id == '(' || t.id == '[':
			known = known || t.id == '(' && o.mentions(i, names)
			i = o.after(i) - 1
		case t.id != '*' && t.id != ',':
			return -1
		}
	}
	return -1
}

func (o *outline) mentions(paren int, names map[string]bool) bool {
	for i := paren + 1; i < o.after(paren); i++ {
		if o.name(i) && names[o.spell(i)] {
			return true
		}
	}
	return false
}

// argument reports whether the first token in a parenthesis begins an expression rather than a parameter.
func (w *walk) argument(i int) bool {
	if !w.cpp || i >= w.limit {
		return false
	}
	t := w.tokens[i]
	switch t.kind {
	case number, text, character:
		return true
	case identifier:
		return t.id == kwCPPOther
	}
	return t.id == '&' || t.id == '*' || t.id == '-' || t.id == '{'
}

// constructor reports whether the name at j is a constructor or destructor, which has no type.
func (w *walk) constructor(j int) bool {
	if w.is(j-1, '~') || w.is(j-1, opScope) {
		return true
	}
	s := w.top()
	return s.kind == recordScope && s.name != "" && w.spell(j) == s.name
}

// recordKeyword reads struct, union, class or enum: a definition leads to its brace; any other use is a type.
func (w *walk) recordKeyword(j int) int {
	if w.title < 0 && w.equals < 0 && w.record < 0 {
		if brace := w.definition(j); brace > 0 {
			w.record, w.brace = j, brace
			return brace
		}
	}
	i := j + 1
	if w.tokens[j].id == kwEnum && i < w.limit && (w.word(i, kwClass) || w.word(i, kwStruct)) {
		i++
	}
	for i < w.limit && w.tokens[i].kind == identifier && (w.tokens[i].id == kwAttribute || w.tokens[i].id == kwCPPAttribute) {
		i++
		if w.is(i, '(') {
			i = w.after(i)
		}
	}
	if !w.name(i) || w.is(i+1, opScope) || w.is(i+1, '<') {
		return i
	}
	return i + 1
}

func (w *walk) definition(j int) int {
	i := j + 1
	if w.tokens[j].id == kwEnum && i < w.limit && (w.word(i, kwClass) || w.word(i, kwStruct)) {
		i++
	}
	bases := false
	for i < w.limit {
		t := w.tokens[i]
		switch {
		case w.is(i, '{'):
			return i
		case t.kind == identifier && (recordKinds.Get()[t.id] != "" || t.id == kwOperator):
			return -1
		case t.kind == identifier:
			i = w.headWord(i, bases)
			if i < 0 {
				return -1
			}
		case w.is(i, ':'):
			bases = true
			i++
		case w.is(i, '<'):
			if i = w.angle(i); i < 0 {
				return -1
			}
		case w.is(i, '['):
			if !w.is(i+1, '[') {
				return -1
			}
			i = w.after(i)
		case w.is(i, opScope), bases && (w.is(i, ',') || w.is(i, opEllipsis)):
			i++
		default:
			return -1
		}
	}
	return -1
}

// headWord skips a word of a record's head; with an argument, it must be an attribute or a macro before the name.
func (w *walk) headWord(i int, bases bool) int {
	next := i + 1
	if !w.is(next, '(') {
		return next
	}
	after := w.after(next)
	id := w.tokens[i].id
	if id == kwAttribute || id == kwCPPAttribute || id == kwTypeof || id == kwCPPTypeof || bases {
		return after
	}
	if id == none && w.name(after) && (w.is(after+1, '{') || w.is(after+1, ':') || w.is(after+1, '<') || w.word(after+1, kwTrailing)) {
		return after
	}
	return -1
}

// open classifies a brace at declaration level; done means that the declaration ends with it.
func (w *walk) open(j int) (next int, done bool) {
	after := w.after(j)
	switch {
	case j == w.brace:
		return after, false
	case w.equals >= 0 && !w.is(w.equals, '('):
		return after, false
	case w.params >= 0:
		w.body = j
		for after < w.limit && w.tokens[after].kind == identifier && w.spell(after) == "catch" && w.is(after+1, '(') {
			after = w.after(after + 1)
			if w.is(after, '{') {
				after = w.after(after)
			}
		}
		w.end, w.next = after, after
		return after, true
	case w.cpp && w.typed && (w.is(after, ';') || w.is(after, ',')):
		w.equals = j
		return after, false
	}
	w.opaque = w.brace < 0
	w.end, w.next = after, after
	return after, true
}
