package ledger

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
)

// HappenedFacts are facts about occurrences: "happened module/internal/auth" has the newest ones of a unit.
const HappenedFacts fact.Family = "happened"

// HappenedVersion is part of the cache key of an index. Raise it when the same events are shown differently.
const HappenedVersion = "happened/1"

// HappenedTo returns the fact about a unit's occurrences. Its value is a Happened.
func HappenedTo(unit string) fact.Fact { return fact.New(HappenedFacts, unit) }

// MostHappened limits the occurrences of one unit.
const MostHappened = 5

// Happened lists the newest occurrences of a unit, the newest first.
type Happened struct {
	List []Occurrence
	More bool // there are older ones
}

// Occurrence is one occurrence of a unit.
type Occurrence struct {
	Text   string
	At     string // as in the event
	Source string // of the event or its cause
}

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
