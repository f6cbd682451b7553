package java

func (w *walker) switchOf(i int32) int32 {
	i = w.condition(i + 1)
	if w.kind(i) != '{' {
		return i
	}
	end := w.ends[i]
	if !w.deeper() {
		return end
	}
	defer w.shallower()
	vars, types := w.mark()
	limit := w.inner(i)
	for i++; i < limit; {
		switch w.id(i) {
		case idCase, idDefault:
			i = w.label(i)
			if w.isArrow(i) {
				i = w.nestedStatement(i + 1)
				w.release(vars, types)
			} else if w.kind(i) == ':' {
				i++
			}
		default:
			i = max(w.statement(i), i+1)
		}
	}
	w.release(vars, types)
	return end
}

func (w *walker) label(i int32) int32 {
	if w.ids[i] == idDefault {
		return i + 1
	}
	w.inLabel = true
	defer func() { w.inLabel = false }()
	for {
		i++
		if w.isPattern(i) {
			i = w.pattern(i, true)
			if w.id(i) == idWhen {
				i = w.expression(i + 1)
			}
		} else {
			i = w.expression(i)
		}
		if w.kind(i) != ',' {
			return i
		}
	}
}

func (w *walker) isPattern(i int32) bool {
	if w.id(i) == idFinal || w.kind(i) == '@' {
		return true
	}
	if w.kind(i) != word || w.has(w.ids[i], wordReserved) {
		return false
	}
	end := w.typeEnd(i)
	return end > 0 && (w.kind(end) == word && !w.has(w.ids[end], wordReserved) || w.kind(end) == '(')
}
