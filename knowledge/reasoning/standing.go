package reasoning

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Standing returns the standing of a position.
func (g *Graph) Standing(id ledger.ID) Standing {
	switch {
	case !g.Holds(id):
		return None
	case len(g.Open(id)) > 0:
		return Contested
	case len(g.live(g.touching(id, ledger.Confirm))) > 0 || g.survived(id):
		return Settled
	}
	return Unchallenged
}

// Limits for one position, because a malicious log may relate all events to each other.
const (
	mostBefore = 1000 // predecessors of a position
	mostOpen   = 100  // challenges returned
)

// Open lists at most mostOpen unanswered challenges of a position in log order: its contradictions, contradictions of
// its predecessors from parallel branches, and parallel refinements of the same position.
func (g *Graph) Open(id ledger.ID) []ledger.ID {
	var out []ledger.ID
	challenge := func(list []ledger.ID, counts func(c ledger.ID) bool) {
		for _, c := range list {
			if len(out) < mostOpen && counts(c) {
				out = append(out, c)
			}
		}
	}
	challenge(g.touching(id, ledger.Contradiction), g.stands)
	g.lineage(id, func(before, child ledger.ID) {
		challenge(g.touching(before, ledger.Contradiction), func(c ledger.ID) bool { return g.apart(c, id) && g.stands(c) })
		for _, r := range g.touching(before, ledger.Refinement) {
			if len(out) < mostOpen && g.apart(r, child) && !g.log.Saw(id, r) && !g.withdrawn(r) {
				challenge(g.tips(r, id), func(ledger.ID) bool { return true })
			}
		}
	})
	return g.sorted(out)
}

// lineage calls fn once for each predecessor of a position, with the successor that leads to it.
func (g *Graph) lineage(id ledger.ID, fn func(before, child ledger.ID)) {
	seen := map[ledger.ID]bool{id: true}
	for queue := []ledger.ID{id}; len(queue) > 0; queue = queue[1:] {
		for _, before := range g.replaces(queue[0]) {
			if !seen[before] && len(seen) < mostBefore {
				seen[before] = true
				fn(before, queue[0])
				queue = append(queue, before)
			}
		}
	}
}

func (g *Graph) replaces(id ledger.ID) []ledger.ID {
	if e, ok := g.log.Find(id); ok && e.Type == ledger.Synthesis && e.Supersedes {
		return e.Targets
	}
	return g.refines(id)
}

// tips returns the current successors of a refinement that did not see a position.
func (g *Graph) tips(r, id ledger.ID) (out []ledger.ID) {
	seen := map[ledger.ID]bool{r: true}
	for queue := []ledger.ID{r}; len(queue) > 0; queue = queue[1:] {
		switch at := queue[0]; {
		case g.log.Saw(at, id):
		case g.Holds(at):
			out = append(out, at)
		default:
			for _, next := range g.live(g.touching(at, ledger.Refinement)) {
				if !seen[next] && len(seen) < mostBefore {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return out
}

func (g *Graph) survived(id ledger.ID) bool {
	outlived := func(of ledger.ID) bool {
		return slices.ContainsFunc(g.touching(of, ledger.Contradiction), func(c ledger.ID) bool {
			return !g.stands(c) && (g.Status(c) != Parked || g.withdrawn(c))
		})
	}
	found := outlived(id)
	g.lineage(id, func(before, _ ledger.ID) { found = found || outlived(before) })
	return found
}

func (g *Graph) sorted(ids []ledger.ID) []ledger.ID {
	slices.SortFunc(ids, g.log.Compare)
	return slices.Compact(ids)
}
