package ecma

// part are the tokens of a function, of a class within a function, or of a catch; none where to is 0.
type part struct{ from, to int32 }

// setApart says that a block is no part of the course around it, from token from to before token to.
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

// isApart reports whether the token that is being looked at is apart from the course of a declaration that it is in: within a
// part that is not the declaration's own function, which is the outermost one that the declaration ends with.
func (b *binder) isApart(s ownSpan) bool {
	n := len(b.apart)
	if n == 0 || int(b.apart[n-1].from) < s.From {
		return false
	}
	return n > 1 && int(b.apart[n-2].from) >= s.From || !b.endsWith(s, b.apart[n-1])
}

// endsWith reports whether a declaration ends with a part, but for the token that ends or separates declarations.
func (b *binder) endsWith(s ownSpan, p part) bool {
	if s.symbol < 0 {
		return false // the file
	}
	end := s.To
	if int(p.to) < end && (b.t[end-1].isPunct(';') || b.t[end-1].isPunct(',')) {
		end--
	}
	return int(p.to) == end
}

// branch reads a branch, which is apart where it does not go on.
func (b *binder) branch(i, limit int) int {
	if i >= limit || !b.exits(i, limit) {
		return b.statement(i, limit)
	}
	return b.away(i, i, limit)
}

// away reads the statement at i, which is apart with what stands before it from token from on.
func (b *binder) away(from, i, limit int) int {
	n := b.enter(false)
	end := b.statement(i, limit)
	b.leave()
	b.setApart(n, from, end)
	return end
}

// exits reports whether the statement at i is a return or a throw, or a block with one.
func (b *binder) exits(i, limit int) bool {
	leaves := func(i int) bool {
		return b.t[i].isKeyword(kReturn) || b.t[i].isKeyword(kThrow) || b.x.textIs(i, "process") && b.x.textIs(i+2, "exit")
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

// begins reports whether a statement of a block begins at i, and none that is the end of another.
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
	case !before.isPunct(')') || before.match < 1: // which may be unpaired
		return true
	}
	head := b.at(int(before.match) - 1)
	return !head.isKeyword(kIf) && !head.isKeyword(kFor) && !head.isKeyword(kWhile) && !head.isKeyword(kWith)
}

// withAsync is the first token of the function that goes on at i: the word async, where that stands before it.
func (b *binder) withAsync(i int) int {
	if i > 0 && b.t[i-1].isKeyword(kAsync) {
		return i - 1
	}
	return i
}

// onTheSpot reports whether the function that is the value from token i to before token end is called where it stands.
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

// argument reports whether the parenthesis at i is that of a call, and not around a value.
func (b *binder) argument(i int) bool {
	if i == 0 {
		return false
	}
	before := b.t[i-1]
	return before.has(fOperand) || before.isPunct('>') || before.isPunct(pOptional)
}
