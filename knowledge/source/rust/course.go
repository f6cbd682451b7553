package rust

import "github.com/causaldocs/causal/knowledge/source"

// callsAt places the calls recorded since mark after the arguments in the bracket at i.
func (w *walker) callsAt(mark, i int) {
	for n := mark; n < len(w.found); n++ {
		if m := &w.found[n]; m.kind == source.RefCall[0] {
			m.place = w.o.toks[i].mate
		}
	}
}

// arm reads a block that is an arm of a fork. One that leaves the function is apart.
func (w *walker) arm(i int, fork *source.Fork, failed, only bool) {
	w.In(fork.Arm(failed || w.exits(i), only), func() { w.block(i) })
}

// isCircuit reports whether the right side of an operator is evaluated only in some cases.
func (o *outline) isCircuit(i int) bool { return o.is(i, "&&") || o.is(i, "||") }

// outcome is how an arm of a match goes on.
type outcome uint8

const (
	stays outcome = iota
	leaves
	fails
)

// outcomes returns those of the arms of the match whose block is at i.
func (w *walker) outcomes(i int) (out []outcome) {
	o := w.o
	last := int(o.toks[i].mate)
	for at := i + 1; at < last; at++ {
		from := at
		for ; at < last && !o.is(at, "=>"); at = o.after(at) {
		}
		at++
		switch {
		case o.is(from, "Err"), o.is(at, "Err"), o.is(at+1, "!") && (o.is(at, "panic") || o.is(at, "unreachable") || o.is(at, "bail")):
			out = append(out, fails)
		case o.is(at, "return"), o.is(at, "{") && w.exits(at):
			out = append(out, leaves)
		default:
			out = append(out, stays)
		}
		if o.is(at, "{") && o.after(at) < last && o.class(o.after(at)) != punct {
			at = o.after(at) - 1
			continue
		}
		for ; at < last && !o.is(at, ","); at = o.after(at) {
		}
	}
	return out
}

// arms reads the arms of a match. Those that leave the function are the main control flow if no other one goes on.
func (w *walker) arms(i, last int) {
	o, all, mark, fork := w.o, w.outcomes(i), len(w.names.stack), w.Fork()
	going := 0
	for _, is := range all {
		if is == stays {
			going++
		}
	}
	for at, n := i+1, 0; at < last; n++ {
		from := at
		at = w.attributes(at, last)
		is := stays
		if n < len(all) {
			is = all[n]
		}
		at = w.matchArm(at, last, fork.Arm(is == fails || is == leaves && going > 0, going == 1))
		w.names.leave(mark)
		at = max(at, from+1)
		if at < last && (o.is(at, ",") || o.is(at, ";")) {
			at++
		}
	}
}

// group reads a bracket's content; it is apart if it constructs an error.
func (w *walker) group(i int) {
	branch := source.Branch(0)
	if i > 0 && (w.o.is(i-1, "Err") || w.o.is(i-1, "ok_or")) {
		branch = source.Apart
	}
	w.In(branch, func() { w.elements(i+1, int(w.o.toks[i].mate)) })
}

// exits reports whether a statement of the block is a return, panic or exit.
func (w *walker) exits(i int) bool {
	o := w.o
	last := int(o.toks[i].mate)
	for i++; i < last; i = o.after(i) {
		if o.class(i) == word && (o.is(i, "return") || o.is(i, "panic") && o.is(i+1, "!") || o.is(i+2, "exit") || o.is(i+4, "exit")) && (o.is(i-1, "{") || o.is(i-1, "}") || o.is(i-1, ";")) {
			return true
		}
	}
	return false
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
