package source

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/source/control"
)

type block struct {
	within int
	when   When
}

// blocksOf finds the blocks of conditional calls of one caller. The arms of a fork are contiguous: calls between calls of
// one fork are in its arms.
func blocksOf(list []call) []block {
	out := make([]block, len(list))
	var open []control.Branch
	for i, k := range list {
		if !k.branch.Conditional() {
			open = nil
			continue
		}
		at := slices.IndexFunc(open, k.branch.SameFork)
		when := InSomeCases
		if k.branch.IsLoop() {
			when = InLoop
		}
		if at < 0 {
			for at = len(open); at > 0 && !slices.ContainsFunc(list[i:], func(o call) bool { return o.branch.SameFork(open[at-1]) }); {
				at--
			}
			out[i] = block{at, when}
		} else if was := open[at]; was == k.branch {
			out[i], open = block{at + 1, Always}, open[:at+1]
			continue
		} else if out[i] = (block{at, when}); was.Excludes(k.branch) {
			out[i].when = InOtherCases
		}
		open = append(open[:at], k.branch)
	}
	return out
}
