package rust

import "github.com/causaldocs/causal/knowledge/source"

// rules reads a macro declaration; the names in its arms may mean anything where the macro is used.
func (w *walker) rules(i, end int) int {
	o := w.o
	i += 2
	if o.is(i-1, "!") {
		i++
	}
	if i < end && o.is(i, "(") && o.is(o.after(i), "{") {
		w.transcriber(o.after(i))
		return o.after(o.after(i))
	}
	if i >= end || o.class(i) != opener {
		return i
	}
	for _, r := range o.rules(i) {
		if o.class(r.To+1) == opener {
			w.transcriber(r.To + 1)
		}
	}
	return o.after(i)
}

func (w *walker) transcriber(i int) {
	w.open++
	w.elements(i+1, int(w.o.toks[i].mate))
	w.open--
}

// dollar reads a macro fragment, a repetition, or a $crate path.
func (w *walker) dollar(i, end int) int {
	o := w.o
	if i+1 >= end || o.class(i+1) != word {
		return i + 1
	}
	if !o.is(i+1, "crate") || !o.is(i+2, "::") {
		return i + 2
	}
	segments, next := w.segments(i+1, end, false)
	if o.is(next, "!") && next+1 < end && o.class(next+1) == opener {
		return w.macroCall(segments, next, end)
	}
	kind := source.AsValue
	called := o.is(next, "(")
	if called {
		kind = w.callKind(o.text(segments[len(segments)-1]))
	} else if capital(string(o.text(segments[len(segments)-1])[:1])) {
		kind = source.AsType
	}
	found := len(w.found.List)
	w.refer(segments, values, kind)
	if called {
		w.callsAt(found, next)
	}
	return next
}
