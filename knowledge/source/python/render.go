package python

import "strings"

type nest struct {
	open      byte
	call      bool // arguments, parameters or a subscript, not a grouping
	commas    int
	annotated bool // an annotation since the last comma
	lambdas   int  // lambdas with a pending colon
}

type renderer struct {
	reader   *reader
	out      *strings.Builder
	from, to int
	nests    []nest
	tight    bool // no blank may follow the previous token
}

// render writes the tokens [from, to) on one line, formatted conventionally.
func (x *reader) render(out *strings.Builder, from, to int) { x.renderWithout(out, from, to, nil) }

func (x *reader) renderWithout(out *strings.Builder, from, to int, cuts []cut) {
	r := renderer{reader: x, out: out, from: from, to: to, nests: append(x.nests[:0], nest{}), tight: true}
	for i := from; i < to; i++ {
		if len(cuts) > 0 && i == cuts[0].from {
			i, cuts = cuts[0].to-1, cuts[1:]
			continue
		}
		if r.reader.is(i, to, ",") && r.superfluous(i) {
			continue
		}
		r.token(i)
	}
	x.nests = r.nests
}

func (r *renderer) top() *nest { return &r.nests[len(r.nests)-1] }

// superfluous reports whether a comma before a closing bracket makes no tuple.
func (r *renderer) superfluous(i int) bool {
	n := r.top()
	next := r.reader.is(i+1, r.to, ")") && n.open == '(' || r.reader.is(i+1, r.to, "]") && n.open == '[' ||
		r.reader.is(i+1, r.to, "}") && n.open == '{'
	if !next {
		return false
	}
	switch n.open {
	case '(':
		return n.call || n.commas > 0
	case '[':
		return !n.call || n.commas > 0
	}
	return true
}

func (r *renderer) token(i int) {
	t := r.reader.toks[i]
	text := r.reader.text(i)
	before, after := false, false
	switch t.kind {
	case op:
		before, after = r.operator(i, text)
	case keyword:
		if text == "lambda" {
			r.top().lambdas++
		}
	case fpart:
		before = text[0] == '}' || text[0] == ':'
		after = strings.HasSuffix(text, "{")
	case fdebug:
		before, after = true, true
		shown := strings.TrimRight(text[:strings.LastIndexByte(text, '=')], " \t")
		text = text[len(shown):]
	}
	if !before && !r.tight {
		r.out.WriteByte(' ')
	}
	r.out.WriteString(text)
	r.tight = after
}

// operator returns the spacing around an operator, and tracks brackets.
func (r *renderer) operator(i int, text string) (before, after bool) {
	n := r.top()
	switch text {
	case "(", "[", "{":
		call := r.endsOperand(i-1) && text != "{"
		r.nests = append(r.nests, nest{open: text[0], call: call})
		return call, true
	case ")", "]", "}":
		if len(r.nests) > 1 {
			r.nests = r.nests[:len(r.nests)-1]
		}
		return true, false
	case ",":
		n.commas++
		n.annotated = false
		return true, false
	case ";":
		return true, false
	case ".", "!":
		return true, true
	case ":":
		if n.lambdas > 0 {
			n.lambdas--
			return true, false
		}
		n.annotated = true
		slice := n.open == '[' && !r.typeParameters()
		return !r.reader.is(i-1, r.to, ","), slice
	case "=":
		tight := n.lambdas > 0 || n.open == '(' && n.call && !n.annotated
		return tight, tight
	case "+", "-", "*", "**", "~", "@":
		return false, !r.endsOperand(i - 1)
	}
	return false, false
}

// typeParameters reports whether the innermost bracket is a type parameter list: class Box[T: int].
func (r *renderer) typeParameters() bool {
	x, i := r.reader, r.from
	if x.is(i, r.to, "async") {
		i++
	}
	declares := x.is(i, r.to, "def") || x.is(i, r.to, "class")
	return len(r.nests) == 2 && (declares && x.is(i+2, r.to, "[") || x.is(i, r.to, "["))
}

// endsOperand reports whether token i may end an operand, which makes the next token a call, a subscript or a binary
// operator.
func (r *renderer) endsOperand(i int) bool {
	if i < r.from {
		return false
	}
	switch r.reader.toks[i].kind {
	case op:
		s := r.reader.text(i)
		return s == ")" || s == "]" || s == "}" || s == "..."
	case keyword:
		switch r.reader.text(i) {
		case "None", "True", "False":
			return true
		}
		return false
	case fpart:
		return !strings.HasSuffix(r.reader.text(i), "{")
	}
	return true
}
