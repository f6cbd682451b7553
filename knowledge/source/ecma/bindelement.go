package ecma

import "strings"

// element pushes the expressions inside a JSX element and returns its end.
func (b *binder) element(open int) int {
	end := b.partner(open)
	name := len(b.events)
	i := b.tagName(open)
	named := len(b.events) > name
	for i < end {
		t := b.t[i]
		switch {
		case t.isPunct('{'):
			i = b.inside(i)
		case t.isPunct('<') && t.has(fJSX):
			if b.tooDeep() {
				b.depth--
				return end + 1
			}
			i = b.element(i)
			b.depth--
		case t.isPunct('<') && b.at(i+1).isPunct('/'):
			return end + 1
		case t.isPunct('>') && named:
			b.events[name].close = int32(i) // attributes precede the call, children follow it
			named = false
			i++
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

func (b *binder) tagName(open int) int {
	i := open + 1
	t := b.at(i)
	if t.kind != tIdent {
		return i
	}
	end := b.selectors(i)
	first := b.x.src[t.off]
	if end > i+1 || !(first >= 'a' && first <= 'z') && !b.at(end).isPunct(':') {
		b.call(i, end, b.partner(open))
		b.events[len(b.events)-1].later = true
	}
	return end
}

// isHook reports whether a function prepares the state of a component.
func isHook(name string) bool {
	rest, ok := strings.CutPrefix(name, "use")
	return ok && rest != "" && 'A' <= rest[0] && rest[0] <= 'Z'
}
