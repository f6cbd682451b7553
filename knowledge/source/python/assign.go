package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// assign reads a statement that may bind names: plain, annotated and augmented assignments, type aliases and
// expression statements.
func (w *walker) assign(from, to int) {
	if w.isWord(from, "type") && w.isName(from+1, to) {
		w.aliasOf(from, to)
		return
	}
	value, annotation, augmented := w.shape(from, to)
	switch {
	case augmented > 0:
		if augmented == from+1 && w.isName(from, to) {
			w.augment(from)
		} else {
			w.expression(from, augmented, asValue, noTarget)
		}
		w.expression(augmented+1, to, asValue, noTarget)
	case annotation > 0:
		w.annotated(from, annotation, value, to)
	default:
		for start := from; start < value; {
			end := w.topLevel(start, value, "=")
			w.expression(start, end, asValue, bindTarget)
			start = end + 1
		}
		if value == from+2 && w.isName(from, to) {
			w.constructed(from, value, to)
		}
		w.expression(value, to, asValue, noTarget)
	}
}

// shape finds the start of an assigned value, after the last equals sign, and the annotation colon or the augmented
// operator; 0 means none.
func (w *walker) shape(from, to int) (value, annotation, augmented int) {
	value = from
	depth := 0
	for i := from; i < to; i++ {
		t := w.toks[i]
		switch {
		case t.kind == keyword && depth == 0 && w.text(i) == "lambda":
			return value, annotation, augmented // no target can follow
		case t.kind != op:
		case t.end-t.start > 1:
			if depth == 0 && value == from && annotation == 0 && w.isAugmented(i) {
				return value, annotation, i
			}
		default:
			switch w.src[t.start] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth--
			case '=':
				if depth == 0 {
					value = i + 1
				}
			case ':':
				if depth == 0 && value == from && annotation == 0 {
					annotation = i
				}
			}
		}
	}
	return value, annotation, augmented
}

func (w *walker) annotated(from, annotation, value, to int) {
	end := to
	if value > annotation {
		end = value - 1
	} else {
		value = to
	}
	if annotation == from+1 && w.isName(from, to) {
		w.bind(from)
		if s := w.space(); s.kind == inFunction {
			w.typed = append(w.typed, typedName{word: w.word(from), base: w.typeAt(annotation+1, end, false)})
		}
	} else {
		w.expression(from, annotation, asValue, noTarget)
	}
	w.expression(annotation+1, end, asAnnotation, noTarget)
	w.expression(value, to, asValue, noTarget)
}

// augment reads the target of an augmented assignment. It binds the name in a function; in a module or class it uses
// an existing name, unless that is the statement's own symbol.
func (w *walker) augment(i int) {
	if w.space().kind == inFunction {
		w.bind(i)
		return
	}
	if w.owner < 0 || w.symbol == 0 || int(w.at[w.symbol-1]) != i {
		w.use(i, i, source.AsValue)
	}
}

func (w *walker) aliasOf(from, to int) {
	w.bind(from + 1)
	start, inner := len(w.uses), len(w.inner)
	i := w.typeParameters(from+2, to)
	for ; i < to && !w.is(i, to, "="); i++ {
	}
	w.expression(min(i+1, to), to, asType, noTarget)
	w.closeInner(start, inner, -1, -1)
}

// constructed records a local variable that is assigned the result of a call: if the callee is a class of the module,
// the variable has that type.
func (w *walker) constructed(from, value, to int) {
	if w.space().kind != inFunction || !w.isName(value, to) {
		return
	}
	if !w.isOp(value+1, to, '(') || w.closes(value+1, to) != to-1 {
		return
	}
	w.bases = append(w.bases, base{first: int32(value), last: int32(value), root: w.word(value), constructor: true})
	w.typed = append(w.typed, typedName{word: w.word(from), base: int32(len(w.bases) - 1)})
}

// chain returns the last token of the dotted name at token i.
func (w *walker) chain(i, to int) int {
	for w.isOp(i+1, to, '.') && w.isName(i+2, to) {
		i += 2
	}
	return i
}

func (w *walker) dottedText(first, last int32) string {
	i := first
	for i < last && w.toks[i].end == w.toks[i+1].start {
		i++
	}
	if i == last {
		return w.src[w.toks[first].start:w.toks[last].end]
	}
	var b strings.Builder
	for i := first; i <= last; i++ {
		b.WriteString(w.text(int(i)))
	}
	return b.String()
}
