package java

func (w *walker) blockAt(i int32) int32 {
	end := w.ends[i]
	if !w.deeper() {
		return end
	}
	vars, types := w.mark()
	w.statements(i+1, w.inner(i))
	w.release(vars, types)
	w.shallower()
	return end
}

func (w *walker) inner(i int32) int32 {
	end := w.ends[i]
	if k := w.kind(end - 1); end-1 > i && (k == '}' || k == ')') {
		end--
	}
	return end
}

func (w *walker) statements(i, end int32) int32 {
	for i < end {
		i = max(w.statement(i), i+1)
	}
	return i
}

func (w *walker) statement(i int32) int32 {
	switch w.kind(i) {
	case '{':
		return w.blockAt(i)
	case ';':
		return i + 1
	case word, '@':
	default:
		return w.finish(w.expression(i))
	}
	for w.kind(i) == word && w.kind(i+1) == ':' && w.ids[i] != idDefault {
		i += 2 // a label
	}
	if w.kind(i) == '{' {
		return w.blockAt(i)
	}
	if w.kind(i) == word {
		if next, ok := w.control(i); ok {
			return next
		}
	}
	if next, ok := w.localDeclaration(i); ok {
		return next
	}
	if w.kind(i) == word && w.ids[i] == idYield && w.yields(i+1) {
		i++
	}
	return w.finish(w.expression(i))
}

func (w *walker) finish(i int32) int32 {
	if k := w.kind(i); k == ';' || k == ',' || k == ')' || k == ']' || k == ':' {
		return i + 1
	}
	return i
}

func (w *walker) yields(i int32) bool {
	switch w.kind(i) {
	case word:
		return w.ids[i] != idInstanceof
	case text, block, number, '(', '-', '!', '~', '+':
		return true
	}
	return false
}

func (w *walker) control(i int32) (int32, bool) {
	switch w.ids[i] {
	case idIf:
		return w.ifStatement(i), true
	case idFor:
		return w.forStatement(i), true
	case idWhile:
		return w.conditioned(i), true
	case idDo, idElse, idFinally:
		return w.nestedStatement(i + 1), true
	case idTry:
		return w.tryStatement(i), true
	case idCatch:
		return w.catchClause(i), true
	case idSwitch:
		return w.finish(w.expression(i)), true
	case idSynchronized:
		i = w.condition(i + 1)
		if w.kind(i) == '{' {
			i = w.blockAt(i)
		}
		return i, true
	case idBreak, idContinue:
		if w.kind(i+1) == word {
			i++
		}
		return w.finish(i + 1), true
	case idReturn, idThrow:
		return w.finish(w.expression(i + 1)), true
	case idAssert:
		n := w.expression(i + 1)
		if w.kind(n) == ':' {
			n = w.expression(n + 1)
		}
		return w.finish(n), true
	}
	return 0, false
}

func (w *walker) nestedStatement(i int32) int32 {
	if !w.deeper() {
		return i + 1
	}
	vars, types := w.mark()
	next := w.statement(i)
	w.release(vars, types)
	w.shallower()
	return next
}

func (w *walker) condition(i int32) int32 {
	if w.kind(i) != '(' {
		return i
	}
	return w.group(i)
}

// conditioned reads a while statement. Bindings of a negated condition are in scope after it.
func (w *walker) conditioned(i int32) int32 {
	vars, types := w.mark()
	negated := w.kind(i+2) == '!'
	i = w.nestedStatement(w.condition(i + 1))
	if !negated {
		w.release(vars, types)
	}
	return i
}

// ifStatement reads an if chain. Bindings of a condition stay in scope if the guarded branch never completes.
func (w *walker) ifStatement(i int32) int32 {
	vars, types := w.mark()
	for {
		from := w.condition(i + 1)
		i = w.nestedStatement(from)
		if w.id(i) != idElse {
			if !w.leaves(from, i) {
				w.release(vars, types)
			}
			return i
		}
		if w.id(i+1) != idIf {
			i = w.nestedStatement(i + 1)
			w.release(vars, types)
			return i
		}
		i++
	}
}

