package rust

import "bytes"

type renderer struct {
	o    *outline
	out  []byte
	prev int // the last token, or -1
	// values treats < and > as operators unless they can only be generics.
	values bool
	angles int
	// generic reports whether prev is an angle bracket.
	generic bool
	// tight reports whether no space follows prev.
	tight   bool
	closure bool // its parameters are open
}

// render returns tokens in the canonical spacing of a type or declaration.
func (o *outline) render(i, end int) string {
	r := renderer{o: o, prev: -1}
	r.tokens(i, end)
	return toValid(string(r.out))
}

// renderValue returns tokens in the canonical spacing of an expression.
func (o *outline) renderValue(i, end int) string {
	r := renderer{o: o, prev: -1, values: true}
	r.tokens(i, end)
	return toValid(string(r.out))
}

func (r *renderer) tokens(i, end int) {
	for ; i < end; i++ {
		if t := r.o.toks[i]; t.skip || t.class >= outerDoc {
			continue
		}
		r.token(i)
	}
}

func (r *renderer) token(i int) {
	b := r.o.text(i)
	tight, generic, glued := r.style(i, b)
	if r.prev >= 0 && !r.tight && !glued {
		r.out = append(r.out, ' ')
	}
	r.out = append(r.out, b...)
	r.prev, r.tight, r.generic = i, tight, generic
}

// style returns the spacing of the token at i: tight without a space after it, glued without one before.
func (r *renderer) style(i int, b []byte) (tight, generic, glued bool) {
	switch r.o.class(i) {
	case opener:
		return r.openStyle(b)
	case closer:
		return false, false, !bytes.Equal(b, []byte("}")) || r.o.is(r.prev, "{")
	case punct:
		return r.punctStyle(i, string(b))
	}
	return false, false, r.fragment()
}

// fragment reports whether the next token is the `expr` of `$x:expr`.
func (r *renderer) fragment() bool {
	return r.o.is(r.prev, ":") && r.prev >= 2 && r.o.is(r.prev-2, "$")
}

func (r *renderer) openStyle(b []byte) (tight, generic, glued bool) {
	prev := r.o.text(r.prev)
	name := r.o.class(r.prev) == word && (!keywords[string(prev)] || string(prev) == "fn" || string(prev) == "pub")
	ends := r.o.class(r.prev) == closer && !r.o.is(r.prev, "}")
	switch b[0] {
	case '(':
		if ends && r.o.is(int(r.o.toks[r.prev].mate)-1, "pub") {
			return true, false, false
		}
		return true, false, name || ends || r.generic && r.o.is(r.prev, ">")
	case '[':
		return true, false, name && !r.o.is(r.prev, "pub") || ends
	}
	return false, false, false
}

func (r *renderer) punctStyle(i int, op string) (tight, generic, glued bool) {
	operand := r.operand()
	switch op {
	case ",", ";", ":":
		return false, false, true
	case "?":
		return !operand, false, operand
	case ".", "..", "..=", "...":
		return true, false, operand
	case "::":
		return true, false, operand && !r.o.is(r.prev, ",")
	case "!":
		called := r.o.class(r.prev) == word && operand
		never := r.o.is(i+1, "where") || r.o.is(i+1, "{") || r.o.is(i+1, "=") || r.o.is(i+1, "+")
		return r.o.class(i+1) == opener && !never || !called && !never, false, called || r.o.is(r.prev, "#")
	case "#", "$", "~", "@":
		return true, false, false
	case "<":
		return r.less(operand)
	case ">":
		return r.greater()
	case "=":
		return false, false, r.shift()
	case "&", "&&", "*", "-":
		if r.repetition() {
			return false, false, true
		}
		return !operand || !r.values && r.o.is(r.prev, ">"), false, false
	case "+":
		return false, false, r.repetition()
	case "|":
		if closes := r.closure; r.values && (closes || !operand) {
			r.closure = !closes
			return !closes, false, closes
		}
	}
	return false, false, false
}

func (r *renderer) operand() bool {
	switch r.o.class(r.prev) {
	case word:
		return r.prev >= 0 && (!keywords[string(r.o.text(r.prev))] || r.o.is(r.prev, "await"))
	case text, literal, closer:
		return true
	case punct:
		return r.generic && r.o.is(r.prev, ">") || r.values && r.o.is(r.prev, "?")
	}
	return false
}

// repetition reports whether the operator belongs to a `$(…)` or is its separator.
func (r *renderer) repetition() bool {
	at := r.prev
	if r.o.class(at) == punct && at >= 0 {
		at--
	}
	if r.o.class(at) != closer || at < 0 {
		return false
	}
	return r.o.is(int(r.o.toks[at].mate)-1, "$")
}

// shift reports whether prev is the first half of <<, >>, <= or >=.
func (r *renderer) shift() bool {
	return r.values && !r.generic && (r.o.is(r.prev, "<") || r.o.is(r.prev, ">"))
}

func (r *renderer) less(operand bool) (tight, generic, glued bool) {
	word := r.o.class(r.prev) == word
	if r.values && r.angles == 0 && (operand || r.shift()) && !r.o.is(r.prev, "::") {
		return false, false, r.shift()
	}
	r.angles++
	binds := r.o.is(r.prev, "for") || r.o.is(r.prev, "impl") || r.o.is(r.prev, "fn") || r.o.is(r.prev, "use")
	return true, true, word && operand || binds || r.o.is(r.prev, "::") || r.generic && r.o.is(r.prev, ">")
}

func (r *renderer) greater() (tight, generic, glued bool) {
	if r.angles == 0 {
		return false, false, r.shift()
	}
	r.angles--
	return false, true, true
}
