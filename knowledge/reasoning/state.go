package reasoning

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Item is a position as it stands now.
type Item struct {
	Event        *ledger.Event
	Status       Status
	Standing     Standing
	SupersededBy ledger.ID
	Away         ledger.ID   // what parked or withdrew it last, where it is parked
	Challenges   []ledger.ID // that are open
	Against      []ledger.ID // all contradictions of it, whatever became of them
	Trail        []ledger.ID // the events by which it came to this, and what came of it, in the order of the log
}

// Holds reports whether it is part of what is thought now.
func (i Item) Holds() bool { return i.Status == Active || i.Status == Resolved }

// State is what is thought now. An item that is contested is among what is current as well. Each list has the newest first.
type State struct {
	Current   []Item // propositions, refinements and syntheses that hold
	Contested []Item // those of them against which something is open
	Open      []Item // contradictions that nothing answered
	Past      []Item // what was superseded, resolved or parked
}

// Pending are the open contradictions of what holds in spite of them. The others ruled something out, and are told with that.
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

// State tells of all positions, or, where only is not nil, of those that it has a score for, those with the highest first.
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

// Item is a position as it stands now.
func (g *Graph) Item(id ledger.ID) Item {
	e, _ := g.log.Find(id)
	item := Item{Event: e, Status: g.Status(id), Standing: g.Standing(id), Against: g.touching(id).contradicted, Trail: g.Trail(id)}
	if item.Status == Superseded {
		item.SupersededBy = g.SupersededBy(id)
	}
	if t := g.touching(id); item.Status == Parked {
		away := g.sorted(slices.Concat(t.parked, t.withdrawn))
		item.Away = away[len(away)-1]
	}
	if g.Holds(id) {
		item.Challenges = g.Open(id)
	}
	return item
}

// mostTold is how many events of a trail are told: those next to the position.
const mostTold = 100

// Trail are the events by which a position came to what it is, and what came of it, in the order of the log: what it was refined
// from, what was said against any of that, what was done to it, and what took its place.
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

// done are the events that did something to a position.
func (g *Graph) done(id ledger.ID) []ledger.ID {
	t := g.touching(id)
	return slices.Concat(t.contradicted, t.answered, t.refined, t.absorbed, t.drawn, t.parked, t.withdrawn, t.back, t.confirmed)
}

// Near scores the positions that a text is about: those that have its words, and what became of them. Nil where none has.
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

// became are a position, the first of those that took its place one behind the other and the last, and the syntheses that were drawn
// from any of them.
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
		for _, s := range g.touching(at).drawn {
			add(s)
		}
	}
	return out
}

// Present is what holds in the place of a position that gave way, however often that gave way again.
func (g *Graph) Present(id ledger.ID) ledger.ID { return g.end(id, map[ledger.ID]ledger.ID{}) }

// end is Present, with what is known of others: a question has the words of many positions that gave way to the same.
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
