package reasoning

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Item is a position with its present state.
type Item struct {
	Event        *ledger.Event
	Status       Status
	Standing     Standing
	SupersededBy ledger.ID
	Away         ledger.ID   // the last event that parked or withdrew it, if it is parked
	Challenges   []ledger.ID // open challenges
	Against      []ledger.ID // all contradictions of it
	Trail        []ledger.ID // related events; see Graph.Trail
}

// Holds reports whether the position is current.
func (i Item) Holds() bool { return i.Status == Active || i.Status == Resolved }

// State lists all positions by state, the newest first. Contested items are also in Current.
type State struct {
	Current   []Item // current propositions, refinements and syntheses
	Contested []Item // current ones with an open challenge
	Open      []Item // unanswered contradictions
	Past      []Item // superseded, resolved or parked positions
}

// Pending returns the open contradictions of current positions. The others defeated a position.
func (s State) Pending() (out []Item) {
	contested := map[ledger.ID]bool{}
	for _, i := range s.Contested {
		for _, c := range i.Challenges {
			contested[c] = true
		}
	}
	for _, i := range s.Open {
		if contested[i.Event.ID] {
			out = append(out, i)
		}
	}
	return out
}

// State returns all positions, or those with a score in only, by descending score.
func (g *Graph) State(only map[ledger.ID]float64) State {
	var ids []ledger.ID
	events := g.log.Events()
	for i := range events {
		if _, wanted := only[events[i].ID]; events[i].Type.Position() && (wanted || only == nil) {
			ids = append(ids, events[i].ID)
		}
	}
	slices.Reverse(ids)
	slices.SortStableFunc(ids, func(a, b ledger.ID) int {
		switch {
		case only[a] > only[b]:
			return -1
		case only[a] < only[b]:
			return 1
		}
		return 0
	})
	var s State
	for _, id := range ids {
		item := g.Item(id)
		switch contradiction := item.Event.Type == ledger.Contradiction; {
		case contradiction && item.Status == Active:
			s.Open = append(s.Open, item)
		case contradiction || !g.Holds(id):
			s.Past = append(s.Past, item)
		default:
			s.Current = append(s.Current, item)
			if item.Standing == Contested {
				s.Contested = append(s.Contested, item)
			}
		}
	}
	return s
}

// Item returns a position with its present state.
func (g *Graph) Item(id ledger.ID) Item {
	e, _ := g.log.Find(id)
	item := Item{Event: e, Status: g.Status(id), Standing: g.Standing(id), Against: g.touching(id, ledger.Contradiction), Trail: g.Trail(id)}
	if item.Status == Superseded {
		item.SupersededBy = g.SupersededBy(id)
	}
	if item.Status == Parked {
		away := g.sorted(slices.Concat(g.touching(id, ledger.Park), g.touching(id, ledger.Withdraw)))
		item.Away = away[len(away)-1]
	}
	if g.Holds(id) {
		item.Challenges = g.Open(id)
	}
	return item
}

const mostTold = 100

// Trail returns the history of a position in log order, from its predecessors to its successors.
func (g *Graph) Trail(id ledger.ID) []ledger.ID {
	out := []ledger.ID{id}
	tell := func(ids ...ledger.ID) {
		for _, other := range ids {
			if len(out) < mostTold && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	e, ok := g.log.Find(id)
	if !ok {
		return nil
	}
	tell(e.Resolves...)
	tell(e.Targets...)
	tell(g.done(id)...)
	for next, seen := id, map[ledger.ID]bool{}; next != "" && !seen[next] && len(out) < mostTold; {
		seen[next] = true
		if next = g.SupersededBy(next); next != "" {
			tell(next)
			tell(g.done(next)...)
		}
	}
	g.lineage(id, func(before, _ ledger.ID) {
		tell(before)
		tell(g.done(before)...)
	})
	return g.sorted(out)
}

// ways lists how events touch others, those that matter most first.
var ways = []ledger.Type{
	ledger.Contradiction, answered, ledger.Refinement, absorbed, ledger.Synthesis, ledger.Park, ledger.Withdraw, ledger.Resume, ledger.Confirm,
}

func (g *Graph) done(id ledger.ID) (out []ledger.ID) {
	for _, way := range ways {
		out = append(out, g.touching(id, way)...)
	}
	return out
}

// Near scores the positions that match a text, with their successors. It is empty if none does.
func (r *Recorder) Near(text string) map[ledger.ID]float64 {
	list := r.words.Cover(text, func(string) bool { return true })
	scores, ends := map[ledger.ID]float64{}, map[ledger.ID]ledger.ID{}
	for _, m := range list {
		if m.Score < list[0].Score/2 {
			break
		}
		for _, id := range r.graph.became(ledger.ID(m.Key), ends) {
			scores[id] = max(scores[id], m.Score)
		}
	}
	return scores
}

// became returns a position, its successors in order, its current form, and the syntheses that use any of them.
func (g *Graph) became(id ledger.ID, ends map[ledger.ID]ledger.ID) []ledger.ID {
	out := []ledger.ID{id}
	add := func(other ledger.ID) bool {
		room := len(out) < mostTold && !slices.Contains(out, other)
		if room {
			out = append(out, other)
		}
		return room
	}
	add(g.end(id, ends))
	for next := g.SupersededBy(id); next != "" && add(next); {
		next = g.SupersededBy(next)
	}
	for _, at := range slices.Clone(out) {
		for _, s := range g.touching(at, ledger.Synthesis) {
			add(s)
		}
	}
	return out
}

// Present returns the current successor of a position.
func (g *Graph) Present(id ledger.ID) ledger.ID { return g.end(id, map[ledger.ID]ledger.ID{}) }

// end implements Present with a cache, because many positions have the same successor.
func (g *Graph) end(id ledger.ID, known map[ledger.ID]ledger.ID) ledger.ID {
	passed := map[ledger.ID]bool{}
	for known[id] == "" && !passed[id] && g.Status(id) == Superseded {
		passed[id] = true
		id = g.SupersededBy(id)
	}
	if known[id] != "" {
		id = known[id]
	}
	for p := range passed {
		known[p] = id
	}
	return id
}
