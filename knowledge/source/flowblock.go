package source

import (
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
func withoutGuards(list []call, effects []control.Nest) {
	told := func(guard control.Branch) bool {
		in := func(n control.Nest) bool { return n.In(guard) }
		return slices.ContainsFunc(effects, in) || slices.ContainsFunc(list, func(o call) bool { return slices.ContainsFunc(o.nests, in) })
	}
	for i := range list {
		k := &list[i]
		k.nests = slices.DeleteFunc(slices.Clone(k.nests), func(n control.Nest) bool { return len(n.Guards) > 0 && !slices.ContainsFunc(n.Guards, told) })
		if len(k.nests) == 0 {
			k.branch &= control.Result
		}
	}
}

// mostConditions limits the blocks around a call.
const mostConditions = 3

// conditions returns the branches of a call that are told: of those around the same calls the innermost one, and a loop
// around it.
func conditions(list []call, k call) (out []control.Branch) {
	for i, n := range k.nests {
		last := i == len(k.nests)-1
		more := func(o call) bool {
			at := slices.IndexFunc(o.nests, func(m control.Nest) bool { return m.Branch.SameFork(n.Branch) })
			return at >= 0 && (at+1 == len(o.nests) || o.nests[at+1].Branch != k.nests[i+1].Branch)
		}
		if last || n.Branch.IsLoop() && !k.nests[i+1].Branch.IsLoop() || slices.ContainsFunc(list, more) {
			out = append(out, n.Branch)
		}
	}
	if n := len(out) - mostConditions; n > 0 {
		out = slices.Delete(out, mostConditions-1, mostConditions-1+n)
	}
	return out
}

// blocksOf finds the blocks of conditional calls of one caller.
func blocksOf(list []call) []block {
	out := make([]block, len(list))
	var open []control.Branch
	for i, k := range list {
		chain := conditions(list, k)
		at := 0
		for at < min(len(open), len(chain)) && open[at] == chain[at] {
			at++
		}
		out[i].within = at
		var when []string
		for j := at; j < len(chain); j++ {
			switch {
			case chain[j].IsLoop():
				when = append(when, string(InLoop))
			case j == at && j < len(open) && open[j].Excludes(chain[j]):
				when = append(when, string(InOtherCases))
			default:
				when = append(when, string(InSomeCases))
			}
		}
		out[i].when, open = When(strings.Join(when, Within)), chain
	}
	return out
}
