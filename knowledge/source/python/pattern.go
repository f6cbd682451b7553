package python

import "github.com/causaldocs/causal/knowledge/source"

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

// patternName reads a class, a dotted constant, an attribute name or a captured name.
func (w *walker) patternName(i, from, to int) int {
	last := w.chain(i, to)
	switch {
	case w.isOp(last+1, to, '('):
		w.use(i, last, source.AsType)
	case last > i:
		w.use(i, last, source.AsValue)
	case w.isOp(i+1, to, '=') || w.text(i) == "_":
	case i > from && w.isOp(i-1, to, '.'):
		w.selected(i, source.AsValue)
	default:
		w.bindOther(i)
	}
	return last
}
