package rust

import "github.com/causaldocs/causal/knowledge/source"

// callsAt says that the calls which were noted since mark have their arguments in the bracket at i: they are made behind these.
func (w *walker) callsAt(mark, i int) {
	for n := mark; n < len(w.found); n++ {
		if m := &w.found[n]; m.kind == source.RefCall[0] {
			m.place = w.o.toks[i].mate
		}
	}
}

// closureWords may stand in front of a closure.
var closureWords = map[string]bool{"move": true, "async": true, "static": true}

// onTheSpot reports whether the closure whose first bar is at i is called where it stands: `(|| …)()`.
func (w *walker) onTheSpot(i int) bool {
	o := w.o
	for i--; i > 0 && o.class(i) == word && closureWords[string(o.text(i))]; {
		i--
	}
	return i >= 0 && o.is(i, "(") && o.is(o.after(i), "(") && !o.argument(i)
}

// argument reports whether the parenthesis at i may be that of a call, and not around a value.
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
