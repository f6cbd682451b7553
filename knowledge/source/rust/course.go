package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// callsAt places the calls recorded since mark after the arguments in the bracket at i.
func (w *walker) callsAt(mark, i int) {
	for n := mark; n < len(w.found); n++ {
		if m := &w.found[n]; m.kind == source.RefCall[0] {
			m.place = w.o.toks[i].mate
		}
	}
}

// group reads a bracket's content; it is apart if it constructs an error.
func (w *walker) group(i int) {
	failed := i > 0 && (w.o.is(i-1, "Err") || w.o.is(i-1, "ok_or"))
	if failed {
		w.apart++
	}
	w.elements(i+1, int(w.o.toks[i].mate))
	if failed {
		w.apart--
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

var closureWords = map[string]bool{"move": true, "async": true, "static": true}

// onTheSpot reports whether the closure at bar i is called immediately: `(|| …)()`.
func (w *walker) onTheSpot(i int) bool {
	o := w.o
	for i--; i > 0 && o.class(i) == word && closureWords[string(o.text(i))]; {
		i--
	}
	return i >= 0 && o.is(i, "(") && o.is(o.after(i), "(") && !o.argument(i)
}

// argument reports whether the parenthesis at i may belong to a call.
func (o *outline) argument(i int) bool {
	if i == 0 {
		return false
	}
	switch o.class(i - 1) {
	case opener:
		return false
	case word:
		return !isKeyword(o.text(i - 1))
	case punct:
		lead := o.lead(i - 1)
		return lead == '>' || lead == '?' || lead == '!'
	}
	return true
}
