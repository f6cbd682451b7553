package ledger

import (
	"slices"
	"strconv"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Causes is the fact about causes of units' occurrences. Its value is a History. Only one branch writes its page.
var Causes = fact.New(HappenedFacts, ".")

const (
	mostCauses = 100
	mostLed    = 50 // consequences of one cause
)

// History lists the causes of units' occurrences, the newest first.
type History struct {
	List     []Cause
	More     bool // there are older ones
	Problems []Problem
}

// Cause is one event with its consequences.
type Cause struct {
	Event *Event
	Led   []*Event // occurrences of units in log order
	More  int      // number of further consequences
}

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
