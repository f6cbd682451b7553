package token

var closers = [256]byte{'(': ')', '[': ']', '{': '}'}

// Closer returns the closing bracket for an opening one; 0 for other characters.
func Closer(bracket byte) byte { return closers[bracket] }

// Open is an open bracket with a note of the scanner.
type Open[T any] struct {
	At      int32 // index of its token
	Bracket byte  // ( [ or {
	Note    T
}

// Nest holds the open brackets at a place in a file. A scanner pushes opening brackets and decides about closing
// ones: Fits and Pop pair matching brackets, Close handles others, and Cut ends brackets that are over for another
// reason. Each takes time in proportion to the brackets that it ends. The zero value is empty.
type Nest[T any] struct {
	open   []Open[T]
	braces int // number of open {
}

// Len returns the number of open brackets.
func (n *Nest[T]) Len() int { return len(n.open) }

// All returns the open brackets, the outermost first, until the next change.
func (n *Nest[T]) All() []Open[T] { return n.open }

// Top returns the innermost bracket; there must be one.
func (n *Nest[T]) Top() *Open[T] { return &n.open[len(n.open)-1] }

// Push opens a bracket and returns its empty note, until the next change.
func (n *Nest[T]) Push(at int, bracket byte) *T {
	n.open = append(n.open, Open[T]{At: int32(at), Bracket: bracket})
	if bracket == '{' {
		n.braces++
	}
	return &n.open[len(n.open)-1].Note
}

// Fits reports whether a closing bracket matches the innermost one.
func (n *Nest[T]) Fits(closer byte) bool {
	return len(n.open) > 0 && closers[n.open[len(n.open)-1].Bracket] == closer
}

// Pop removes the innermost bracket; there must be one.
func (n *Nest[T]) Pop() Open[T] {
	o := n.open[len(n.open)-1]
	n.open = n.open[:len(n.open)-1]
	if o.Bracket == '{' {
		n.braces--
	}
	return o
}

// Cut removes all but the depth outermost brackets and returns them, the outermost first, until the next change.
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

// Close removes the bracket that a closing one ends. A closing brace ends its block with all brackets that are open
// in it; any other bracket is stray unless it matches the innermost one. So an unbalanced bracket only affects its
// own block.
//
// It returns the closed bracket and those that were open inside it, the outermost first, until the next change; nil
// for a stray one.
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
