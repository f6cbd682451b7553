package token

// closers are the brackets that close others.
var closers = [256]byte{'(': ')', '[': ']', '{': '}'}

// Closer is the bracket that closes another one; 0 for what is no opening bracket.
func Closer(bracket byte) byte { return closers[bracket] }

// Open is a bracket that waits for its other side, with what its scanner has to remember of it.
type Open[T any] struct {
	At      int32 // the index of its token
	Bracket byte  // ( [ or {
	Note    T
}

// Nest is the brackets that are open at a place of a file. A scanner that walks over its tokens pushes what opens, and
// decides what becomes of a closing bracket: Fits and Pop pair those that match, Close goes on where they do not, and
// Cut ends what something else shows to be over. Each takes the time of the brackets that it ends. The zero value is
// empty.
type Nest[T any] struct {
	open   []Open[T]
	braces int // how many of open are {
}

// Len is how many brackets are open.
func (n *Nest[T]) Len() int { return len(n.open) }

// All returns the brackets that are open, outermost first. They are good until the next change.
func (n *Nest[T]) All() []Open[T] { return n.open }

// Top returns the innermost bracket; there has to be one.
func (n *Nest[T]) Top() *Open[T] { return &n.open[len(n.open)-1] }

// Push opens a bracket and returns its note, which is empty. It is good until the next change.
func (n *Nest[T]) Push(at int, bracket byte) *T {
	n.open = append(n.open, Open[T]{At: int32(at), Bracket: bracket})
	if bracket == '{' {
		n.braces++
	}
	return &n.open[len(n.open)-1].Note
}

// Fits reports whether a closing bracket is the other side of the innermost one.
func (n *Nest[T]) Fits(closer byte) bool {
	return len(n.open) > 0 && closers[n.open[len(n.open)-1].Bracket] == closer
}

// Pop takes out the innermost bracket; there has to be one.
func (n *Nest[T]) Pop() Open[T] {
	o := n.open[len(n.open)-1]
	n.open = n.open[:len(n.open)-1]
	if o.Bracket == '{' {
		n.braces--
	}
	return o
}

// Cut takes out all but the depth outermost brackets and returns them, outermost first. They are good until the next
// change.
func (n *Nest[T]) Cut(depth int) []Open[T] {
	out := n.open[depth:]
	for i := range out {
		if out[i].Bracket == '{' {
			n.braces--
		}
	}
	n.open = n.open[:depth]
	return out
}

// Close takes out what a closing bracket closes. A brace ends its block, and with it whatever is left open in there;
// any other bracket is taken for a stray one unless it fits the innermost. So one bracket too few or too many does
// harm in the block that it is in and nowhere else.
//
// What comes back is the bracket that was closed and those that were left open inside of it, outermost first; nothing
// for a stray one. They are good until the next change.
func (n *Nest[T]) Close(closer byte) []Open[T] {
	switch {
	case n.Fits(closer):
		return n.Cut(len(n.open) - 1)
	case closer != '}' || n.braces == 0:
		return nil
	}
	at := len(n.open) - 1
	for n.open[at].Bracket != '{' {
		at--
	}
	return n.Cut(at)
}

// Reset empties n for another file and keeps its memory.
func (n *Nest[T]) Reset() {
	n.open = n.open[:0]
	n.braces = 0
}
