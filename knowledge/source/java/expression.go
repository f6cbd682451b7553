package java

// maxDepth limits the nesting of expressions and statements; deeper code is skipped.
const maxDepth = 200

// deeper enters one nesting level if allowed; the caller must call shallower after true.
func (w *walker) deeper() bool {
	if w.depth >= maxDepth {
		return false
	}
	w.depth++
	return true
}

func (w *walker) shallower() { w.depth-- }

// expression reads from i to a token that ends every expression: a closing bracket, comma, semicolon, case arrow, or
// unmatched colon.
func (w *walker) expression(i int32) int32 {
	if !w.deeper() {
		return w.over(i)
	}
	defer w.shallower()
	for questions := 0; ; {
		switch w.kind(i) {
		case 0, ';', ')', ']', '}', ',':
			return i
		case ':':
			if questions == 0 {
				return i
			}
			questions--
			i++
		case '?':
			questions++
			i++
		case word:
			i = w.wordOf(i)
		case '(', '{', '[', text, block:
			i = w.primary(i)
		case '@':
			i = w.annotation(i)
		case operator:
			if w.isArrow(i) {
				return i
			}
			i++
		default:
			i++
		}
	}
}

// over skips an expression.
func (w *walker) over(i int32) int32 {
	for {
		switch w.kind(i) {
		case 0, ';', ')', ']', '}', ',', ':':
			return i
		case '(', '{', '[':
			i = w.ends[i]
		case operator:
			if w.isArrow(i) {
				return i
			}
			i++
		default:
			i++
		}
	}
}

func (w *walker) isArrow(i int32) bool {
	return w.kind(i) == operator && w.src[w.toks[i].start] == '-' && w.src[w.toks[i].end-1] == '>'
}

func (w *walker) isReference(i int32) bool {
	return w.kind(i) == operator && w.src[w.toks[i].start] == ':'
}

func (w *walker) list(i, end int32) {
	defer func(was bool) { w.inLabel = was }(w.inLabel)
	w.inLabel = false
	for i < end {
		n := w.expression(i)
		if n >= end || w.kind(n) == 0 {
			return
		}
		i = n + 1
	}
}

func (w *walker) group(i int32) int32 {
	end := w.ends[i]
	w.list(i+1, end-1)
	return end
}

func (w *walker) wordOf(i int32) int32 {
	id := w.ids[i]
	if w.has(id, wordReserved|wordPrimitive) {
		switch id {
		case idNew, idThis, idSuper, idSwitch:
			return w.primary(i)
		case idInstanceof:
			return w.pattern(i+1, true)
		}
		return i + 1
	}
	if w.isArrow(i+1) && !w.inLabel {
		vars, types := w.mark()
		w.bind(id, 0)
		end := w.lambdaBody(i + 2)
		w.release(vars, types)
		return end
	}
	return w.primary(i)
}

func (w *walker) primary(i int32) int32 {
	i, op := w.operand(i)
	i, _ = w.selections(i, op)
	return i
}

func (w *walker) operand(i int32) (int32, operand) {
	switch w.kind(i) {
	case '(':
		return w.parenthesis(i)
	case '{', '[':
		return w.group(i), operand{}
	case text, block:
		return i + 1, operand{ofType, closed}
	}
	id := w.ids[i]
	switch id {
	case idNew:
		return w.creation(i+1, 0)
	case idSwitch:
		return w.switchOf(i), operand{}
	case idThis, idSuper:
		return w.self(i, id == idSuper)
	}
	if w.kind(i+1) == '(' {
		return w.call(i, id), operand{}
	}
	return i + 1, w.first(i, id)
}
