// Package reasoning derives the state of thinking from the ledger: which positions hold, which were given up and for what, what is
// contested, and what nobody ever challenged. Nothing of it is stored. A contradiction defeats what was there when it was made and
// never what came about without knowing of it: what two branches concluded side by side is contested, whichever is merged first.
package reasoning

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Status is what became of a position.
type Status string

// A refinement that answers a contradiction is resolved, and so is the contradiction: both are as current as what is active. What is
// parked or was withdrawn is out of the discussion until it is resumed.
const (
	Active     Status = "active"
	Superseded Status = "superseded"
	Resolved   Status = "resolved"
	Parked     Status = "parked"
)

// Standing is how a position that holds has fared.
type Standing string

// A position that was never challenged is not settled: nobody may have looked.
const (
	Settled      Standing = "settled"      // it survived a challenge, or a person confirmed it
	Contested    Standing = "contested"    // a challenge is open
	Unchallenged Standing = "unchallenged" // nobody said anything against it
	None         Standing = "none"         // it does not hold
)

// Graph is the state of thinking at the end of a log. Events that are added to the log are added to the graph with Add.
type Graph struct {
	log     *ledger.Log
	touched map[ledger.ID]*touches
	known   map[ledger.ID]Status
	depth   int
}

// touches are the events that name a position, by what they do to it, each list in the order of the log.
type touches struct {
	contradicted []ledger.ID
	refined      []ledger.ID // also by the answer to a contradiction of it
	answered     []ledger.ID // of a contradiction: the refinements that resolve it
	drawn        []ledger.ID // on, by syntheses
	absorbed     []ledger.ID // by syntheses that stand in its place
	parked       []ledger.ID
	withdrawn    []ledger.ID
	back         []ledger.ID // resumed
	confirmed    []ledger.ID
}

// New derives the graph of a log.
func New(log *ledger.Log) *Graph {
	g := &Graph{log: log, touched: map[ledger.ID]*touches{}, known: map[ledger.ID]Status{}}
	events := log.Events()
	for i := range events {
		g.touch(&events[i])
	}
	for i := len(events) - 1; i >= 0; i-- { // what decides about an event is behind it
		if events[i].Type.Position() {
			g.Status(events[i].ID)
		}
	}
	return g
}

// Add takes an event into account that was added to the log.
func (g *Graph) Add(e *ledger.Event) {
	g.touch(e)
	if len(g.known) > 0 {
		g.known = map[ledger.ID]Status{} // to clear one takes as long as it is large, each time
	}
}

func (g *Graph) of(id ledger.ID) *touches {
	t := g.touched[id]
	if t == nil {
		t = &touches{}
		g.touched[id] = t
	}
	return t
}

func (g *Graph) touch(e *ledger.Event) {
	for _, id := range e.Targets {
		t := g.of(id)
		switch e.Type {
		case ledger.Contradiction:
			g.note(&t.contradicted, e.ID)
		case ledger.Refinement:
			g.note(&t.refined, e.ID)
		case ledger.Synthesis:
			g.note(&t.drawn, e.ID)
			if e.Supersedes {
				g.note(&t.absorbed, e.ID)
			}
		case ledger.Park:
			g.note(&t.parked, e.ID)
		case ledger.Withdraw:
			g.note(&t.withdrawn, e.ID)
		case ledger.Resume:
			g.note(&t.back, e.ID)
		case ledger.Confirm:
			g.note(&t.confirmed, e.ID)
		}
	}
	for _, id := range e.Resolves {
		g.note(&g.of(id).answered, e.ID)
		if c, ok := g.log.Find(id); ok && c.Type == ledger.Contradiction {
			for _, target := range c.Targets {
				g.note(&g.of(target).refined, e.ID)
			}
		}
	}
}

// note adds an event to a list, at its place in the order of the log, once.
func (g *Graph) note(list *[]ledger.ID, id ledger.ID) {
	if at, found := slices.BinarySearchFunc(*list, id, g.log.Compare); !found {
		*list = slices.Insert(*list, at, id)
	}
}

var untouched touches

func (g *Graph) touching(id ledger.ID) *touches {
	if t := g.touched[id]; t != nil {
		return t
	}
	return &untouched
}

// away reports whether an event was parked or withdrawn, and not resumed by somebody who knew.
func (g *Graph) away(id ledger.ID) bool {
	return g.stays(id, g.touching(id).parked) || g.withdrawn(id)
}

// withdrawn reports whether an event was taken back. What was only put aside still did what it did.
func (g *Graph) withdrawn(id ledger.ID) bool { return g.stays(id, g.touching(id).withdrawn) }

