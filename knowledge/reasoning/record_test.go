package reasoning_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

func newRecorder() (*reasoning.Recorder, *ledger.Log) {
	log, _ := ledger.New(nil)
	return reasoning.NewRecorder(log), log
}

// reason is why something was dropped; empty where it was not.
func reason(err error) reasoning.Reason {
	var d *reasoning.DropError
	if errors.As(err, &d) {
		return d.Reason
	}
	return ""
}

// TestDropped: what cannot be recorded has its reason.
func TestDropped(t *testing.T) {
	t.Parallel()
	r, log := newRecorder()
	record := func(d reasoning.Draft) (ledger.Event, error) { return r.Record(d, "dev", "2026-01-02T03:04:05Z") }
	for _, d := range []reasoning.Draft{
		{Key: "A", Type: "proposition", Text: "Cache rendered invoices in memory for ten minutes", Source: "notes.md:3"},
		{Key: "B", Type: "proposition", Text: "Retry payment requests three times"},
		{Key: "C", Type: "proposition", Text: "Retry payment requests three times with backoff"},
		{Key: "P", Type: "park", Targets: []string{"B"}, Text: "not now"},
		{Key: "S", Type: "proposition", Text: "Store sessions in signed cookies"},
		{Key: "R", Type: "refinement", Targets: []string{"S"}, Text: "Keep nothing but an id on the client"},
	} {
		if _, err := record(d); err != nil {
			t.Fatal(d, err)
		}
	}
	before := len(log.Events())
	id := string(log.Events()[0].ID)
	for _, c := range []struct {
		name  string
		draft reasoning.Draft
		want  reasoning.Reason
		near  int
	}{
		{"no words", reasoning.Draft{Type: "proposition", Text: "  "}, reasoning.InvalidPayload, 0},
		{"an unknown type", reasoning.Draft{Type: "musing", Text: "hm"}, reasoning.InvalidPayload, 0},
		{"no target", reasoning.Draft{Type: "confirm"}, reasoning.NoCandidate, 0},
		{"a target of a proposition", reasoning.Draft{Type: "proposition", Text: "x", Targets: []string{"A"}}, reasoning.InvalidPayload, 0},
		{"an id of nothing", reasoning.Draft{Type: "confirm", Targets: []string{"00000000"}}, reasoning.NoCandidate, 0},
		{"a quotation of nobody", reasoning.Draft{Type: "confirm", Targets: []string{`"invoices in the cloud"`}}, reasoning.NoCandidate, 0},
		{"a quotation of two", reasoning.Draft{Type: "contradiction", Text: "x", Targets: []string{`"payment requests three"`}}, reasoning.Ambiguous, 2},
		{"words of two", reasoning.Draft{Type: "synthesis", Text: "x", Targets: []string{"retry payment requests three times", "A"}}, reasoning.Ambiguous, 2},
		{"few words", reasoning.Draft{Type: "confirm", Targets: []string{"the cache"}}, reasoning.TooVague, 0},
		{"some of the words", reasoning.Draft{Type: "confirm", Targets: []string{"invoices archived overseas yearly"}}, reasoning.BelowThreshold, 1},
		{"no word", reasoning.Draft{Type: "confirm", Targets: []string{"zeppelin quarantine yodel"}}, reasoning.NoCandidate, 0},
		{"what is parked, confirmed", reasoning.Draft{Type: "confirm", Targets: []string{"B"}}, reasoning.WrongStatus, 1},
		{"what is not parked, resumed", reasoning.Draft{Type: "resume", Targets: []string{"A"}}, reasoning.WrongStatus, 1},
		{"a proposition, resolved", reasoning.Draft{Type: "refinement", Text: "x", Resolves: []string{"A"}}, reasoning.WrongStatus, 1},
		{"words of what was left", reasoning.Draft{Type: "confirm", Targets: []string{"sessions stored in signed cookies"}}, reasoning.WrongStatus, 1},
		{"behind what is not there", reasoning.Draft{Type: "proposition", Text: "x", After: []string{"Z"}}, reasoning.InvalidPayload, 0},
		{"a key twice", reasoning.Draft{Key: "A", Type: "proposition", Text: "x"}, reasoning.InvalidPayload, 0},
		{"an unknown cause", reasoning.Draft{Type: "effect", Text: "x", Cause: "00000000", Relationship: "so"}, reasoning.NoCandidate, 0},
		{"a cause without words", reasoning.Draft{Type: "effect", Text: "x", Cause: "A"}, reasoning.InvalidPayload, 0},
		{"the same again", reasoning.Draft{Type: "proposition", Text: "Cache rendered invoices in memory for ten minutes", Source: "notes.md:3"}, reasoning.Duplicate, 1},
	} {
		_, err := record(c.draft)
		var d *reasoning.DropError
		if !errors.As(err, &d) || d.Reason != c.want || len(d.Candidates) < c.near || d.Error() == "" {
			t.Errorf("%s: %v (%s), want %s", c.name, err, reason(err), c.want)
		}
	}
	if n := len(log.Events()); n != before {
		t.Errorf("%d events were recorded", n-before)
	}
	for _, ref := range []string{"A", id, id[:8], "notes.md:3", `"rendered invoices  in memory"`, "rendered invoices cached memory ten minutes"} {
		if e, err := record(reasoning.Draft{Type: "confirm", Targets: []string{ref}}); err != nil || string(e.Targets[0]) != id {
			t.Errorf("%s: %v, %v", ref, e.Targets, err)
		}
	}
	short, err := record(reasoning.Draft{Type: "proposition", Text: "Ship it"})
	if e, again := record(reasoning.Draft{Type: "confirm", Targets: []string{"Ship it"}}); err != nil || again != nil || e.Targets[0] != short.ID {
		t.Errorf("the whole text of an event does not name it: %v, %v", err, again)
	}
	_, err = record(reasoning.Draft{Key: "lost", Type: "proposition"})
	if _, then := record(reasoning.Draft{Type: "confirm", Targets: []string{"lost"}}); reason(err) != reasoning.InvalidPayload || reason(then) != reasoning.NoCandidate {
		t.Errorf("what names a dropped event: %v", then)
	}
}

