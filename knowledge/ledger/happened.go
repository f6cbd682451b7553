package ledger

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
)

// HappenedFacts are about what happened to a unit: "happened module/internal/auth" is the newest of it. Other events are nothing to it.
const HappenedFacts fact.Family = "happened"

// HappenedVersion is part of the key of an index: raise it when the same events are told in another way.
const HappenedVersion = "happened/1"

// HappenedTo is the fact of what happened to a unit. Its value is a Happened.
func HappenedTo(unit string) fact.Fact { return fact.New(HappenedFacts, unit) }

// MostHappened is how much of what happened to one unit is told.
const MostHappened = 5

// Happened is the newest that happened to a unit, the newest first.
type Happened struct {
	List []Occurrence
	More bool // there is older
}

// Occurrence is one thing that happened to a unit.
type Occurrence struct {
	Text   string
	At     string // as the event has it
	Source string // of the event, or of what led to it
}

// happened lists what happened, by unit.
func (l *Log) happened() map[string]Happened {
	out := map[string]Happened{}
	for i := range slices.Backward(l.events) {
		e := &l.events[i]
		if e.About == "" {
			continue
		}
		h := out[e.About]
		if h.More = len(h.List) == MostHappened; !h.More {
			source := e.Source
			if cause, ok := l.Find(e.Cause); ok {
				source = cmp.Or(source, cause.Source)
			}
			h.List = append(h.List, Occurrence{e.Text, e.At, source})
		}
		out[e.About] = h
	}
	return out
}

// digest is that of what is told; empty where nothing happened.
func (h Happened) digest() string {
	if len(h.List) == 0 {
		return ""
	}
	var parts []string
	for _, one := range h.List {
		parts = append(parts, one.Text, one.At, one.Source)
	}
	if h.More {
		parts = append(parts, "more")
	}
	return fact.Digest(parts...)
}
