package ecma

// element reads a JSX element.
func (b *binder) element(open int) int {
	end := b.partner(open)
	i := b.tagName(open + 1)
	for i < end {
		t := b.t[i]
		switch {
		case t.isPunct('{'):
			close := b.partner(i)
			b.expressions(i+1, close)
			i = close + 1
		case t.isPunct('<') && t.has(fJSX):
			if b.tooDeep() {
				b.depth--
				return end + 1
			}
			i = b.element(i)
			b.depth--
		case t.isPunct('<') && b.at(i+1).isPunct('/'):
			return end + 1
		case t.isPunct('<'):
			close := b.partner(i)
			b.types(i+1, close)
			i = close + 1
		default:
			i++
		}
	}
	return end + 1
}

// tagName reads the name of an element. One in lower case is an element of the host, and no name of the program.
func (b *binder) tagName(i int) int {
	t := b.at(i)
	if t.kind != tIdent {
		return i
	}
	end := b.selectors(i)
	first := b.x.src[t.off]
	if end > i+1 || !(first >= 'a' && first <= 'z') && !b.at(end).isPunct(':') {
		b.refer(i, end, useCall, asValue)
	}
	return end
}
