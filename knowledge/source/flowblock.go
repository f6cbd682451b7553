package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

type block struct {
	within int
	when   When
}

// withoutGuards removes the conditions that nothing excludes: what follows code that leaves early, if that code has neither
// a call in the list nor an external effect.
func withoutGuards(list []call, effects []control.Branch) []call {
	told := func(guard control.Branch) bool {
		in := func(n control.Nest) bool { return n.Branch.Within(guard) }
		effect := func(b control.Branch) bool { return b.Within(guard) }
		return slices.ContainsFunc(effects, effect) || slices.ContainsFunc(list, func(o call) bool { return slices.ContainsFunc(o.nests, in) })
	}
	out := make([]call, 0, len(list))
	for _, k := range list {
		k.nests = slices.DeleteFunc(slices.Clone(k.nests), func(n control.Nest) bool { return len(n.Guards) > 0 && !slices.ContainsFunc(n.Guards, told) })
		if len(k.nests) == 0 {
			k.branch &= control.Result
		}
		out = k.addTo(out, func(o call) []control.Nest { return o.nests })
	}
	return out
}

// joined joins the calls of one callee in all arms of a fork, or of a part of it, if they are the first or the last ones of
// these arms: they run before or after the others.
func joined(list []call) []call {
	for at := 0; at < len(list) && len(list) <= mostJoined; at++ {
		last := len(list[at].nests) - 1
		if last < 0 || list[at].nests[last].All == 0 {
			continue
		}
		a := arms{list, list[at], list[at].nests[last]}
		for _, part := range a.parts() {
			if out := a.join(part); out != nil {
				list, at = out, -1
				break
			}
		}
	}
	return list
}

// mostJoined limits the calls of a function whose arms are compared.
const mostJoined = 128

// arms are the calls of a list in the arms of the fork of a call.
type arms struct {
	list []call
	of   call
	fork control.Nest
}

// in returns the arms that a call is in, or 0.
func (a arms) in(o call) control.Branch {
	for _, n := range o.nests {
		if n.Branch.SameFork(a.fork.Branch) {
			return n.Branch
		}
	}
	return 0
}

// joins reports whether a call may be joined: it has the same callee and is in no further fork.
func (a arms) joins(o call) bool {
	return o.again(a.of) && len(o.nests) > 0 && o.nests[len(o.nests)-1].Branch.SameFork(a.fork.Branch)
}

func (a arms) has(part, b control.Branch) bool { return b&a.fork.All&^part == 0 }

// parts lists the whole fork, the arms with other calls, and those without.
func (a arms) parts() []control.Branch {
	alone := a.fork.Branch &^ a.fork.All
	out := []control.Branch{a.fork.Branch | a.fork.All}
	for _, o := range a.list {
		b := a.in(o)
		switch other := func(p call) bool { return !a.joins(p) && b.Overlaps(a.in(p)) }; {
		case b == 0:
		case !a.joins(o):
			out = append(out, b)
		case !slices.ContainsFunc(a.list, other):
			alone |= b
		}
	}
	return append(out, alone)
}

// join joins the calls in a part of the fork to one that runs in all of the part, or returns nil.
func (a arms) join(part control.Branch) (out []call) {
	var members []int
	union := control.Branch(0)
	for i, o := range a.list {
		if a.joins(o) && a.has(part, a.in(o)) {
			members, union = append(members, i), union|a.in(o)
		}
	}
	if len(members) < 2 || !a.has(union, part) {
		return nil
	}
	before, after := false, false
	for i, o := range a.list {
		for _, m := range members {
			if !a.joins(o) && a.in(o).Overlaps(a.in(a.list[m])) && !a.has(a.in(o), part) {
				before, after = before || i < m, after || i > m
			}
		}
	}
	if before && after {
		return nil
	}
	k, to := a.of, members[0]
	k.branch, k.nests = k.branch&control.Result|a.fork.Outer, slices.Clone(k.nests[:len(k.nests)-1])
	if !a.has(part, a.fork.All) {
		k.branch = k.branch&control.Result | part
		k.nests = append(k.nests, control.Nest{Branch: part, Outer: a.fork.Outer, All: a.fork.All})
	}
	if before {
		to = members[len(members)-1]
	}
	for i, o := range a.list {
		if i == to {
			out = append(out, k)
		} else if !slices.Contains(members, i) {
			out = append(out, o)
		}
	}
	return out
}

