package review

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// edited is a file of which the second line was added.
func edited() *change.File {
	before, after := "a := 1\nc := 3\n", "a := 1\nb  :=\t2 // two\nc := 3\n"
	return &change.File{
		Path: "x.go", Was: "x.go", Before: []byte(before), After: []byte(after), Lines: change.Compare(change.Split([]byte(before)), change.Split([]byte(after))),
	}
}

// TestAnswersOfAModel: what a model says counts where it quotes what the change added, and nowhere else.
func TestAnswersOfAModel(t *testing.T) {
	t.Parallel()
	answer := func(rule, quote, message, severity, category string) string {
		return `{"findings":[{"rule":"` + rule + `","quote":"` + quote + `","message":"` + message + `","severity":"` + severity + `","category":"` + category + `"}]}`
	}
	for name, test := range map[string]struct{ raw, dropped string }{
		"a quote":             {answer("magic-number", "b := 2", "Name it.", "note", "maintainability"), ""},
		"an old line":         {answer("magic-number", "c := 3", "Name it.", "note", "maintainability"), "not on a changed line"},
		"nothing like it":     {answer("magic-number", "z := 9", "Name it.", "note", "maintainability"), "not on a changed line"},
		"no quote":            {answer("magic-number", "", "Name it.", "note", "maintainability"), "not on a changed line"},
		"a rule of ours":      {answer("../api-break", "b := 2", "Name it.", "note", "maintainability"), "form"},
		"an unknown severity": {answer("magic-number", "b := 2", "Name it.", "fatal", "maintainability"), "form"},
		"an unknown category": {answer("magic-number", "b := 2", "Name it.", "note", "style"), "form"},
		"no words":            {answer("magic-number", "b := 2", "", "note", "maintainability"), "form"},
		"many words":          {answer("magic-number", "b := 2", strings.Repeat("x", longestAnswer+1), "note", "maintainability"), "form"},
	} {
		c := &Conclusion{}
		if err := c.add(test.raw, "x.go", edited()); err != nil {
			t.Fatal(name, err)
		}
		if test.dropped != "" {
			if len(c.Findings) != 0 || len(c.Dropped) != 1 || !strings.Contains(c.Dropped[0].Reason, test.dropped) {
				t.Errorf("%s: %+v", name, c)
			}
			continue
		}
		if len(c.Findings) != 1 || c.Findings[0].Line != 2 || c.Findings[0].Rule != "model/magic-number" || c.Findings[0].Side != finding.Right {
			t.Errorf("%s: %+v", name, c)
		}
	}
	if err := (&Conclusion{}).add("I found nothing.", "x.go", edited()); err == nil {
		t.Error("an answer that is no list has no error")
	}
	many := `{"findings":[` + strings.TrimSuffix(strings.Repeat(`{"rule":"x","quote":"b := 2","message":"m","severity":"note","category":"tests"},`, mostAnswered+5), ",") + `]}`
	c := &Conclusion{}
	if err := c.add(many, "x.go", edited()); err != nil || len(c.Findings) != mostAnswered || len(c.Dropped) != 5 {
		t.Errorf("of many findings %d are kept and %d dropped, %v", len(c.Findings), len(c.Dropped), err)
	}
}

// FuzzAnswer: whatever a model says, no finding stands on a line that the change did not add.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"findings":[{"rule":"x","quote":"b := 2","message":"m","severity":"note","category":"tests"}]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		c := &Conclusion{}
		if c.add(raw, "x.go", edited()) != nil {
			return
		}
		for _, found := range c.Findings {
			if found.Line != 2 || found.Path != "x.go" || !strings.HasPrefix(found.Rule, "model/") {
				t.Errorf("%+v", found)
			}
		}
	})
}
