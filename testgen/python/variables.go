package python

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
)

// changing are the methods that change what they are called on.
var changing = words(`add append appendleft clear difference_update discard extend insert intersection_update pop popitem popleft remove reverse
	setdefault sort symmetric_difference_update update write writelines __next__ __setitem__`)

// changesVariable is the variable, class or function of a module that a body changes inside, without setting it anew; empty where there is none. A name that
// the body binds is its own.
func changesVariable(src string, symbols map[string]*source.Symbol) string {
	b := body(tokens(src))
	own := b.bound()
	for i, t := range b {
		s := symbols[t.text]
		if t.kind != tWord || s == nil || own[t.text] || b.at(i-1) == "." {
			continue
		}
		// What is called on a class, or on a function, is a method of its own.
		if called := b.at(i+3) == "("; (called && s.Kind != source.Var && s.Kind != source.Const) || !b.changed(i) {
			continue
		}
		return t.text
	}
	return ""
}

// body is the source of one function.
type body []token

// at is a word or an operator; empty for all that is neither.
func (b body) at(i int) string {
	if i < 0 || i >= len(b) || b[i].kind != tWord && b[i].kind != tOp {
		return ""
	}
	return b[i].text
}

// augmented are the operators that work on what a name holds.
var augmented = []string{"+=", "-=", "*=", "/=", "|=", "&=", "%="}

// changed reports whether what stands around a name changes what it holds.
func (b body) changed(i int) bool {
	if b.at(i-1) == "(" && b.at(i-2) == "next" {
		return true
	}
	n := i + 1
	for {
		switch b.at(n) {
		case "[":
			n = b.closed(n)
		case ".":
			if b.at(n+2) == "(" {
				return changing[b.at(n+1)]
			}
			n += 2
		default:
			inner := n > i+1
			return inner && (b.at(n) == "=" || slices.Contains(augmented, b.at(n)) || b.at(i-1) == "del")
		}
	}
}

// closed is what stands behind the bracket that closes one.
func (b body) closed(open int) int {
	depth := 0
	for n := open; n < len(b); n++ {
		if depth += nesting[b.at(n)]; depth == 0 {
			return n + 1
		}
	}
	return len(b)
}

var nesting = map[string]int{"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}

// bound are the names that a body binds itself: parameters, and what is assigned to, iterated with or named with as.
func (b body) bound() map[string]bool {
	out := map[string]bool{}
	for i, t := range b {
		next := b.at(i + 1)
		switch {
		case t.kind != tWord:
		case t.text == "def" || t.text == "lambda":
			b.parameters(i+1, out)
		case t.text == "for":
			for n := i + 1; n < len(b) && b.at(n) != "in"; n++ {
				out[b.at(n)] = true
			}
		case b.at(i-1) == "as", (next == "=" || next == ":=") && b.at(i-1) != ".", next == ":" && i > 0 && b[i-1].line < t.line:
			out[t.text] = true
		}
	}
	return out
}

// parameters takes in those of a definition, up to the colon behind them.
func (b body) parameters(from int, out map[string]bool) {
	depth := 0
	for n := from; n < len(b) && (b.at(n) != ":" || depth > 0); n++ {
		switch depth += nesting[b.at(n)]; b.at(n - 1) {
		case "(", ",", "*", "**", "lambda":
			out[b.at(n)] = true
		}
	}
}