// stays reports whether one of the events that put another away was not undone by somebody who knew of it.
func (g *Graph) stays(id ledger.ID, away []ledger.ID) bool {
	return slices.ContainsFunc(away, func(gone ledger.ID) bool {
		return !slices.ContainsFunc(g.touching(id).back, func(back ledger.ID) bool { return g.log.Saw(back, gone) })
	})
}

// live are the events of a list that were not taken back.
func (g *Graph) live(list []ledger.ID) []ledger.ID {
	return slices.DeleteFunc(slices.Clone(list), g.withdrawn)
}

// apart reports whether neither of two events knew of the other.
func (g *Graph) apart(a, b ledger.ID) bool {
	return a != b && !g.log.Saw(a, b) && !g.log.Saw(b, a)
}

// deepest is how many contradictions of contradictions are followed. What is behind counts as it was said.
const deepest = 10_000

// Status is what became of a position; empty for what is none.
func (g *Graph) Status(id ledger.ID) Status {
	if s, ok := g.known[id]; ok {
		return s
	}
	e, ok := g.log.Find(id)
	if !ok || !e.Type.Position() {
		return ""
	}
	if g.depth == deepest {
		return Active
	}
	g.depth++
	s := g.status(e)
	g.depth--
	g.known[id] = s
	return s
}

func (g *Graph) status(e *ledger.Event) Status {
	t := g.touching(e.ID)
	switch {
	case g.away(e.ID):
		return Parked
	case e.Type == ledger.Contradiction && len(g.live(t.answered)) > 0:
		return Resolved
	case g.SupersededBy(e.ID) != "":
		return Superseded
	case len(e.Resolves) > 0:
		return Resolved
	}
	return Active
}

// Holds reports whether a position is part of what is thought now.
func (g *Graph) Holds(id ledger.ID) bool {
	s := g.Status(id)
	return s == Active || s == Resolved
}

// SupersededBy is what took the place of a position: what it was refined to, the synthesis that it became part of, and where there is
// neither, the contradiction that it fell to. Empty where it stands.
func (g *Graph) SupersededBy(id ledger.ID) ledger.ID {
	t := g.touching(id)
	for _, first := range []func() ledger.ID{
		func() ledger.ID { return g.firstLive(t.refined) },
		func() ledger.ID { return g.reframed(id) },
		func() ledger.ID { return g.firstLive(t.absorbed) },
		func() ledger.ID { return g.defeated(id) },
	} {
		if by := first(); by != "" {
			return by
		}
	}
	return ""
}

// firstLive is the first event of a list that was not taken back.
func (g *Graph) firstLive(list []ledger.ID) ledger.ID {
	for _, id := range list {
		if !g.withdrawn(id) {
			return id
		}
	}
	return ""
}

// reframed is the first refinement, in the knowledge of this one, of what this one refined.
func (g *Graph) reframed(id ledger.ID) ledger.ID {
	for _, before := range g.refines(id) {
		list := g.touching(before).refined
		at, _ := slices.BinarySearchFunc(list, id, g.log.Compare) // what has seen it is behind it
		for _, r := range list[at:min(at+mostBefore, len(list))] {
			if g.log.Saw(r, id) && !g.withdrawn(r) {
				return r
			}
		}
	}
	return ""
}

// refines are the positions that a refinement took the place of: its targets, and those of the contradictions that it answers.
func (g *Graph) refines(id ledger.ID) []ledger.ID {
	e, _ := g.log.Find(id)
	if e.Type != ledger.Refinement {
		return nil
	}
	out := slices.Clone(e.Targets)
	for _, c := range e.Resolves {
		if answered, ok := g.log.Find(c); ok && answered.Type == ledger.Contradiction {
			out = append(out, answered.Targets...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// defeated is the first contradiction that a position fell to. One that was confirmed by somebody who did not know of a contradiction is
// contested by that.
func (g *Graph) defeated(id ledger.ID) ledger.ID {
	t := g.touching(id)
	for _, c := range t.contradicted {
		e, _ := g.log.Find(c)
		if e.Effect == ledger.Challenges || !g.log.Saw(c, id) || !g.stands(c) {
			continue
		}
		if !slices.ContainsFunc(g.live(t.confirmed), func(k ledger.ID) bool { return g.apart(k, c) }) {
			return c
		}
	}
	return ""
}

// stands reports whether what a contradiction says is upheld, by itself or by what it was refined to.
func (g *Graph) stands(c ledger.ID) bool {
	for {
		switch g.Status(c) {
		case Active:
			return true
		case Resolved:
			e, _ := g.log.Find(c)
			return e.Type != ledger.Contradiction // a refinement of one that answers another
		case Superseded:
			if c = g.firstLive(g.touching(c).refined); c == "" {
				return false
			}
		default:
			return false
		}
	}
}
