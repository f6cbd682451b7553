package ledger

import (
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Causes is the fact of what led to something that happened to units, the newest of it. Its value is a History. Those are written on one branch
// alone, so that a page of them is the same on all until it is merged.
var Causes = fact.New(HappenedFacts, ".")

// Limits of a History: a page shows it.
const (
	mostCauses = 100
	mostLed    = 50 // consequences of one
)

// History is what led to something that happened to units, the newest first.
type History struct {
	List     []Cause
	More     bool // there is older
	Problems []Problem
}

// Cause is one event that led to something.
type Cause struct {
	Event *Event
	Led   []*Event // what happened to units because of it, in the order of the log
	More  int      // of these
}

// history lists what led to something that happened to units.
func (w *Whole) history() History {
	led := map[ID][]*Event{}
	for i := range w.events {
		e := &w.events[i]
		if _, ok := w.place[e.Cause]; ok && e.About != "" {
			led[e.Cause] = append(led[e.Cause], e)
		}
	}
	h := History{Problems: w.Problems}
	for i := range slices.Backward(w.events) {
		e := &w.events[i]
		if len(led[e.ID]) == 0 {
			continue
		}
		if h.More = len(h.List) == mostCauses; h.More {
			break
		}
		list := led[e.ID]
		n := min(len(list), mostLed)
		h.List = append(h.List, Cause{e, list[:n], len(list) - n})
	}
	return h
}

// digest is that of what is told; empty where there is nothing.
func (h History) digest() string {
	if len(h.List) == 0 {
		return ""
	}
	var parts []string
	for _, c := range h.List {
		parts = append(parts, string(c.Event.ID), strconv.Itoa(c.More))
		for _, e := range c.Led {
			parts = append(parts, string(e.ID))
		}
	}
	for _, p := range h.Problems {
		parts = append(parts, string(p.Kind), string(p.Event), p.File)
	}
	return fact.Digest(append(parts, strconv.FormatBool(h.More))...)
}
