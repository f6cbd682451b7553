package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/recall"
	"github.com/causaldocs/causal/review/record"
)

// state lists the positions of a log with what became of them.
func state(log *ledger.Log, g *reasoning.Graph) (out []string) {
	for _, e := range log.Events() {
		if e.Type.Position() {
			out = append(out, fmt.Sprintf("%s %s %s", e.Type, g.Status(e.ID), e.Text))
		}
	}
	return out
}

func add(t *testing.T, log *ledger.Log, drafts func(r *reasoning.Recorder) []reasoning.Imported) *reasoning.Graph {
	t.Helper()
	r := reasoning.NewRecorder(log)
	for _, d := range drafts(r) {
		if _, err := r.Record(d.Draft, "", d.At); err != nil && !strings.HasPrefix(err.Error(), "it is recorded already") {
			t.Errorf("%+v: %v", d, err)
		}
	}
	return r.Graph()
}

func TestDismissals(t *testing.T) {
	t.Parallel()
	dismissed := func(id, message, reason string) record.Finding {
		return record.Finding{
			ID: id, Rule: "lint/errors", Severity: finding.Warning, Path: "money/money.go", Line: 2, Symbol: "Close", Message: message, Status: life.Dismissed,
			History: []life.Event{{Event: "dismissed", Reason: "an older reason of Ada", Actor: "Ada"}, {Event: "reopened"}, {Event: "dismissed", Reason: reason, Actor: "Grace"}},
		}
	}
	fixed := dismissed("f-4", "Floats round.", "because of something")
	fixed.Status = life.Fixed
	records := []*record.Record{
		{Change: record.Change{Key: "pr-2", Outcome: record.Merged, At: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)}, Findings: []record.Finding{
			dismissed("f-1", "The error is not checked.", "nothing is written, so nothing is lost"), dismissed("f-2", "Short.", "false positive"), dismissed("f-3", "", "it is fine as it is"), fixed,
		}},
		{Change: record.Change{Key: "pr-1", Outcome: record.Unmerged, At: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}},
	}
	log, _ := ledger.New(nil)
	want := []string{"proposition superseded The error is not checked. (money/money.go, Close)", "contradiction active nothing is written, so nothing is lost"}
	for range 2 {
		g := add(t, log, func(*reasoning.Recorder) []reasoning.Imported { return recall.Dismissals(records) })
		if got := state(log, g); !slices.Equal(got, want) {
			t.Errorf("got %q", got)
		}
	}
	if e := log.Events()[1]; e.Actor != "Grace" || e.Source != ".causal/reviews/pr-2.jsonl#f-1" || e.At != "2026-01-03T00:00:00Z" || log.Events()[0].Actor != "lint/errors" {
		t.Errorf("it is %+v", e)
	}
}

// TestPrinciples follows one principle through its life: after each step the log says what the file says, and says no more when it is asked again.
func TestPrinciples(t *testing.T) {
	t.Parallel()
	file := func(status, rule string) map[string][]byte {
		return map[string][]byte{".causal/principles/no-float.yml": fmt.Appendf(nil,
			"principle: no-float\nrule: %s\nwhy: Cents are lost.\nevidence:\n  - {key: pr-1, finding: f-1, at: 2026-01-05}\nauthors: 1\ndismissed: 0\nstatus: %s\ninvalidation_condition: x\n", rule, status)}
	}
	log, _ := ledger.New(nil)
	for _, step := range []struct {
		status, rule string
		events       int
		want         string // of the newest position
	}{
		{"candidate", "No floats.", 0, ""},
		{"active", "No floats.", 1, "proposition active No floats."},
		{"expired", "No floats.", 2, "proposition parked No floats."},
		{"active", "No floats.", 3, "proposition active No floats."},
		{"demoted", "No floats.", 4, "proposition parked No floats."},
		{"demoted", "None at all.", 4, "proposition parked No floats."},
		{"active", "Amounts are whole.", 6, "refinement active Amounts are whole."},
		{"declined", "Amounts are whole.", 7, "refinement parked Amounts are whole."},
		{"active", "Amounts are whole.", 8, "refinement active Amounts are whole."},
		{"declined", "Amounts are whole.", 9, "refinement parked Amounts are whole."},
	} {
		for range 2 {
			g := add(t, log, func(r *reasoning.Recorder) []reasoning.Imported {
				drafts, unread := recall.Principles(nil, file(step.status, step.rule), principle.Policy{Changes: 1}, r)
				if unread != nil {
					t.Errorf("%q cannot be read", unread)
				}
				return drafts
			})
			got := state(log, g)
			if len(log.Events()) != step.events || step.want != "" && got[len(got)-1] != step.want+"\n\nCents are lost." {
				t.Errorf("%s, %s: %d events, %q", step.status, step.rule, len(log.Events()), got)
			}
		}
	}
	if _, unread := recall.Principles(nil, map[string][]byte{".causal/principles/x.yml": []byte("no: 1\n")}, principle.Policy{}, reasoning.NewRecorder(log)); len(unread) != 1 {
		t.Errorf("unread are %q", unread)
	}
}
