package ecma

import "github.com/causaldocs/causal/knowledge/source"

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

// ifChain reads the rest of an if statement: the conditions and arms of a fork.
func (b *binder) ifChain(i, limit int) int {
	for fork := b.Fork(); ; {
		b.In(fork.Rest(), func() { b.expressions(i+2, b.partner(i+1)) })
		i = b.partner(i+1) + 1
		next := min(b.partner(min(i, limit-1))+1, limit-1)
		if i = b.arm(i, limit, &fork, b.t[next].isKeyword(kElse) && b.exits(next+1, limit)); i >= limit || !b.t[i].isKeyword(kElse) {
			return i
		}
		if i++; !b.at(i).isKeyword(kIf) || !b.at(i+1).isPunct('(') {
			return b.arm(i, limit, &fork, true)
		}
	}
}

func (b *binder) arm(i, limit int, fork *source.Fork, only bool) (end int) {
	if i < limit && b.exits(i, limit) {
		fork.Arm(true, false)
		return b.away(i, i, limit)
	}
	b.In(fork.Arm(false, only), func() { end = b.statement(i, limit) })
	return end
}

// cases reads the block of a switch. A case without a jump at its end continues in the next one.
func (b *binder) cases(open int) int {
	end, outer, fork, fell := b.partner(open), b.Branch(), b.Fork(), false
	b.enter(false)
	for i := open + 1; i < end; {
		t := b.t[i]
		label := t.isKeyword(kCase) || t.isKeyword(kDefault) && b.at(i+1).isPunct(':')
		if label && !fell {
			b.Leave(outer)
			b.Enter(fork.Arm(false, false))
		}
		fell = label || !b.jumps(i, end)
		if t.isKeyword(kDefault) && label {
			i += 2
			continue
		}
		i = max(b.statement(i, end), i+1)
	}
	b.Leave(outer)
	b.leave()
	return end + 1
}

// away reads the statement at i and marks everything from token from as apart.
func (b *binder) away(from, i, limit int) int {
	n := b.enter(false)
	end := b.statement(i, limit)
	b.leave()
	b.setApart(n, from, end)
	return end
}

// exits reports whether the statement at i is a return or a throw, or a block that contains one.
func (b *binder) exits(i, limit int) bool { return b.ends(i, limit, b.leaves) }

func (b *binder) leaves(i int) bool {
	return b.t[i].isKeyword(kReturn) || b.t[i].isKeyword(kThrow) || b.x.textIs(i, "process") && b.x.textIs(i+2, "exit")
}

// jumps reports whether the case of a switch ends with the statement at i.
func (b *binder) jumps(i, limit int) bool {
	return b.ends(i, limit, func(i int) bool { return b.leaves(i) || b.t[i].isKeyword(kBreak) || b.t[i].isKeyword(kContinue) })
}

func (b *binder) ends(i, limit int, leaves func(int) bool) bool {
	if i >= limit {
		return false
	}
	if !b.t[i].isPunct('{') {
		return leaves(i)
	}
	end := min(b.partner(i), limit)
	for i++; i < end; i++ {
		if leaves(i) && b.begins(i) {
			return true
		}
		i = b.partner(i)
	}
	return false
}

// begins reports whether an independent statement of a block begins at i.
func (b *binder) begins(i int) bool {
	if i == 0 {
		return true
	}
	before := b.t[i-1]
	switch {
	case before.isPunct('{'), before.isPunct('}'), before.isPunct(';'):
		return true
	case !b.t[i].has(fNewline), before.isKeyword(kElse), before.isKeyword(kDo):
		return false
	case !before.isPunct(')') || before.match < 1: // may be unpaired
		return true
	}
	head := b.at(int(before.match) - 1)
	return !head.isKeyword(kIf) && !head.isKeyword(kFor) && !head.isKeyword(kWhile) && !head.isKeyword(kWith)
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
