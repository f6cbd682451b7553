package ecma

import (
	"github.com/causaldocs/causal/knowledge/source/control"
)

// part is a token range off the main control flow: a nested function, or a class in a function. to is 0 for
// none. wrapped is the end of the call with which a function is wrapped, or 0.
type part struct{ from, to, wrapped int32 }

// setApart marks a block as off the main control flow, in tokens [from, to).
func (b *binder) setApart(block int32, from, to int) {
	b.blocks[block].apart = part{int32(from), int32(to), int32(b.wrapped(to))}
}

// runners are functions that call their arguments on the spot, or do so later.
var runners = map[string]bool{
	"map": true, "flatMap": true, "filter": true, "reduce": true, "forEach": true, "some": true, "every": true, "find": true, "sort": true, "from": true,
	"then": true, "catch": true, "finally": true, "setTimeout": true, "setInterval": true, "Promise": true, "on": true, "once": true,
}

// mostArguments limits the tokens between a function and the end of the call with which it is wrapped.
const mostArguments = 64

// wrapped returns the end of the calls with the argument that ends at i, if all may return a function. Otherwise it
// returns 0.
func (b *binder) wrapped(i int) (end int) {
	for range mostArguments {
		switch t := b.at(i); {
		case t.isPunct(')') && t.match > 0 && b.t[t.match-1].kind == tIdent && !runners[b.x.text(int(t.match)-1)]:
			i++
			end = i
			if !b.at(i).isPunct(')') {
				return end
			}
		case t.match >= 0 && int(t.match) < i || t.isPunct(';'):
			return 0
		default:
			i = b.x.skip(i)
		}
	}
	return 0
}

// branchOf returns the branch of a token in a declaration. It is apart inside a part other than the declaration's own
// function, which is the outermost part that ends with it. The call that ends with it may wrap the function.
func (b *binder) branchOf(token int32, s ownSpan) control.Branch {
	branch, n := b.branches[token], len(b.apart)
	switch {
	case n == 0 || int(b.apart[n-1].from) < s.From || branch == control.Apart:
		return branch
	case n > 1 && int(b.apart[n-2].from) >= s.From || s.symbol < 0:
		return control.Later
	}
	end, p := s.To, b.apart[n-1]
	if b.t[end-1].isPunct(';') || b.t[end-1].isPunct(',') {
		end--
	}
	switch {
	case int(p.to) == end || int(p.to) == s.To:
		return branch
	case int(p.wrapped) == end:
		return branch | control.Result
	}
	return control.Later
}

// findBranches finds the branches of the tokens.
func (b *binder) findBranches() ([]control.Branch, *control.Forks) {
	return (&control.Braces{
		Tokens: len(b.t), After: func(i int) int { return b.partner(i) + 1 },
		Text: b.x.text, Code: b.x.render,
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
