package java

func (w *walker) parenthesis(i int32) (int32, operand) {
	end := w.ends[i]
	if w.isArrow(end) && !w.inLabel {
		return w.lambda(i), operand{}
	}
	if w.isCast(i) {
		d := w.castType(i+1, end-1)
		if w.kind(end) == '(' && !w.deeper() {
			return w.ends[end], operand{}
		} else if w.kind(end) == '(' {
			defer w.shallower()
		}
		if w.startsOperand(end) {
			return w.castOperand(end), valueOf(d)
		}
		return end, operand{}
	}
	if !w.deeper() {
		return end, operand{}
	}
	defer w.shallower()
	first := i + 1
	if k := w.kind(first); k == '(' || k == word && w.startsOperand(first) {
		next, op := w.operand(first)
		next, op = w.selections(next, op)
		if next == end-1 && op.is == ofType {
			return end, op
		}
		first = next
	}
	w.list(first, end-1)
	return end, operand{}
}

func (w *walker) castOperand(i int32) int32 {
	if w.kind(i) == word && w.isArrow(i+1) {
		return w.wordOf(i)
	}
	return w.primary(i)
}

func (w *walker) startsOperand(i int32) bool {
	switch w.kind(i) {
	case '(', text, block:
		return true
	case word:
		if w.isArrow(i+1) && !w.inLabel {
			return false
		}
		switch id := w.ids[i]; id {
		case idNew, idThis, idSuper, idSwitch:
			return true
		default:
			return !w.has(id, wordReserved|wordPrimitive)
		}
	}
	return false
}

func (w *walker) isCast(i int32) bool {
	end := w.ends[i]
	if k := w.kind(i + 1); k != word && k != '@' {
		return false
	}
	at := w.typeEnd(i + 1)
	for at > 0 && at < end && w.kind(at) == '&' {
		at = w.typeEnd(at + 1)
	}
	if at != end-1 || w.kind(end-1) != ')' {
		return false
	}
	switch w.kind(end) {
	case word:
		return w.ids[end] != idInstanceof
	case '(', text, block, number, '!', '~':
		return true
	case '+', '-', operator:
		return w.has(w.ids[i+1], wordPrimitive) && w.kind(i+2) == ')' && !w.isArrow(end)
	}
	return false
}

func (w *walker) castType(i, end int32) dotted {
	i, d := w.typeName(i)
	for i < end && w.kind(i) == '&' {
		i, _ = w.typeName(i + 1)
		d = 0
	}
	return d
}

func (w *walker) lambda(i int32) int32 {
	vars, types := w.mark()
	defer w.release(vars, types)
	end := w.ends[i]
	if w.kind(i+1) == word && (w.kind(i+2) == ',' || w.kind(i+2) == ')') {
		for k := i + 1; k < end-1; k++ {
			w.bind(w.ids[k], 0)
		}
	} else {
		w.parameters(i)
	}
	return w.lambdaBody(end + 1)
}

// lambdaBody reads a lambda's body, which runs later.
func (w *walker) lambdaBody(i int32) int32 {
	w.apart++
	defer func() { w.apart-- }()
	if w.kind(i) == '{' {
		return w.blockAt(i)
	}
	return w.expression(i)
}
