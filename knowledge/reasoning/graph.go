// Package reasoning derives current, superseded, contested and unchallenged positions from the ledger. A
// contradiction defeats only events that its author knew. Positions from parallel branches contest each other in any
// merge order.
package reasoning

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/ledger"
)

// Status is the status of a position.
type Status string

// Statuses of positions. Active and Resolved positions are current. A contradiction and the refinement that answers
// it are Resolved. A parked or withdrawn position is Parked until it is resumed.
const (
	Active     Status = "active"
	Superseded Status = "superseded"
	Resolved   Status = "resolved"
	Parked     Status = "parked"
)

// Standing describes how well a current position is supported.
type Standing string

// An unchallenged position is not settled, because perhaps no reviewer examined it.
const (
	Settled      Standing = "settled"      // it survived a challenge, or a person confirmed it
	Contested    Standing = "contested"    // a challenge is open
	Unchallenged Standing = "unchallenged" // no event challenges it
	None         Standing = "none"         // it is not current
)

// Graph is the state at the end of a log. Add extends it with new events.
type Graph struct {
	log     *ledger.Log
	touched map[touch][]ledger.ID // the events that touch another one, in log order
	known   map[ledger.ID]Status
	depth   int
}

// touch is a way in which later events touch an event: the type of these events, or answered or absorbed.
type touch struct {
	id  ledger.ID
	way ledger.Type
}

const (
	answered ledger.Type = "answered" // by a refinement that resolves the contradiction
	absorbed ledger.Type = "absorbed" // by a synthesis that replaces it
)

// New derives the graph of a log.
func New(log *ledger.Log) *Graph {
	g := &Graph{log: log, touched: map[touch][]ledger.ID{}, known: map[ledger.ID]Status{}}
	events := log.Events()
	for i := range events {
		g.touch(&events[i])
	}
	for i := len(events) - 1; i >= 0; i-- { // from the end, because later events decide about earlier ones
		if events[i].Type.Position() {
			g.Status(events[i].ID)
		}
	}
	return g
}

// Add includes an event that was added to the log.
func (g *Graph) Add(e *ledger.Event) {
	g.touch(e)
	if len(g.known) > 0 {
		g.known = map[ledger.ID]Status{} // clear would take time linear in the map
	}
}

func (g *Graph) touch(e *ledger.Event) {
	for _, id := range e.Targets {
		g.note(id, e.Type, e.ID)
		if e.Supersedes {
			g.note(id, absorbed, e.ID)
		}
	}
	for _, id := range e.Resolves {
		g.note(id, answered, e.ID)
		if c, ok := g.log.Find(id); ok && c.Type == ledger.Contradiction {
			for _, target := range c.Targets {
				g.note(target, ledger.Refinement, e.ID)
			}
		}
	}
}

func (g *Graph) note(id ledger.ID, way ledger.Type, by ledger.ID) {
	list := g.touched[touch{id, way}]
	if at, found := slices.BinarySearchFunc(list, by, g.log.Compare); !found {
		g.touched[touch{id, way}] = slices.Insert(list, at, by)
	}
}

// touching lists the events that touch an event in a way.
func (g *Graph) touching(id ledger.ID, way ledger.Type) []ledger.ID { return g.touched[touch{id, way}] }

// away reports whether an event was parked or withdrawn, and not resumed by an event that saw this.
func (g *Graph) away(id ledger.ID) bool {
	return g.stays(id, g.touching(id, ledger.Park)) || g.withdrawn(id)
}

// withdrawn reports whether an event was withdrawn. A parked event keeps its effect.
func (g *Graph) withdrawn(id ledger.ID) bool { return g.stays(id, g.touching(id, ledger.Withdraw)) }

// stays reports whether one of the events in away was not undone by an event that saw it.
func (g *Graph) stays(id ledger.ID, away []ledger.ID) bool {
	return slices.ContainsFunc(away, func(gone ledger.ID) bool {
		return !slices.ContainsFunc(g.touching(id, ledger.Resume), func(back ledger.ID) bool { return g.log.Saw(back, gone) })
	})
}

func (g *Graph) live(list []ledger.ID) []ledger.ID {
	return slices.DeleteFunc(slices.Clone(list), g.withdrawn)
}

func (g *Graph) apart(a, b ledger.ID) bool {
	return a != b && !g.log.Saw(a, b) && !g.log.Saw(b, a)
}

// deepest limits the recursion through contradictions of contradictions. Beyond it they count as active.
const deepest = 10_000

// Status returns the status of a position, or "" for other events.
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
	switch {
	case g.away(e.ID):
		return Parked
	case e.Type == ledger.Contradiction && len(g.live(g.touching(e.ID, answered))) > 0:
		return Resolved
	case g.SupersededBy(e.ID) != "":
		return Superseded
	case len(e.Resolves) > 0:
		return Resolved
	}
	return Active
}

// Holds reports whether a position is current.
func (g *Graph) Holds(id ledger.ID) bool {
	s := g.Status(id)
	return s == Active || s == Resolved
}

// SupersededBy returns the event that replaced or defeated a position, or "".
func (g *Graph) SupersededBy(id ledger.ID) ledger.ID {
	for _, first := range []func() ledger.ID{
		func() ledger.ID { return g.firstLive(g.touching(id, ledger.Refinement)) },
		func() ledger.ID { return g.reframed(id) },
		func() ledger.ID { return g.firstLive(g.touching(id, absorbed)) },
		func() ledger.ID { return g.defeated(id) },
	} {
		if by := first(); by != "" {
			return by
		}
	}
	return ""
}

func (g *Graph) firstLive(list []ledger.ID) ledger.ID {
	for _, id := range list {
		if !g.withdrawn(id) {
			return id
		}
	}
	return ""
}

// reframed returns the first other refinement of the same position that saw this one.
func (g *Graph) reframed(id ledger.ID) ledger.ID {
	for _, before := range g.refines(id) {
		list := g.touching(before, ledger.Refinement)
		at, _ := slices.BinarySearchFunc(list, id, g.log.Compare) // events that saw id come later in log order
		for _, r := range list[at:min(at+mostBefore, len(list))] {
			if g.log.Saw(r, id) && !g.withdrawn(r) {
				return r
			}
		}
	}
	return ""
}

// refines returns the positions that a refinement replaced, including targets of the contradictions that it answers.
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

// defeated returns the contradiction that defeated a position. A confirmation that did not see it prevents that.
func (g *Graph) defeated(id ledger.ID) ledger.ID {
	for _, c := range g.touching(id, ledger.Contradiction) {
		e, _ := g.log.Find(c)
		if e.Effect == ledger.Challenges || !g.log.Saw(c, id) || !g.stands(c) {
			continue
		}
		if !slices.ContainsFunc(g.live(g.touching(id, ledger.Confirm)), func(k ledger.ID) bool { return g.apart(k, c) }) {
			return c
		}
	}
	return ""
}

// A contradiction is upheld if it is active, or a refinement of it is.
func (g *Graph) stands(c ledger.ID) bool {
	for {
		switch g.Status(c) {
		case Active:
			return true
		case Resolved:
			e, _ := g.log.Find(c)
			return e.Type != ledger.Contradiction // a refinement that itself answers another contradiction
		case Superseded:
			if c = g.firstLive(g.touching(c, ledger.Refinement)); c == "" {
				return false
			}
		default:
			return false
		}
	}
}
