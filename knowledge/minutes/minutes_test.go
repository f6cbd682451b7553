package minutes_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/minutes"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

// record records a document, and describes each statement: its line, its type, and its targets or why it was dropped.
func record(t testing.TB, log *ledger.Log, text string) (out []string) {
	t.Helper()
	r := reasoning.NewRecorder(log)
	line := func(ids []ledger.ID) string {
		var lines []string
		for _, id := range ids {
			e, _ := log.Find(id)
			_, at, _ := strings.Cut(e.Source, "#L")
			lines = append(lines, at)
		}
		slices.Sort(lines)
		return " " + strings.Join(lines, " ")
	}
	for _, d := range minutes.Read("notes.md", text).Drafts("notes.md", r.Events(), r.Find) {
		e, err := ledger.Event{}, d.Err
		if d.Err == nil {
			e, err = r.Record(d.Draft, "", d.At)
		}
		var dropped *reasoning.DropError
		switch {
		case errors.As(err, &dropped):
			out = append(out, fmt.Sprintf("%d %s", d.Line, dropped.Reason))
		case err != nil:
			t.Fatal(err)
		default:
			s := fmt.Sprintf("%d %s", d.Line, e.Type)
			for _, part := range []struct {
				how string
				ids []ledger.ID
			}{{":", e.Targets}, {" resolves", e.Resolves}, {" considers", e.Considers}} {
				if len(part.ids) > 0 {
					s += part.how + line(part.ids)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                  {"# Notes\n\nWe met. Decision: none, since it does not begin the line.\n\nDecisions: none\nParked\n## Parked\n", nil},
		"no text":                  {"Decision:\n\nProposal: **\n", []string{"1 invalid_payload", "3 proposition"}},
		"the nearest":              {"Proposal: a\n\nProposal: b\n\nObjection: c\n", []string{"1 proposition", "3 proposition", "5 contradiction: 3"}},
		"two objections":           {"Proposal: a\nObjection: b\nConcern: c\nInstead: d\n", []string{"1 proposition", "2 contradiction: 1", "3 contradiction: 1", "4 refinement resolves 2 3"}},
		"another section":          {"## A\nProposal: a\n## B\nObjection: b\n", []string{"2 proposition", "4 no_candidate"}},
		"a section in it":          {"## Proposal: a\n### Objection: b\n### Instead: c\n## D\nObjection: d\n", []string{"1 proposition", "2 contradiction: 1", "3 refinement resolves 2", "5 no_candidate"}},
		"under an item":            {"- Proposal: a\n  - Objection: c\n    - Objection: d\n- Proposal: b\n  1. Withdrawn:\n", []string{"1 proposition", "2 contradiction: 1", "3 contradiction: 2", "4 proposition", "5 withdraw: 4"}},
		"under a paragraph of one": {"- Proposal: a\n\n  Objection: b\n\n- Proposal: c\n\nObjection: d\n", []string{"1 proposition", "3 contradiction: 1", "5 proposition", "7 contradiction: 5"}},
		"quoted": {
			"Proposal: use files\nProposal: use tables\nObjection to \"files\": b\nObjection (Ada) of “tables”: c\n",
			[]string{"1 proposition", "2 proposition", "3 contradiction: 1", "4 contradiction: 2"}},
		"quoted twice":             {"Proposal: use files\nProposal: use tables\nObjection \"use\": b\nObjection to \"zebras\": c\n", []string{"1 proposition", "2 proposition", "3 no_candidate", "4 no_candidate"}},
		"an act that is about it":  {"Proposal: a\nConfirmed: a.\nProposal: b\nParked: \"b\", until later\n", []string{"1 proposition", "2 confirm: 1", "3 proposition", "4 park: 3"}},
		"an act about what?":       {"Proposal: a\nConfirmed: c\nParked:\n", []string{"1 proposition", "2 no_candidate", "3 no_candidate"}},
		"a decision":               {"Proposal: a\nDecision: b\nDecision: c\n", []string{"1 proposition", "2 refinement: 1", "3 proposition"}},
		"a decision of several":    {"Proposal: a\nProposal: b\nDecision: c\n", []string{"1 proposition", "2 proposition", "3 proposition considers 1 2"}},
		"a decision of the same":   {"Proposal: a\nProposal: **b**\nDecision: B.\n", []string{"1 proposition", "2 proposition", "3 confirm: 2"}},
		"a decision in spite of":   {"Proposal: a\nObjection: b\nDecision: a\n", []string{"1 proposition", "2 contradiction: 1", "3 refinement resolves 2"}},
		"a synthesis":              {"# A\nProposal: a\nProposal: b\nSynthesis: c\n# D\nSynthesis: d\n", []string{"2 proposition", "3 proposition", "4 synthesis: 2 3", "6 invalid_payload"}},
		"about what is dropped":    {"Objection: a\n- Objection: b\n  - Objection: c\n", []string{"1 no_candidate", "2 no_candidate", "3 no_candidate"}},
		"about an act":             {"- Proposal: a\n  - Parked:\n    - Objection: c\n", []string{"1 proposition", "2 park: 1", "3 no_candidate"}},
		"bold, tasks and capitals": {"* [x] **DECISION:** a\n* [ ] __Decided__: b\n* ***Decision: c***\n* ****Decision: d****\n", []string{"1 proposition", "2 proposition", "3 proposition"}},
		"in fences and quotes": {
			"```md\nDecision: a\n~~~\n```\n> Decision: b\n<!--\nDecision: c\n-->\n| Decision: d |\n\n    Decision: e\n\n<!-- x --> \n\nDecision: f\n", []string{"15 proposition"}},
		"nobody's reference":         {"Objection [see](x): a\nProposal () : b\nDecision by Ada: c\n", nil},
		"windows":                    {"Proposal: a\r\n\r\nObjection: b\r\n", []string{"1 proposition", "3 contradiction: 1"}},
		"front matter does not end":  {"---\nauthor: Ada\nProposal: a\n", []string{"3 proposition"}},
		"a resumed and a parked one": {"- Proposal: a\n  - Parked: for now\n  - Resumed: it is time\n", []string{"1 proposition", "2 park: 1", "3 resume: 1"}},
	} {
		log, _ := ledger.New(nil)
		if got := record(t, log, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestCircumstances(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	record(t, log, "---\nauthor: \"Grace\"\ndate: 2026-05-01T10:00\n---\nProposal (Ada): a\n  over two\nlines\n## 2026-06-02: later\nDecision: **b** and c\n")
	e := log.Events()
	if e[0].Actor != "Ada" || e[0].At != "2026-05-01T00:00:00Z" || e[0].Text != "a over two lines" || e[0].Source != "notes.md#L5" {
		t.Errorf("it is %+v", e[0])
	}
	if e[1].Actor != "Grace" || e[1].At != "2026-06-02T00:00:00Z" || e[1].Text != "**b** and c" {
		t.Errorf("it is %+v", e[1])
	}
}

// TestAgain: recorded statements are not recorded again wherever they stand, and new ones refer to them.
func TestAgain(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	record(t, log, "Proposal: a\nObjection: too slow\nProposal: b\nObjection: too slow\n## C\nProposal: c\nDecision: d\n")
	for _, again := range []struct {
		text string
		want []string
	}{
		{"Proposal: a\nObjection: too slow\nProposal: b\nObjection: too slow\n## C\nProposal: c\nDecision: d\n", nil},
		{"# Notes\n\nProposal: b\nObjection: too slow\n\nProposal: a\nObjection: too slow\n", nil},
		{"Proposal: new\nObjection: too slow\nProposal: a\nObjection: too slow\n", []string{"1 proposition", "2 contradiction: 1"}},
		{"Objection to \"behind\": f\nProposal: behind\n", []string{"1 no_candidate", "2 proposition"}},
		{"Objection to \"behind\": f\nProposal: behind\n", []string{"1 no_candidate"}},
		{"Proposal: a\nObjection: too slow\nInstead: e\n", []string{"3 refinement resolves 2"}},
		{"## C\nProposal: c\nProposal: c2\nDecision: d\n", []string{"3 proposition"}},
	} {
		if got := record(t, log, again.text); !slices.Equal(got, again.want) {
			t.Errorf("%q: got %q", again.text, got)
		}
	}
}

func TestMore(t *testing.T) {
	t.Parallel()
	d := minutes.Read("x", strings.Repeat("Proposal: a\n", 600))
	if d.Statements() != 500 || !d.More() {
		t.Errorf("there are %d", d.Statements())
	}
}

// FuzzRead: no document makes an event that the log refuses for its form, and none is recorded twice.
func FuzzRead(f *testing.F) {
	f.Add("---\nauthor: Ada\n---\n- Proposal: a\n  - **Objection to \"a\"**: b\n\n## Decision: a\n<!-- x\n```\nInstead: b")
	f.Add("Synthesis of \"a\" and [12345678]:\nProposal (x): y\nParked: \"y\" z\n> q\n1. Decision : w")
	f.Fuzz(func(t *testing.T, text string) {
		log, _ := ledger.New(nil)
		first := record(t, log, text)
		n := len(log.Events())
		second := record(t, log, text)
		if len(log.Events()) != n {
			t.Errorf("recorded again there are %d events and not %d: %q, %q", len(log.Events()), n, first, second)
		}
	})
}
