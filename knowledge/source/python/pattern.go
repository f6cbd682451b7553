package python

// pattern reads the tokens between `case` and its colon: a pattern, and the condition behind it.
func (w *walker) pattern(from, to int) {
	depth := 0
	for i := from; i < to; i++ {
		switch w.toks[i].kind {
		case op:
			depth += w.depth(i)
		case name:
			i = w.patternName(i, from, to)
		case keyword:
			if depth == 0 && w.is(i, to, "if") {
				w.expression(i+1, to, asValue, noTarget)
				return
			}
		}
	}
}

// patternName reads a name of a pattern: a class, a dotted constant, the name of an attribute, or one that is bound.
func (w *walker) patternName(i, from, to int) int {
	last := w.chain(i, to)
	switch {
	case w.isOp(last+1, to, '('):
		w.use(i, last, useType)
	case last > i:
		w.use(i, last, useValue)
	case w.isOp(i+1, to, '=') || w.text(i) == "_":
	case i > from && w.isOp(i-1, to, '.'):
		w.selected(i, useValue)
	default:
		w.bindOther(i)
	}
	return last
}
