package answer_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/memory"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// drawFiles draws a log with events of all types on several branches, one file each.
func drawFiles(t *rapid.T) []ledger.Batch {
	log, _ := ledger.New(nil)
	var ids []ledger.ID
	for i := range rapid.IntRange(1, 12).Draw(t, "events") {
		e := ledger.Event{Type: rapid.SampledFrom(ledger.Types).Draw(t, "type"), Text: fmt.Sprint("event number ", i)}
		if len(ids) < 2 {
			e.Type = ledger.Proposition
		}
		some := func(label string, least, most int) []ledger.ID {
			return rapid.SliceOfNDistinct(rapid.SampledFrom(ids), min(least, len(ids)), min(most, len(ids)), rapid.ID).Draw(t, label)
		}
		switch e.Type {
		case ledger.Proposition, ledger.Happening:
		case ledger.Synthesis:
			e.Targets, e.Supersedes = some("parts", 2, 3), rapid.Bool().Draw(t, "supersedes")
		case ledger.Refinement:
			e.Targets, e.Resolves = some("targets", 0, 2), some("resolves", 0, 2)
		default:
			e.Targets = some("targets", 1, 2)
		}
		if len(ids) > 0 {
			if rapid.Bool().Draw(t, "caused") {
				e.Cause, e.Relationship = some("cause", 1, 1)[0], "it led to this"
			}
			if rapid.IntRange(0, 2).Draw(t, "apart") == 0 {
				e.Parents = append([]ledger.ID{}, some("seen", 0, 2)...)
			}
		}
		added, err := log.Add(e)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, added.ID)
	}
	var files []ledger.Batch
	for _, b := range log.Added() {
		for line := range bytes.Lines(b.Data) {
			files = append(files, ledger.Batch{Path: ledger.BatchPath(line), Data: line})
		}
	}
	return files
}

// TestGaps: every reader works on a log without some of its files, and names the missing events.
func TestGaps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		files := slices.DeleteFunc(drawFiles(t), func(ledger.Batch) bool { return rapid.IntRange(0, 3).Draw(t, "dropped") == 0 })
		partial, problems := ledger.New(files)
		log := &workspace.Ledger{Whole: &ledger.Whole{Log: partial, Problems: problems}, Checked: true}
		if len(partial.Events()) != len(files) {
			t.Fatalf("of %d events %d are read: %v", len(files), len(partial.Events()), problems)
		}
		gaps := partial.Gaps()
		if (len(gaps) > 0) != (len(problems) > 0) {
			t.Fatalf("the gaps are %v, the problems %v", gaps, problems)
		}
		for _, id := range gaps {
			if !slices.ContainsFunc(problems, func(p ledger.Problem) bool {
				return p.Kind == ledger.Dangling && strings.Contains(p.Detail, id.Short())
			}) {
				t.Fatalf("%v do not name %s", problems, id)
			}
		}
		tells := func(what, text string) {
			if len(gaps) > 0 && !strings.Contains(text, "the log lacks "+gaps[0].Short()) {
				t.Fatalf("%s does not name the gap %s:\n%s", what, gaps[0].Short(), text)
			}
		}
		tells("decisions", answer.DecisionsOf(log, "", true).Text())
		tells("decisions about", answer.DecisionsOf(log, "event number", false).Text())
		tells("orientation", answer.Orient(log, "").Text())
		tells("warning", answer.LogWarning(log))
		m, err := memory.New(t.Context(), partial, memory.NewWords())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range partial.Events() {
			trail, err := answer.TrailOf(log, string(e.ID))
			if err != nil {
				t.Fatal(err)
			}
			tells("trail", trail.Text())
			recalled, err := m.Recall(t.Context(), e.Text, 3)
			if err != nil {
				t.Fatal(err)
			}
			tells("memory", answer.RecalledOf(log, e.Text, recalled).Text())
		}
		r := reasoning.NewRecorder(partial)
		for _, e := range slices.Clone(partial.Events()) { // recording works as well
			_, _ = r.Record(reasoning.Draft{Type: ledger.Contradiction, Text: "against it", Targets: []string{string(e.ID)}}, "", "")
		}
		r.Graph().State(nil)
	})
}