// leaves reports whether a statement ends with a jump.
func (w *walker) leaves(from, to int32) bool {
	leaving := func(i int32) bool {
		switch w.id(i) {
		case idReturn, idThrow, idBreak, idContinue:
			return true
		}
		return false
	}
	if w.kind(from) != '{' {
		return leaving(from)
	}
	// Search backwards for the start of the block's last statement.
	last := to - 2
	for i := last - 1; i > from && i > last-400; i-- {
		switch w.kind(i) {
		case ';', '}', '{':
			if leaving(i + 1) {
				return true
			}
			if w.kind(i) == ';' {
				return false
			}
		}
	}
	return leaving(from + 1)
}

func (w *walker) forStatement(i int32) int32 {
	vars, types := w.mark()
	defer w.release(vars, types)
	open := i + 1
	if w.kind(open) != '(' {
		return open
	}
	end := w.inner(open)
	at, ok := w.localDeclaration(open + 1)
	if !ok {
		at = open + 1
	}
	for at < end {
		n := w.expression(at)
		if n >= end || w.kind(n) == 0 {
			break
		}
		at = n + 1
	}
	return w.nestedStatement(w.ends[open])
}

// tryStatement reads try with resources and block; catch and finally are read as separate statements.
func (w *walker) tryStatement(i int32) int32 {
	vars, types := w.mark()
	defer w.release(vars, types)
	i++
	if w.kind(i) == '(' {
		end := w.inner(i)
		for k := i + 1; k < end; {
			next, ok := w.localDeclaration(k)
			if !ok {
				next = w.finish(w.expression(k))
			}
			k = max(next, k+1)
		}
		i = w.ends[i]
	}
	if w.kind(i) == '{' {
		return w.blockAt(i)
	}
	return i
}

func (w *walker) catchClause(i int32) int32 {
	vars, types := w.mark()
	defer w.release(vars, types)
	i++
	if w.kind(i) != '(' {
		return i
	}
	k := w.modifiersAt(i + 1)
	k, d := w.typeName(k)
	for w.kind(k) == '|' {
		k, _ = w.typeName(k + 1)
		d = 0
	}
	w.bind(w.id(k), d)
	i = w.ends[i]
	if w.kind(i) == '{' {
		i = w.blockAt(i)
	}
	return i
}

func (w *walker) modifiersAt(i int32) int32 {
	for {
		switch {
		case w.kind(i) == '@' && w.kind(i+1) == word && w.text(i+1) != "interface":
			i = w.annotation(i)
		case w.kind(i) == word && w.has(w.ids[i], wordReserved) && modifierBits[w.text(i)] != 0:
			i++
		default:
			return i
		}
	}
}

func (w *walker) localDeclaration(i int32) (int32, bool) {
	at := i
	for w.kind(at) == '@' && w.kind(at+1) == word || w.kind(at) == word && w.has(w.ids[at], wordReserved) && modifierBits[w.text(at)] != 0 {
		if w.kind(at) == '@' {
			at = w.annotationEnd(at)
		} else {
			at++
		}
	}
	if kind, ok := w.typeKeyword(at); ok && w.kind(at+1) == word {
		w.modifiersAt(i)
		return w.localTypeDeclaration(at, kind), true
	}
	if w.kind(at) != word || w.has(w.ids[at], wordReserved) {
		return 0, false
	}
	name := w.typeEnd(at)
	if name < 0 || w.kind(name) != word || w.has(w.ids[name], wordReserved) {
		return 0, false
	}
	if w.ids[at] == idYield && name == at+1 {
		return 0, false
	}
	w.modifiersAt(i)
	_, d := w.typeName(at)
	return w.declarators(name, d, w.ids[at] == idVar && name == at+1), true
}

func (w *walker) declarators(i int32, d dotted, inferred bool) int32 {
	for {
		id := w.id(i)
		var typ dotted
		i, typ = w.dimensionsOf(i+1, d)
		switch {
		case w.kind(i) == ':':
			i = w.expression(i + 1)
			w.bind(id, typ)
			return i
		case inferred:
			typ = w.created(i + 1)
		}
		w.bind(id, typ)
		if w.kind(i) == '=' {
			i = w.expression(i + 1)
		}
		if w.kind(i) != ',' || w.kind(i+1) != word {
			if w.kind(i) == ';' {
				i++
			}
			return i
		}
		i++
	}
}

// created returns the type of an initializer `new Type(…);`, or 0.
func (w *walker) created(i int32) dotted {
	if w.id(i) != idNew {
		return 0
	}
	w.silent++
	next, d := w.typeName(i + 1)
	w.silent--
	if d > 0 && w.kind(next) == '(' && w.kind(w.ends[next]) == ';' {
		return d
	}
	return 0
}