// mostConditions limits the blocks around a call.
const mostConditions = 4

// condition is a branch with its condition in words, and those of the branches around it that are not told alone.
type condition struct {
	control.Branch
	when  When
	outer []string
}

// conditions returns the branches of a call that are told: of those around the same calls the innermost one, a loop around
// it, and both for code in the background.
func conditions(list []call, k call) (out []condition) {
	var outer []string
	for i, n := range k.nests {
		last := i == len(k.nests)-1 || n.Branch.IsBackground() || k.nests[i+1].Branch.IsBackground()
		more := func(o call) bool {
			at := slices.IndexFunc(o.nests, func(m control.Nest) bool { return m.Branch.SameFork(n.Branch) })
			return at >= 0 && (at+1 == len(o.nests) || o.nests[at+1].Branch != k.nests[i+1].Branch)
		}
		c := condition{Branch: n.Branch, when: whenOf(n)}
		if last || n.Branch.IsLoop() && !k.nests[i+1].Branch.IsLoop() || slices.ContainsFunc(list, more) {
			c.outer, outer = outer, nil
			out = append(out, c)
		} else if alone := string(c.alone()); !n.Branch.IsLoop() && !slices.Contains(outer, alone) {
			outer = append(outer, alone)
		}
	}
	if n := len(out) - mostConditions; n > 0 {
		last, left := &out[len(out)-1], out[mostConditions-1:len(out)-1]
		last.outer = []string{string(InSomeCases)}
		if slices.ContainsFunc(left, func(c condition) bool { return c.IsLoop() }) {
			last.outer[0] = string(InLoop)
		}
		out = slices.Delete(out, mostConditions-1, mostConditions-1+n)
	}
	return out
}

func whenOf(n control.Nest) When {
	switch {
	case n.Branch.IsLoop():
		return InLoop
	case n.Branch.IsBackground():
		return InBackground
	}
	return cmp.Or(When(n.When), InSomeCases)
}

// alone returns the condition where the arms before are no blocks.
func (c condition) alone() When {
	if strings.HasPrefix(string(c.when), but) {
		return InSomeCases
	}
	return c.when
}

// within returns the condition with those around it.
func (c condition) within() When {
	when := string(c.alone())
	words := slices.DeleteFunc(slices.Clone(c.outer), func(s string) bool { return s == when || s == string(InSomeCases) && c.IsLoop() })
	if len(words) > mostOuter {
		words = []string{string(InSomeCases)}
	}
	return When(control.All(append(words, when)...))
}

const mostOuter = 2

// after returns the condition behind a block that excludes it.
func (c condition) after(before condition) When {
	_, asked, _ := strings.Cut(string(before.when), " ")
	verb, answered, _ := strings.Cut(string(c.when), " ")
	switch {
	case c.when == InSomeCases:
		return InOtherCases
	case asked == answered && !strings.HasPrefix(string(before.when), verb):
		return Otherwise
	case strings.HasPrefix(string(c.when), but):
		return but + When(control.All(c.when.Alone()))
	}
	return orElse + When(control.All(string(c.when)))
}

// blocksOf finds the blocks of conditional calls of one caller.
func blocksOf(list []call) []block {
	out := make([]block, len(list))
	var open []condition
	var told [][]condition // by depth, since the block around them began
	for i, k := range list {
		chain := conditions(list, k)
		at := 0
		for at < min(len(open), len(chain)) && open[at].Branch == chain[at].Branch {
			at++
		}
		out[i].within = at
		told = told[:min(len(told), at+1)]
		var when []string
		for j := at; j < len(chain); j++ {
			if j == len(told) {
				told = append(told, nil)
			}
			// after would say that no block before runs with this one
			began := func(c condition) bool { return c.Within(chain[j].Branch) }
			words := chain[j].within()
			if j == at && j < len(open) && open[j].Excludes(chain[j].Branch) && !slices.ContainsFunc(told[j], began) {
				words = chain[j].after(open[j])
			}
			told[j] = append(told[j], chain[j])
			when = append(when, string(words))
		}
		out[i].when, open = When(strings.Join(when, Within)), chain
	}
	return out
}
