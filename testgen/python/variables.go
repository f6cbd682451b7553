package python

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/testgen"
)

// changing are methods that modify their receiver.
var changing = testgen.Words(`add append appendleft clear difference_update discard extend insert intersection_update pop popitem popleft remove reverse
	setdefault sort symmetric_difference_update update write writelines __next__ __setitem__`)

// changesVariable returns a name of the module whose value a function modifies in place; empty if there is none.
func changesVariable(f *file, function *source.Symbol) string {
	b := body(tokens(f.sourceOf(function)))
	free := map[string]bool{}
	for _, r := range function.Body {
		free[r.Name] = free[r.Name] || !r.Open
	}
	for i, t := range b {
		s := f.symbols[t.text]
		if t.kind != tWord || s == nil || b.at(i-1) == "." || !free[b.dotted(i)] {
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

type body []token

func (b body) at(i int) string {
	if i < 0 || i >= len(b) || b[i].kind != tWord && b[i].kind != tOp {
		return ""
	}
	return b[i].text
}

// dotted returns the name at i with the members selected from it.
func (b body) dotted(i int) string {
	parts := []string{b.at(i)}
	for ; b.at(i+1) == "."; i += 2 {
		parts = append(parts, b.at(i+2))
	}
	return strings.Join(parts, ".")
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
			n += cmp.Or(b[n].span, len(b)) + 1
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
