package reasoning

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
)

// How sure words have to be: four fifths of them, by how rare they are, and a fifth more than in the next best. In a trial with half of the words of
// a text, shuffled, all that were accepted were right.
const (
	enough    = 0.8
	ahead     = 0.2
	leastSaid = 3 // words that tell something
)

// leastDigits is how many digits of an id are taken for one.
const leastDigits = 8

// role is what an event is wanted for, with the positions that can serve.
type role struct {
	name   string
	serves func(g *Graph, e *ledger.Event) bool
}

// roles are what an event of a type names others for.
var roles = map[ledger.Type]role{
	ledger.Contradiction: {"contradict", present},
	ledger.Refinement:    {"refine", present},
	ledger.Synthesis:     {"draw on", func(_ *Graph, e *ledger.Event) bool { return e.Type.Position() }},
	ledger.Park:          {"park", present},
	ledger.Resume:        {"resume", func(g *Graph, e *ledger.Event) bool { return g.away(e.ID) }},
	ledger.Withdraw: {"withdraw", func(g *Graph, e *ledger.Event) bool {
		return present(g, e) || e.Type == ledger.Confirm && !g.away(e.ID)
	}},
	ledger.Confirm: {"confirm", func(g *Graph, e *ledger.Event) bool { return g.Holds(e.ID) }},
}

// present reports whether an event is a position that nobody took away.
func present(g *Graph, e *ledger.Event) bool { return e.Type.Position() && !g.away(e.ID) }

var (
	answers = role{"resolve", func(g *Graph, e *ledger.Event) bool { return e.Type == ledger.Contradiction && !g.away(e.ID) }}
	regards = role{"consider", func(*Graph, *ledger.Event) bool { return true }}
)

// Find is the event that a reference names: by an id or eight digits and more of its beginning, by where it was said, by a quotation in
// double quotes, or in words. Words name what holds; an id names whatever there is. Nothing is guessed: where two fit, or none well enough,
// the error is a *DropError.
func (r *Recorder) Find(ref string) (ledger.ID, error) {
	id, d := r.resolve(ref, regards, func(ledger.ID) bool { return true })
	if d != nil {
		return "", d
	}
	return id, nil
}

// resolve finds what a reference names for a role. Words can only mean what current says.
func (r *Recorder) resolve(ref string, as role, current func(ledger.ID) bool) (ledger.ID, *DropError) {
	ref = strings.TrimSpace(ref)
	var found []ledger.ID
	switch {
	case len(ref) >= leastDigits && strings.Trim(ref, "0123456789abcdef") == "":
		found = r.log.Beginning(ref)
	case len(ref) > 1 && ref[0] == '"' && ref[len(ref)-1] == '"':
		found = r.quoting(ref[1 : len(ref)-1])
	default:
		if found = r.saidAt(ref); len(found) == 0 {
			return r.inWords(ref, as, current)
		}
	}
	switch {
	case len(found) == 0:
		return "", drop(NoCandidate, nil, "there is no event %s", ref)
	case len(found) > 1:
		return "", drop(Ambiguous, candidates(found), "%s means more than one event", ref)
	}
	e, _ := r.log.Find(found[0])
	if !as.serves(r.graph, e) {
		return "", drop(WrongStatus, candidates(found), "it cannot %s %s: that is %s", as.name, e.ID.Short(), r.what(e))
	}
	return e.ID, nil
}

func (r *Recorder) what(e *ledger.Event) string {
	if s := r.graph.Status(e.ID); s != "" {
		return "a " + string(e.Type) + " that is " + string(s)
	}
	return "of type " + string(e.Type)
}

func candidates(ids []ledger.ID) []Candidate {
	out := make([]Candidate, len(ids))
	for i, id := range ids {
		out[i] = Candidate{id, 1}
	}
	return out
}

// quoting lists the events that say exactly something, and where there is none, those in which it stands.
func (r *Recorder) quoting(quote string) (found []ledger.ID) {
	quote = spaced(quote)
	if quote == "" {
		return nil
	}
	var within []ledger.ID
	events := r.log.Events()
	for i := range events {
		switch text := spaced(events[i].Text); {
		case text == quote:
			found = append(found, events[i].ID)
		case strings.Contains(text, quote):
			within = append(within, events[i].ID)
		}
	}
	if len(found) == 0 {
		return within
	}
	return found
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// saidAt lists the events that were said at a place: the same as their source.
func (r *Recorder) saidAt(place string) (found []ledger.ID) {
	events := r.log.Events()
	for i := range events {
		if place != "" && events[i].Source == place {
			found = append(found, events[i].ID)
		}
	}
	return found
}

func (r *Recorder) inWords(words string, as role, current func(ledger.ID) bool) (ledger.ID, *DropError) {
	if terms := lexical.Terms(words); len(slices.Compact(slices.Sorted(slices.Values(terms)))) < leastSaid {
		return "", drop(TooVague, nil, "%q is too vague: name an event by its id, by a quotation, or in %d distinctive words", words, leastSaid)
	}
	serves := func(key string) bool {
		e, ok := r.log.Find(ledger.ID(key))
		return ok && as.serves(r.graph, e)
	}
	list := r.words.Cover(words, func(key string) bool { return serves(key) && current(ledger.ID(key)) })
	near := make([]Candidate, min(len(list), mostCandidates))
	for i := range near {
		near[i] = Candidate{ledger.ID(list[i].Key), list[i].Score}
	}
	switch {
	case len(list) > 0 && list[0].Score >= enough && (len(list) == 1 || list[0].Score-list[1].Score >= ahead):
		return near[0].ID, nil
	case len(list) > 1 && list[0].Score >= enough:
		return "", drop(Ambiguous, near, "%q fits more than one event", words)
	}
	if all := r.words.Cover(words, func(string) bool { return true }); len(all) > 0 && all[0].Score >= enough {
		e, _ := r.log.Find(ledger.ID(all[0].Key))
		return "", drop(WrongStatus, []Candidate{{e.ID, all[0].Score}}, "it cannot %s %s: that is %s", as.name, e.ID.Short(), r.what(e))
	}
	if len(list) == 0 {
		return "", drop(NoCandidate, nil, "no event has words of %q", words)
	}
	return "", drop(BelowThreshold, near, "no event fits %q well enough", words)
}
