package ecma

import (
	"github.com/causaldocs/causal/knowledge/source/control"
)

// part is a token range off the main control flow: a nested function, a class in a function, or a catch. to is 0 for
// none.
type part struct{ from, to int32 }

// setApart marks a block as off the main control flow, in tokens [from, to).
func (b *binder) setApart(block int32, from, to int) {
	b.blocks[block].apart = part{int32(from), int32(to)}
}

func (b *binder) enterApart(p part) {
	if p.to > 0 {
		b.apart = append(b.apart, p)
	}
}

func (b *binder) leaveApart(p part) {
	if p.to > 0 {
		b.apart = b.apart[:len(b.apart)-1]
	}
}

// isApart reports whether the current token is off the main control flow of a declaration: inside a part other than
// the declaration's own function, which is the outermost part that ends with it.
func (b *binder) isApart(s ownSpan) bool {
	n := len(b.apart)
	if n == 0 || int(b.apart[n-1].from) < s.From {
		return false
	}
	return n > 1 && int(b.apart[n-2].from) >= s.From || !b.endsWith(s, b.apart[n-1])
}

// endsWith reports whether a declaration ends with a part, ignoring a terminator or separator.
func (b *binder) endsWith(s ownSpan, p part) bool {
	if s.symbol < 0 {
		return false
	}
	end := s.To
	if int(p.to) < end && (b.t[end-1].isPunct(';') || b.t[end-1].isPunct(',')) {
		end--
	}
	return int(p.to) == end
}

// findBranches finds the branches of the tokens.
func (b *binder) findBranches() []control.Branch {
	return (&control.Braces{
		Tokens: len(b.t), After: func(i int) int { return b.partner(i) + 1 },
		Word: func(i int) control.Word {
			if k := b.t[i].kind; k != tIdent && k != tPunct {
				return 0
			}
			return control.WordOf(b.x.text(i))
		},
		Begins: func(i int) bool {
			before := b.t[i-1]
			if before.isPunct(')') && before.match > 0 {
				switch b.t[before.match-1].id {
				case kIf, kFor, kWhile, kWith:
					return false
				}
			}
			return b.t[i].kind == tIdent && b.t[i].has(fNewline) && (before.kind != tPunct || before.match >= 0)
		},
	}).Branches()
}

// withAsync returns the first token of a function: the preceding async, if any.
func (b *binder) withAsync(i int) int {
	if i > 0 && b.t[i-1].isKeyword(kAsync) {
		return i - 1
	}
	return i
}

// onTheSpot reports whether a function value is called immediately.
func (b *binder) onTheSpot(i, end int) bool {
	for i > 0 && b.t[i-1].isPunct('(') && int(b.t[i-1].match) == end && !b.argument(i-1) {
		i--
		end++
	}
	if b.at(end).isPunct('.') && b.at(end+2).isPunct('(') {
		return b.x.textIs(end+1, "call") || b.x.textIs(end+1, "apply")
	}
	return b.at(end).isPunct('(')
}

func (b *binder) argument(i int) bool {
	if i == 0 {
		return false
	}
	before := b.t[i-1]
	return before.has(fOperand) || before.isPunct('>') || before.isPunct(pOptional)
}
