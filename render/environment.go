package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// mostThrough is how many functions may hand the name of a variable on to each other.
const mostThrough = 4

// environmentReaders are the functions that read the variable whose name they are given.
type environmentReaders map[string]node.Behavior

// readersOf finds them by ID among elements, which id tells the IDs of all modules of. A function that calls one with its own
// parameter is one itself.
func readersOf(all []element, id func(e element, name string) string) environmentReaders {
	out := environmentReaders{}
	for range mostThrough {
		found := len(out)
		for _, e := range all {
			if e.Kind != source.Reads {
				continue
			}
			through, ok := out[id(e, e.Of)]
			if own := id(e, e.ID); e.Of == "" || ok {
				b := e.Behavior
				b.Default = cmp.Or(b.Default, through.Default)
				if was, known := out[own]; !known || was.Value == "" && b.Value != "" {
					out[own] = b
				}
			}
		}
		if len(out) == found {
			break
		}
	}
	return out
}

// read is a variable that a function with an ID is given the name of; false where that function reads none.
func (r environmentReaders) read(b node.Behavior, id string) (node.Behavior, bool) {
	reader, ok := r[id]
	ok = ok && reader.Also == b.Also
	b.Of, b.Also = "", ""
	if reader.Value != source.Fallback {
		b.Default = ""
	}
	b.Default = cmp.Or(b.Default, reader.Default)
	return b, ok
}

// settle decides which elements of a module's environment are ones, as far as the module itself tells.
func settle(all []node.Behavior) []node.Behavior {
	here := func(_ element, name string) string { return name }
	elements := make([]element, len(all))
	for i, b := range all {
		elements[i] = element{Behavior: b}
	}
	readers := readersOf(elements, here)
	out := all[:0]
	for _, b := range all {
		outside, known := strings.Contains(b.Of, "#"), true
		switch {
		case b.Of == "" || outside:
		case b.Kind == source.Env:
			b, known = readers.read(b, b.Of)
		case b.Kind == source.Reads:
			_, known = readers[b.ID]
		}
		if known {
			out = append(out, b)
		}
	}
	return out
}

// environmentOf are the variables that modules read, also through functions of each other.
func environmentOf(surfaces []surface) []element {
	var all []element
	for _, s := range surfaces {
		for _, b := range s.Elements {
			all = append(all, element{b, s.module})
		}
	}
	readers := readersOf(all, func(e element, name string) string { return idOf(e.module, name) })
	var out []element
	for _, e := range all {
		known := e.Kind == source.Env
		if known && e.Of != "" {
			e.Behavior, known = readers.read(e.Behavior, idOf(e.module, e.Of))
		}
		if known {
			out = append(out, e)
		}
	}
	// of the same variable in the same file, the one with a default tells more
	slices.SortStableFunc(out, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.file(), b.file()), cmp.Compare(b.Default, a.Default))
	})
	return out
}
