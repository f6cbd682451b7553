package rust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// guarded is a conditional range of tokens.
type guarded struct {
	start, end int
	guard      string
}

// cfg returns the combined condition of cfg attributes.
func (o *outline) cfg(i, end int) string {
	guard := ""
	for a := range o.attributesIn(i, end) {
		if o.is(a.From, "cfg") && o.is(a.From+1, "(") {
			guard = both(guard, o.predicate(a.From+2, int(o.toks[a.From+1].mate)))
		}
	}
	return guard
}

const maxGuard = 512

func (o *outline) predicate(i, end int) string {
	if end > i && o.is(end-1, ",") {
		end--
	}
	if end <= i || int(o.toks[end-1].end-o.toks[i].start) > maxGuard {
		return ""
	}
	return o.render(i, end)
}

func both(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	case len(a)+len(b) > maxGuard:
		return a
	}
	return "all(" + a + ", " + b + ")"
}

func (o *outline) conditions() []guarded {
	out := slices.Clone(o.wrappers)
	if !bytes.Contains(o.src, []byte("cfg")) {
		return out
	}
	for i := 0; i+2 < len(o.toks); i++ {
		if o.toks[i].class != punct || o.lead(i) != '#' || o.lead(i+1) != '[' {
			continue
		}
		first := o.attributes(len(o.toks), i)
		if guard := o.cfg(i, first); guard != "" {
			out = append(out, guarded{start: i, end: o.about(i, first), guard: guard})
		}
		i = max(first-1, i)
	}
	slices.SortStableFunc(out, func(a, b guarded) int { return a.start - b.start })
	return out
}

// compiled returns the statements and arms that are compiled only under a condition.
func (o *outline) compiled() (out []control.Part) {
	for _, g := range o.conditions() {
		if !o.is(g.start, "#") {
			continue // a macro around items
		}
		at, _ := o.visibility(o.attributes(len(o.toks), g.start))
		if _, kind := o.qualifiers(at); readers[kind] == nil {
			out = append(out, control.Part{From: g.start, To: g.end, Code: g.guard})
		}
	}
	return out
}

const maxSteps = 1024

// about returns the end of the attributes' target: an item, a statement, a field, an arm.
func (o *outline) about(from, i int) int {
	if o.is(from-1, "if") && o.is(i, "{") {
		return o.after(i) // inside cfg_if
	}
	i, _ = o.visibility(i)
	at, kind := o.qualifiers(i)
	_, isItem := readers[kind]
	braced := isItem && kind != "use" && kind != "const" && kind != "static" && kind != "type" && kind != "extern crate"
	listed := !isItem && !o.is(i, "let")
	arrow := false
	i = max(i, min(at, len(o.toks)-1))
	for range maxSteps {
		if i >= len(o.toks) {
			break
		}
		switch {
		case o.class(i) == closer:
			return i
		case o.is(i, ";"), listed && o.is(i, ","):
			return i + 1
		case o.is(i, "=>"):
			arrow = true
		case o.is(i, "{"):
			next := o.after(i)
			if (braced || listed && (arrow || o.blockBefore(i))) && !o.is(next, "else") {
				return next
			}
		}
		i = o.after(i)
	}
	return i
}

// blockBefore reports whether the brace at i opens a block rather than struct fields.
func (o *outline) blockBefore(i int) bool {
	if o.is(i-1, "!") {
		return true
	}
	return o.class(i-1) != word || bodyWords[o.name(i-1)] || o.name(i-1) == "else" || !o.is(o.after(i), ";") && !o.is(o.after(i), ".")
}

// guards are the conditions of alternative declarations.
type guards []string

// mostGuards bounds the alternatives: more of them count as none.
const mostGuards = 16

func (g *guards) add(guard string) {
	if !slices.Contains(*g, guard) && len(*g) <= mostGuards {
		*g = append(*g, guard)
	}
}

// guard returns the disjunction of the conditions; empty if one always holds.
func (g guards) guard() string {
	if len(g) == 0 || len(g) > mostGuards || slices.ContainsFunc(g, func(one string) bool { return one == "" || slices.Contains(g, "not("+one+")") }) {
		return ""
	}
	slices.Sort(g)
	if out := "any(" + strings.Join(g, ", ") + ")"; len(g) > 1 && len(out) <= maxGuard {
		return out
	}
	return g[0]
}

func (o *outline) guard(it *item) string { return both(it.scope.guard, o.cfg(it.attrs, it.first)) }

// mainGuard returns the condition of the main function; ok is false without one.
func mainGuard(symbols []source.Symbol) (guard string, ok bool) {
	i := slices.IndexFunc(symbols, func(s source.Symbol) bool { return s.Name == "main" && s.Kind == source.Func })
	if i < 0 {
		return "", false
	}
	return symbols[i].Guard, true
}
