package reasoning

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
)

// Required certainty of a match by words: weighted coverage, and its lead over the next match. In a trial with
// shuffled halves of texts, all accepted matches were right.
const (
	enough    = 0.8
	ahead     = 0.2
	leastSaid = 3 // distinctive words
)

const leastDigits = 8

type role struct {
	name   string
	serves func(g *Graph, e *ledger.Event) bool
}

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

func present(g *Graph, e *ledger.Event) bool { return e.Type.Position() && !g.away(e.ID) }

var (
	answers = role{"resolve", func(g *Graph, e *ledger.Event) bool { return e.Type == ledger.Contradiction && !g.away(e.ID) }}
	regards = role{"consider", func(*Graph, *ledger.Event) bool { return true }}
)

// Find resolves an ID, a prefix of at least eight digits, a source, a quotation in double quotes, or words. If the
// match is ambiguous or too weak, the error is a *DropError.
func (r *Recorder) Find(ref string) (ledger.ID, error) {
	id, d := r.resolve(ref, regards, func(ledger.ID) bool { return true })
	if d != nil {
		return "", d
	}
	return id, nil
}

func (r *Recorder) resolve(ref string, as role, current func(ledger.ID) bool) (ledger.ID, *DropError) {
	ref = strings.TrimSpace(ref)
	var found []ledger.ID
	switch {
	case len(ref) >= leastDigits && strings.Trim(ref, "0123456789abcdef") == "":
		found = r.log.Beginning(ref)
	case len(ref) > 1 && ref[0] == '"' && ref[len(ref)-1] == '"':
		whole, within := r.quoting(ref[1 : len(ref)-1])
		if found = whole; len(found) == 0 {
			found = within
		}
	default:
		if found = r.saidAt(ref); len(found) == 0 {
			found, _ = r.quoting(ref)
			if len(found) != 1 {
				return r.inWords(ref, as, current)
			}
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

// quoting returns the events with the quotation as text or first line, and the events that contain it.
func (r *Recorder) quoting(quote string) (whole, within []ledger.ID) {
	if quote = spaced(quote); quote == "" {
		return nil, nil
	}
	events := r.log.Events()
	for i := range events {
		title, _, _ := strings.Cut(events[i].Text, "\n")
		switch text := spaced(events[i].Text); {
		case text == quote, spaced(title) == quote:
			whole = append(whole, events[i].ID)
		case strings.Contains(text, quote):
			within = append(within, events[i].ID)
		}
	}
	return whole, within
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

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
	serves := func(key string) bool {
		e, ok := r.log.Find(ledger.ID(key))
		return ok && as.serves(r.graph, e)
	}
	list := r.words.Cover(words, func(key string) bool { return serves(key) && current(ledger.ID(key)) })
	near := make([]Candidate, min(len(list), mostCandidates))
	for i := range near {
		near[i] = Candidate{ledger.ID(list[i].Key), list[i].Score}
	}
	if terms := lexical.Terms(words); len(slices.Compact(slices.Sorted(slices.Values(terms)))) < leastSaid {
		return "", drop(TooVague, near, "%q is too vague: name an event by its id, by a quotation, or in %d distinctive words", words, leastSaid)
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
