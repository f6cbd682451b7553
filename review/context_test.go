package review

import (
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change/changetest"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
)

// sources are the files of a repository.
type sources map[string]string

func (s sources) All() map[string]string { return s }

// remembering reads a change, and what is given with it.
type remembering struct {
	survey.Reader

	given *Given
}

func (r remembering) Read(f fact.Fact) (any, error) {
	if f.Family == memoryFacts {
		return r.given, nil
	}
	return r.Reader.Read(f)
}

// TestWhatAModelSees: the lines that changed, with their numbers; what was found in the file the last time; and the principles.
func TestWhatAModelSees(t *testing.T) {
	t.Parallel()
	lines := func(edit func([]string)) string {
		list := strings.Split("package a\n\nvar (\n\ta = 1\n\tb = 2\n\tc = 3\n\td = 4\n\te = 5\n\tf = 6\n\tg = 7\n\th = 8\n)\n", "\n")
		edit(list)
		return strings.Join(list, "\n")
	}
	was := sources{"a.go": lines(func([]string) {})}
	now := sources{"a.go": lines(func(l []string) { l[3], l[11] = "\ta = 9", ")\n\nfunc F() {}" })}
	memory := &Memory{
		Records: []*record.Record{{
			Change: record.Change{Key: "pr-7", Outcome: record.Merged, At: time.Unix(0, 0)},
			Findings: []record.Finding{{
				ID: "f-1", Rule: "lint/x", Severity: finding.Warning, Path: "a.go", Line: 1, Symbol: "F", Message: "Not so.", Status: life.Fixed, FixedBy: "abc",
			}},
		}},
		Principles: map[string][]byte{
			principle.Path("ours"):   []byte("principle: ours\nrule: Count in cents.\nwhy: It was rounded.\nstatus: active\n"),
			principle.Path("theirs"): []byte("principle: theirs\nrule: Count in gold.\nstatus: declined\n"),
		},
	}
	in := engine.Input{
		Unit:   engine.Unit{Kind: fileKind, Subject: "a.go"},
		Reader: remembering{changetest.Between(t, was, now), NewGiven(nil, memory)},
	}
	slice, err := New(nil).TransformInput(in, engine.CoreContext{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"diff": " 1: package a\n 2: \n 3: var (\n-4: \ta = 1\n+4: \ta = 9\n 5: \tb = 2\n 6: \tc = 3\n 7: \td = 4\n" +
			" 10: \tg = 7\n 11: \th = 8\n 12: )\n+13: \n+14: func F() {}\n",
		"last_time":  "pr-7: lint/x F was flagged, and fixed by abc: Not so.\n",
		"principles": "ours: Count in cents. It was rounded.\n",
	} {
		if slice[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, slice[name], want)
		}
	}
}

// TestShown: what is too long is cut between lines, and that is told.
func TestShown(t *testing.T) {
	t.Parallel()
	if got := shown([]string{"one", "two", strings.Repeat("x", 20), "y"}, 20); got != "one\ntwo\n…\n" {
		t.Errorf("%q", got)
	}
}