// TestUpdateStreams: however often a position was changed, among others that look like it, what is told of it first is what holds, and nothing that
// gave way is told as current.
func TestUpdateStreams(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, updates := range []int{1, 7, 60, 400} {
		r, _ := newRecorder()
		record := func(d reasoning.Draft) ledger.ID {
			e, err := r.Record(d, "dev", "")
			if err != nil {
				t.Fatal(err)
			}
			return e.ID
		}
		last, stale := ledger.ID(""), map[ledger.ID]bool{}
		for i := range updates {
			d := reasoning.Draft{Type: "proposition", Text: fmt.Sprintf("The retention period of audit records is %d days, decision %d", rng.IntN(9999), i)}
			if last != "" {
				d.Type, d.Targets, stale[last] = "refinement", []string{string(last)}, true
			}
			last = record(d)
			for j := range 3 {
				record(reasoning.Draft{Type: "proposition", Text: fmt.Sprintf("The price of item %d-%d is %d", i, j, rng.IntN(9999))})
			}
		}
		s := r.Graph().State(r.Near("what is the retention period of audit records"))
		if len(s.Current) == 0 || s.Current[0].Event.ID != last {
			t.Fatalf("%d updates: %d are current, the last is not the first of them", updates, len(s.Current))
		}
		for _, i := range s.Current {
			if stale[i.Event.ID] {
				t.Errorf("%d updates: %s is told as current", updates, i.Event.Text)
			}
		}
	}
}

// TestNear: a question about what was given up leads to what took its place, and to what was learnt from it.
func TestNear(t *testing.T) {
	t.Parallel()
	r, _ := newRecorder()
	for _, d := range []reasoning.Draft{
		{Key: "E1", Type: "proposition", Text: "Usage-based pricing aligns incentives and reduces low-end friction"},
		{Key: "E2", Type: "contradiction", Text: "Enterprise procurement requires predictable costs", Targets: []string{"E1"}},
		{Key: "E3", Type: "refinement", Text: "Two-track model: seat-based for enterprise, metered for self-serve", Resolves: []string{"E2"}},
		{Key: "E4", Type: "synthesis", Text: "Charge by how value is realized", Targets: []string{"E1", "E3"}},
		{Type: "proposition", Text: "Hire two designers"},
	} {
		if _, err := r.Record(d, "", ""); err != nil {
			t.Fatal(err)
		}
	}
	var told []string
	s := r.Graph().State(r.Near("Should we reconsider usage-based pricing?"))
	for _, i := range append(s.Current, s.Past...) {
		told = append(told, strings.Fields(i.Event.Text)[0]+" "+string(i.Status))
	}
	if got := strings.Join(told, ", "); got != "Charge active, Two-track resolved, Usage-based superseded" {
		t.Error(got)
	}
	if near := r.Near("zeppelins"); len(near) != 0 || near == nil {
		t.Errorf("nothing is near: %v", near)
	}
}

// FuzzParseDraft: a line is an event or an error that says why, and what comes of it is recorded or dropped.
func FuzzParseDraft(f *testing.F) {
	f.Add([]byte(`{"type":"proposition","text":"x"}`))
	f.Add([]byte(`{"type":"contradiction","text":"x","targets":["\"Cache\""],"after":[]}`))
	f.Add([]byte(`{"type":"effect","text":"x"} {}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		d, err := reasoning.ParseDraft(line)
		if err != nil {
			return
		}
		r, log := newRecorder()
		if _, err := r.Record(reasoning.Draft{Type: "proposition", Text: "Cache invoices in memory"}, "", ""); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Record(d, "", ""); err != nil && reason(err) == "" {
			t.Fatal(err)
		}
		if _, problems := ledger.New(log.Added()); len(problems) > 0 {
			t.Fatal(problems)
		}
	})
}
