package java

import "github.com/causaldocs/causal/knowledge/source"

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
	fork, arm, fell := w.Fork(), source.Branch(0), false
	for i++; i < limit; {
		switch w.id(i) {
		case idCase, idDefault:
			if !fell {
				arm = fork.Arm(false, false)
			}
			i = w.label(i)
			if w.isArrow(i) {
				i = w.in(arm, i+1, w.nestedStatement)
				w.release(vars, types)
			} else if w.kind(i) == ':' {
				fell = true
				i++
			}
		default:
			from := i
			i = max(w.in(arm, i, w.statement), i+1)
			fell = !w.leaves(from, i)
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
