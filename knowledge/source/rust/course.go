package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// callsAt places the calls recorded since mark after the arguments in the bracket at i.
func (w *walker) callsAt(mark, i int) {
	for n := mark; n < len(w.found.List); n++ {
		if m := &w.found.List[n]; m.How&^source.AsOpen == source.AsCall {
			m.Place = w.o.toks[i].mate
		}
	}
}

// inner reads the block after a word such as async. That of a task runs on its own.
func (w *walker) inner(i int) {
	from := i - 1
	for w.o.is(from-1, "async") {
		from--
	}
	task := from > 1 && w.o.is(from-1, "(") && strings.HasPrefix(w.o.name(from-2), "spawn")
	if task {
		w.apart++
	}
	w.block(i)
	if task {
		w.apart--
	}
}
