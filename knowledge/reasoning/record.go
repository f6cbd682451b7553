package reasoning

import (
	"errors"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/lexical"
)

// Recorder adds drafts of events to a log. It resolves their references without guessing.
type Recorder struct {
	log     *ledger.Log
	graph   *Graph
	words   *lexical.Index
	keys    map[string]ledger.ID
	dropped map[string]bool // keys of drafts that were not recorded
}

// NewRecorder returns a Recorder for a log.
func NewRecorder(log *ledger.Log) *Recorder {
	r := &Recorder{log: log, graph: New(log), words: lexical.New(), keys: map[string]ledger.ID{}, dropped: map[string]bool{}}
	events := log.Events()
	for i := range events {
		r.index(&events[i])
	}
	return r
}

func (r *Recorder) index(e *ledger.Event) {
	if e.Type.Tells() {
		r.words.Add(string(e.ID), e.Text)
	}
}

// Graph returns the graph of the log, including new events.
func (r *Recorder) Graph() *Graph { return r.graph }

// Events returns all events in log order, including new ones. They must not be modified.
func (r *Recorder) Events() []ledger.Event { return r.log.Events() }

// Event returns an event of the log.
func (r *Recorder) Event(id ledger.ID) (*ledger.Event, bool) { return r.log.Find(id) }

// Record adds an event to the log. A rejected event is a *DropError. A duplicate is returned with it.
func (r *Recorder) Record(d Draft, actor, at string) (ledger.Event, error) {
	if r.dropped[d.Key] || r.keys[d.Key] != "" {
		return ledger.Event{}, drop(InvalidPayload, nil, "the key %q is that of an earlier event", d.Key)
	}
	e, err := r.record(d, actor, at)
	switch {
	case d.Key == "":
	case e.ID == "":
		r.dropped[d.Key] = true
	default:
		r.keys[d.Key] = e.ID
	}
	return e, err
}

func (r *Recorder) record(d Draft, actor, at string) (ledger.Event, error) {
	e := ledger.Event{
		Type: d.Type, Text: strings.TrimSpace(d.Text), Effect: d.Effect, Supersedes: d.Supersedes, Source: d.Source,
		Relationship: d.Relationship, Actor: actor, At: at,
	}
	if d.Actor != "" {
		e.Actor = d.Actor
	}
	if err := e.CheckForm(); err != nil {
		return ledger.Event{}, drop(InvalidPayload, nil, "%v", err)
	}
	if e.Type == ledger.Confirm && IsProgram(e.Actor, r.log) {
		return ledger.Event{}, drop(InvalidPayload, nil, "%q is a program, and only a person can confirm", e.Actor)
	}
	duplicate := func(first *ledger.Event) (ledger.Event, error) {
		return *first, drop(Duplicate, candidates([]ledger.ID{first.ID}), "it is recorded already, as %s", first.ID.Short())
	}
	if first, twice := r.log.Recorded(e); twice { // checked first, because its target may be withdrawn since
		return duplicate(first)
	}
	if missing := r.name(&e, d); missing != nil {
		return ledger.Event{}, missing
	}
	added, err := r.log.Add(e)
	switch {
	case errors.Is(err, ledger.ErrDuplicate):
		return duplicate(added)
	case err != nil:
		return ledger.Event{}, drop(InvalidPayload, nil, "%v", err)
	}
	r.graph.Add(added)
	r.index(added)
	return *added, nil
}

// agentSource opens the source of an event that a coding agent records, and bot ends the login of a GitHub App.
const (
	agentSource = "agent:"
	bot         = "[bot]"
)

// IsProgram reports whether an actor is a program: an App, or a coding agent that recorded an event. clients are other
// known agents.
func IsProgram(actor string, log *ledger.Log, clients ...string) bool {
	if lower := strings.ToLower(strings.TrimSpace(actor)); strings.HasPrefix(lower, agentSource) || strings.HasSuffix(lower, bot) {
		return true
	}
	known := clientName(actor)
	is := func(name string) bool { return clientName(name) == known }
	return slices.ContainsFunc(clients, is) || slices.ContainsFunc(log.Events(), func(e ledger.Event) bool {
		return strings.HasPrefix(e.Source, agentSource) && is(e.Source)
	})
}

// clientName returns the name of an agent in the source of an event, or of an actor, in a form for comparison.
func clientName(text string) string {
	text, _, _ = strings.Cut(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(text)), agentSource), "#")
	return separators.Replace(text)
}

var separators = strings.NewReplacer(" ", "", "-", "", "_", "")

func (r *Recorder) name(e *ledger.Event, d Draft) *DropError {
	whichever := func(ledger.ID) bool { return true }
	current := r.graph.Holds
	as, ok := roles[d.Type]
	if !ok { // targets are not allowed for this type, which Add reports after resolving them
		as = regards
	}
	if d.Type == ledger.Synthesis || d.Type == ledger.Refinement || d.Type == ledger.Resume || d.Type == ledger.Withdraw {
		current = whichever
	}
	for _, list := range []struct {
		refs    []string
		into    *[]ledger.ID
		as      role
		current func(ledger.ID) bool
	}{
		{d.Targets, &e.Targets, as, current},
		{d.Resolves, &e.Resolves, answers, whichever},
		{d.Considers, &e.Considers, regards, whichever},
	} {
		for _, ref := range list.refs {
			id, missing := r.named(ref, list.as, list.current)
			if missing != nil {
				return missing
			}
			*list.into = append(*list.into, id)
		}
	}
	if needs(e) {
		return drop(NoCandidate, nil, "a %s needs the event that it is about: name it as its target", e.Type)
	}
	if d.Cause != "" {
		id, missing := r.named(d.Cause, regards, whichever)
		if missing != nil {
			return missing
		}
		e.Cause = id
	}
	return r.seen(e, d.After)
}

// Former returns the newest position from a source, or "" if there is none or it has this text.
func (r *Recorder) Former(source, text string) string {
	last := ""
	events := r.log.Events()
	for i := range events {
		switch e := &events[i]; {
		case e.Source != source || !e.Type.Position():
		case e.Text == text:
			last = ""
		default:
			last = string(e.ID)
		}
	}
	return last
}

// Latest returns the newest position from a source, and its status. The event is nil if there is none.
func (r *Recorder) Latest(source string) (*ledger.Event, Status) {
	events := r.log.Events()
	for i := range slices.Backward(events) {
		if e := &events[i]; e.Source == source && e.Type.Position() {
			return e, r.graph.Status(e.ID)
		}
	}
	return nil, ""
}

func needs(e *ledger.Event) bool {
	switch e.Type {
	case ledger.Proposition, ledger.Happening, ledger.Synthesis: // the number of targets of a synthesis is checked later
		return false
	}
	return len(e.Targets)+len(e.Resolves) == 0
}

func (r *Recorder) named(ref string, as role, current func(ledger.ID) bool) (ledger.ID, *DropError) {
	if r.dropped[ref] {
		return "", drop(NoCandidate, nil, "the event with the key %q was not recorded", ref)
	}
	if id, ok := r.keys[ref]; ok {
		ref = string(id)
	}
	return r.resolve(ref, as, current)
}

func (r *Recorder) seen(e *ledger.Event, after []string) *DropError {
	if after == nil {
		return nil
	}
	e.Parents = []ledger.ID{}
	for _, key := range after {
		id, ok := r.keys[key]
		if !ok {
			return drop(InvalidPayload, nil, "it comes after %q, and no recorded event has that key", key)
		}
		e.Parents = append(e.Parents, id)
	}
	return nil
}
