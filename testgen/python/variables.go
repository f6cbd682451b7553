package python

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// changing are methods that modify their receiver.
var changing = lazy.Set(`add append appendleft clear difference_update discard extend insert intersection_update pop popitem popleft remove reverse
	setdefault sort symmetric_difference_update update write writelines __next__ __setitem__`)

// changesVariable returns a name of the module whose value a body modifies in place; empty if there is none. Names
// bound in the body do not count.
func changesVariable(src string, symbols map[string]*source.Symbol) string {
	b := body{tokens: tokens(src)}
	b.pair()
	own := b.bound()
	for i, t := range b.tokens {
		s := symbols[t.text]
		if t.kind != tWord || s == nil || own[t.text] || b.at(i-1) == "." {
			continue
		}
		// A call on a class or function is a call of its method.
		if called := b.at(i+3) == "("; (called && s.Kind != source.Var && s.Kind != source.Const) || !b.changed(i) {
			continue
		}
		return t.text
	}
	return ""
}

type body struct {
	tokens []token
	behind []int // for each opening bracket, the index after the matching one
}

// pair matches all brackets in one pass: looking each up would be quadratic when nested.
func (b *body) pair() {
	b.behind = make([]int, len(b.tokens))
	var open []int
	for i := range b.tokens {
		b.behind[i] = len(b.tokens)
		switch depth := nesting[b.at(i)]; {
		case depth > 0:
			open = append(open, i)
		case depth < 0 && len(open) > 0:
			b.behind[open[len(open)-1]] = i + 1
			open = open[:len(open)-1]
		}
	}
}

func (b body) at(i int) string {
	if i < 0 || i >= len(b.tokens) || b.tokens[i].kind != tWord && b.tokens[i].kind != tOp {
		return ""
	}
	return b.tokens[i].text
}

var augmented = []string{"+=", "-=", "*=", "/=", "|=", "&=", "%="}

// changed reports whether the tokens around a name modify its value in place.
func (b body) changed(i int) bool {
	if b.at(i-1) == "(" && b.at(i-2) == "next" {
		return true
	}
	n := i + 1
	for {
		switch b.at(n) {
		case "[":
			n = b.behind[n]
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

var nesting = map[string]int{"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}

// bound returns the names that a body binds: parameters, and targets of assignments, for, with and as.
func (b body) bound() map[string]bool {
	out := map[string]bool{}
	for i, t := range b.tokens {
		next := b.at(i + 1)
		switch {
		case t.kind != tWord:
		case t.text == "def" || t.text == "lambda":
			b.parameters(i+1, out)
		case t.text == "for":
			for n := i + 1; n < len(b.tokens) && b.at(n) != "in" && b.at(n) != "for"; n++ {
				out[b.at(n)] = true
			}
		case b.at(i-1) == "as", (next == "=" || next == ":=") && b.at(i-1) != ".", next == ":" && i > 0 && b.tokens[i-1].line < t.line:
			out[t.text] = true
		}
	}
	return out
}

// parameters adds those of a definition, up to its colon or another definition.
func (b body) parameters(from int, out map[string]bool) {
	depth := 0
	for n := from; n < len(b.tokens) && (b.at(n) != ":" || depth > 0) && b.at(n) != "lambda" && b.at(n) != "def"; n++ {
		switch depth += nesting[b.at(n)]; b.at(n - 1) {
		case "(", ",", "*", "**", "lambda":
			out[b.at(n)] = true
		}
	}
}
