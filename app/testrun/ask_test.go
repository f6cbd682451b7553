package testrun_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/testgen"
)

// model gives the same answer to every request.
type model struct {
	answer  string
	err     error
	asked   []string
	dropped int
}

func (*model) Name() string { return "small:7b" }

func (m *model) Drop(_ string, list ...prompt.Dropped) { m.dropped += len(list) }

func (m *model) Complete(_ context.Context, q prompt.Request) (prompt.Response, error) {
	m.asked = append(m.asked, q.Turns[0].Text)
	return prompt.Response{Answer: json.RawMessage(m.answer)}, m.err
}

// gate has a branch that no value in its documentation and no edge value reaches.
const gate = `package gate

// Open reports whether a visitor may pass the gate at an hour of the day.
func Open(name string, hour int) bool {
	if len(name) == 3 && name[1] == name[2] && hour%24 == 17 {
		return !blocked(name)
	}
	return false
}

func blocked(name string) bool { return name[0] == 'z' }
`

func verified(t *testing.T, m *model, subjects ...string) (jobs []*testrun.Job, said string) {
	t.Helper()
	r := planted(t, map[string]string{"gate/gate.go": gate})
	jobs = r.jobs(t, subjects...)
	runner := r.runner(t)
	runner.Model, runner.Say = m, func(text string) { said += text + "\n" }
	recorded, _, err := runner.Run(t.Context(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	r.held(t)
	for _, j := range jobs {
		testgen.Apply(j.Spec, recorded[j.Subject])
	}
	return jobs, said
}

// TestWhatAModelProposesIsRun: proposed cases are kept if a run shows something new, and reasons if they quote the
// documentation; everything else is reported.
func TestWhatAModelProposesIsRun(t *testing.T) {
	t.Parallel()
	m := &model{answer: `{
		"rationale": [
			{"text": "Visitors stand before a shut gate\nwhen it is wrong.", "quote": "whether a visitor may pass; the gate at an hour"},
			{"text": "It is audited every year.", "quote": "audited every year"},
			{"text": "It is short.", "quote": "the gate"}
		],
		"cases": [
			[{"string": "bee"}, {"int": 17}],
			[{"string": "zed"}, {"int": 41}],
			[{"string": "bee"}],
			[{"string": "bee"}, {"hour": 17}],
			[{"string": "bee"}, {"int": {"call": "os.Exit", "args": [{"int": 1}]}}],
			[{"string": "bee"}, {"int": 99999999999999999999}]
		]}`}
	jobs, said := verified(t, m, "gate/Open")
	s := jobs[0].Spec
	if got := calls(s); !strings.Contains(got, `Open("bee", 17)=true`) || strings.Contains(got, "zed") {
		t.Errorf("kept are %s", got)
	}
	if s.Rationale != "Visitors stand before a shut gate when it is wrong." || s.Provenance.LLM != "small:7b" || !strings.Contains(strings.Join(s.Provenance.Seeds, " "), "model") {
		t.Errorf("%q, %+v", s.Rationale, s.Provenance)
	}
	for _, c := range s.Cases {
		if len(c.Args) > 0 && strings.Contains(c.String(), "bee") && !strings.Contains(c.Why, "a model proposed it") {
			t.Errorf("case %s says %q", c.ID, c.Why)
		}
	}
	if n := strings.Count(said, "\n"); n != 6 || !strings.Contains(said, "audited every year") || !strings.HasPrefix(said, ".causal/specs/gate/Open.yml: ignored a proposal of small:7b: ") || m.dropped != n {
		t.Errorf("%d lines are said:\n%s", n, said)
	}
	for _, want := range []string{"Open(name string, hour int)", "may pass the gate", "{int: "} {
		if len(m.asked) != 1 || !strings.Contains(m.asked[0], want) {
			t.Errorf("asked %q, which has no %q", m.asked, want)
		}
	}
}

// TestProvenanceNamesAModelOfUse: a model whose proposals were not used is not named.
func TestProvenanceNamesAModelOfUse(t *testing.T) {
	t.Parallel()
	jobs, said := verified(t, &model{answer: `{"rationale": [], "cases": [[{"string": "zed"}, {"int": 41}]]}`}, "gate/Open")
	if p := jobs[0].Spec.Provenance; p.LLM == "small:7b" || said != "" {
		t.Errorf("%+v, %q", p, said)
	}
}

// asked asks a model for cases of functions of the gate, without a run.
func asked(t *testing.T, m *model, subjects ...string) (jobs []*testrun.Job, proposed int, said string) {
	t.Helper()
	r := planted(t, map[string]string{"gate/gate.go": gate, "gate/shut.go": "package gate\n\n// Shut is Open the other way round.\nfunc Shut(n int) bool { return n > 3 }\n", "gate/hidden.go": "package gate\n\n// Hide hides.\nfunc Hide(n int) bool { return n > 4 }\n"})
	jobs = r.jobs(t, subjects...)
	runner := r.runner(t)
	runner.Model, runner.Say, runner.Shows = m, func(text string) { said += text + "\n" }, func(file string) bool { return file != "gate/hidden.go" }
	counts, err := runner.Ask(t.Context(), jobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range counts {
		proposed += n
	}
	return jobs, proposed, said
}

// TestAModelIsNotNeeded: a model that gives no answer, or nonsense, changes nothing.
func TestAModelIsNotNeeded(t *testing.T) {
	t.Parallel()
	without, _, _ := asked(t, &model{answer: `{"cases": []}`}, "gate/Open", "gate/Shut")
	for name, m := range map[string]*model{"away": {err: errors.New("connection refused")}, "babbling": {answer: `"As a model, I"`}, "void": {answer: `{}`}} {
		jobs, proposed, said := asked(t, m, "gate/Open", "gate/Shut")
		for i := range jobs {
			if got, want := string(jobs[i].Spec.Encode()), string(without[i].Spec.Encode()); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
			}
		}
		if proposed > 0 {
			t.Errorf("%s: %d cases are proposed", name, proposed)
		}
		if len(m.asked) != 2 || said != "" {
			t.Errorf("%s: asked %d times, and said\n%s", name, len(m.asked), said)
		}
	}
}

// TestHiddenFiles: a model is not asked about a function in a file that it may not see.
func TestHiddenFiles(t *testing.T) {
	t.Parallel()
	m := &model{answer: `{"rationale": [], "cases": []}`}
	asked(t, m, "gate/Hide", "gate/Shut")
	if len(m.asked) != 1 || strings.Contains(m.asked[0], "Hide") {
		t.Errorf("asked %q", m.asked)
	}
}

// TestAModelThatGoesOn: only the beginning of a long answer is read and reported.
func TestAModelThatGoesOn(t *testing.T) {
	t.Parallel()
	m := &model{answer: `{"cases": [` + strings.Repeat(`[{"string": 1}],`, 50_000) + `[{"` + strings.Repeat("a", 100_000) + `": 1}]]}`}
	_, _, said := asked(t, m, "gate/Open")
	if n := strings.Count(said, "\n"); n == 0 || n > 20 || len(said) > 20_000 || !strings.Contains(said, "50001 cases, of which 16") {
		t.Errorf("%d lines are said:\n%.2000s", n, said)
	}
}
