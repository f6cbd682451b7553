package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

const maxAnnotation = 1000

func (w *walker) quoted(i int) {
	first, end, ok := w.unquoted(i)
	if ok {
		w.expression(first, end, asAnnotation, noTarget)
	}
}

// unquoted reads the text of a string literal into tokens appended after those of the file.
func (w *walker) unquoted(i int) (first, end int, ok bool) {
	t := w.toks[i]
	literal := w.src[t.start:t.end]
	quote := strings.IndexAny(literal, `"'`)
	if quote < 0 || quote > 1 || len(literal) > maxAnnotation || strings.IndexByte(literal, '\\') >= 0 || strings.ContainsAny(literal[:quote], "bB") {
		return 0, 0, false
	}
	width := 1
	if len(literal) >= quote+6 && literal[quote] == literal[quote+1] && literal[quote] == literal[quote+2] {
		width = 3
	}
	from, to := quote+width, len(literal)-width
	for from < to && literal[from] == ' ' {
		from++
	}
	if from >= to || !identStart[literal[from]] && literal[from] != '"' && literal[from] != '\'' && literal[from] != '(' {
		return 0, 0, false
	}
	y := newReader(w.meter, literal[from:to], "")
	y.line = t.line
	y.lex()
	if y.problem.Found() || len(y.lines) != 1 || y.lines[0].colon >= 0 || y.lines[0].semicolons || !y.expressionLike() {
		return 0, 0, false
	}
	first = len(w.toks)
	for _, inner := range y.toks {
		inner.start, inner.end = inner.start+t.start+int32(from), inner.end+t.start+int32(from)
		w.toks = append(w.toks, inner)
	}
	return first, len(w.toks), true
}

// expressionLike reports whether operands and operators alternate: adjacent words are prose.
func (x *reader) expressionLike() bool {
	for i, t := range x.toks {
		operand := t.kind == name || t.kind == number || t.kind == str
		if operand && i > 0 && x.endsOperand(i-1) && !(t.kind == str && x.toks[i-1].kind == str) {
			return false
		}
		if t.kind == junk || t.kind == keyword && !x.endsOperand(i) {
			return false
		}
	}
	last := len(x.toks) - 1
	return x.endsOperand(last) || x.is(last, last+1, "...")
}

// opaqueTypes give no information about the members of a value, or the value has other members than the type.
var opaqueTypes = lazy.Set(`
Any object type Type Union Callable ClassVar Final Annotated Literal Self AnyStr TypeVar Required NotRequired
ReadOnly TypeGuard TypeIs InitVar Never NoReturn LiteralString None Concatenate Unpack Generic Protocol
`)

// typeAt returns the base for an annotation that names one type: `a.B`, `"B"`, `B[int]`, `Optional[B]`, `B | None`;
// otherwise 0.
func (w *walker) typeAt(from, to int, header bool) int32 {
	if to-from == 1 && w.toks[from].kind == str {
		first, end, ok := w.unquoted(from)
		if !ok {
			return 0
		}
		from, to = first, end
	}
	if to-from > 2 && w.isOp(to-2, to, '|') && w.is(to-1, to, "None") {
		to -= 2
	}
	if from >= to || !w.isName(from, to) {
		return 0
	}
	last := w.chain(from, to)
	switch {
	case last == to-1:
	case !w.isOp(last+1, to, '[') || w.closes(last+1, to) != to-1:
		return 0
	case w.text(last) == "Optional":
		return w.typeAt(last+2, to-1, header)
	}
	if opaqueTypes[w.text(last)] {
		return 0
	}
	w.bases = append(w.bases, base{first: int32(from), last: int32(last), root: w.word(from), header: header})
	return int32(len(w.bases) - 1)
}
