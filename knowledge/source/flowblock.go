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

// withoutGuards removes the conditions that no other call of the caller excludes: what follows the code that leaves early,
// if that code is not told.
func withoutGuards(list []call) {
	told := func(guard control.Branch) bool {
		return slices.ContainsFunc(list, func(o call) bool {
			return slices.ContainsFunc(o.nests, func(n control.Nest) bool { return n.In(guard) })
		})
	}
	for i := range list {
		k := &list[i]
		k.nests = slices.DeleteFunc(slices.Clone(k.nests), func(n control.Nest) bool { return len(n.Guards) > 0 && !slices.ContainsFunc(n.Guards, told) })
		if len(k.nests) == 0 {
			k.branch &= control.Result
		}
	}
}

// conditions returns the branches of a call that are told: loops, the innermost one, and those with other calls.
func conditions(list []call, k call) (out []control.Branch) {
	for i, n := range k.nests {
		others := func(o call) bool {
			return o.use != k.use && slices.ContainsFunc(o.nests, func(m control.Nest) bool { return m.Branch.SameFork(n.Branch) })
		}
		if i == len(k.nests)-1 || n.Branch.IsLoop() || slices.ContainsFunc(list, others) {
			out = append(out, n.Branch)
		}
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
