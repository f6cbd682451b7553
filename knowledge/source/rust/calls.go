package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (o *outline) macroCall(i int) (end int, ok bool) {
	if o.is(i, "::") {
		i++
	}
	for o.class(i) == word && o.is(i+1, "::") {
		i += 2
	}
	if o.is(i, "$") {
		i++
	}
	if o.class(i) != word || !o.is(i+1, "!") {
		return i, false
	}
	i += 2
	if o.class(i) == word {
		i++
	}
	if o.class(i) != opener {
		return i, false
	}
	i = o.after(i)
	if o.is(i, ";") {
		i++
	}
	return i, true
}

// wrapped reads the items in a macro that only enables or disables them, judging by its name: cfg_if! and others.
func (o *outline) wrapped(it *item, i, end int) {
	for o.is(i+1, "::") {
		i += 2
	}
	if !strings.HasPrefix(o.name(i), "cfg_") || !o.is(i+2, "{") {
		return
	}
	body := i + 2
	if !o.is(body+1, "if") {
		o.enterWrapped(it, i, body, o.name(i)+"!")
		return
	}
	var before []string
	for from, at := body+1, body+1; at < int(o.toks[body].mate); at = o.after(at) {
		if o.is(at, "{") {
			guard := o.cfg(from, at)
			if guard != "" {
				before = append(before, "not("+guard+")")
			}
			for _, other := range before[:max(len(before)-1, 0)] {
				guard = both(guard, other)
			}
			if o.is(at-1, "else") && len(before) > 0 {
				guard = both(guard, before[len(before)-1])
			}
			o.enterWrapped(it, from, at, guard)
			from = o.after(at)
		}
	}
}

func (o *outline) enterWrapped(it *item, from, body int, guard string) {
	up := it.scope
	s := o.enter(it, body, up.kind, "")
	s.attrs, s.head, s.headEnd, s.owner = up.attrs, up.head, up.headEnd, up.owner
	s.generics, s.selfAt = up.generics, up.selfAt
	s.guard = both(s.guard, guard)
	o.wrappers = append(o.wrappers, guarded{start: body, end: s.end, guard: guard})
	s.wrapper = string(source.DigestOf(up.wrapper, o.render(from, body)))
}
