package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// What positions are about: each attribute of each thing is one.
var (
	things     = []string{"audit records", "session tokens", "invoice exports", "search results", "webhook deliveries", "backup archives", "user uploads", "rate limits"}
	attributes = []string{"retention period", "page size", "retry delay", "storage quota"}
	units      = map[string]string{"retention period": "days", "page size": "rows", "retry delay": "seconds", "storage quota": "megabytes"}
)

// forms are how a position is stated. The last one says nothing of what it is about, as people do who know.
var forms = []string{
	"The %[1]s of %[2]s is %[3]d %[4]s",
	"Set the %[1]s for %[2]s to %[3]d %[4]s from now on",
	"%[3]d %[4]s is the %[1]s that %[2]s get",
	"Make that %[3]d %[4]s, as measured in the second trial",
}

// key is one position that is changed again and again.
type key struct {
	attribute, thing string
	terse            bool // only its first statement says what it is about
	last             ledger.ID
	all              map[ledger.ID]bool // whatever was stated of it
}

func (k *key) questions() []string {
	return []string{
		fmt.Sprintf("what is the %s of %s?", k.attribute, k.thing),
		fmt.Sprintf("should we reconsider the %s for %s", k.attribute, k.thing),
	}
}

// history is a log with what is true at its end.
type history struct {
	recorder *reasoning.Recorder
	log      *ledger.Log
	keys     []*key
}

// writer makes up a history.
type writer struct {
	history
	rng *rand.Rand
	at  time.Time
	err error
}

func (w *writer) record(d reasoning.Draft) ledger.ID {
	if w.err != nil {
		return ""
	}
	w.at = w.at.Add(time.Hour)
	e, err := w.recorder.Record(d, "dev", w.at.Format(time.RFC3339))
	w.err = err
	return e.ID
}

// stream makes up a log in which each of some positions is stated n times, in rounds, with other statements in between.
func stream(seed uint64, n, keys, distractors int) (*history, error) {
	log, _ := ledger.New(nil)
	rng := rand.New(rand.NewPCG(seed, uint64(n))) //nolint:gosec // a stream that can be made again
	w := &writer{history: history{reasoning.NewRecorder(log), log, nil}, rng: rng, at: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)}
	for i := range keys {
		w.keys = append(w.keys, &key{attributes[i/len(things)], things[i%len(things)], i%4 == 3, "", map[ledger.ID]bool{}})
	}
	for round := range n {
		for _, k := range w.keys {
			w.change(k, round)
			for range distractors {
				w.record(reasoning.Draft{Type: ledger.Proposition, Text: fmt.Sprintf("The %s of item %d is %d", pick(w.rng, attributes), w.rng.IntN(1e9), w.rng.IntN(9999))})
			}
		}
	}
	return &w.history, w.err
}

func pick(rng *rand.Rand, list []string) string { return list[rng.IntN(len(list))] }

// change states a position anew: as a refinement of what held before, as the answer to an objection, or behind a pause.
func (w *writer) change(k *key, round int) {
	form := w.rng.IntN(len(forms) - 1)
	if k.terse && round > 0 {
		form = len(forms) - 1
	}
	d := reasoning.Draft{Type: ledger.Proposition, Text: fmt.Sprintf(forms[form], k.attribute, k.thing, w.rng.IntN(9999), units[k.attribute])}
	last := []string{string(k.last)}
	switch how := w.rng.IntN(10); {
	case k.last == "":
	case how < 2:
		objection := w.record(reasoning.Draft{Type: ledger.Contradiction, Text: fmt.Sprintf("The %s of %s was too much in trial %d", k.attribute, k.thing, round), Targets: last})
		d.Type, d.Resolves = ledger.Refinement, []string{string(objection)}
		k.all[objection] = true
	case how < 3:
		w.record(reasoning.Draft{Type: ledger.Park, Targets: last})
		w.record(reasoning.Draft{Type: ledger.Resume, Targets: last})
		d.Type, d.Targets = ledger.Refinement, last
	default:
		d.Type, d.Targets = ledger.Refinement, last
	}
	k.last = w.record(d)
	k.all[k.last] = true
}
