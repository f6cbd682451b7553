package review

import (
	"testing"

	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/review/principle"
)

// TestViolationsCountAsTheirPrinciple: what a principle finds without the tool that knew first is of the principle's pattern, and so it
// counts with what the tool finds when the change is closed.
func TestViolationsCountAsTheirPrinciple(t *testing.T) {
	t.Parallel()
	line := "sum := float64(net) * 1.2 + rate(net)"
	text := "principle: no-float\nrule: \"Count in small units.\"\nwhy: \"It was rounded.\"\ncheck: {pattern: p-of-the-tool, severity: warning, language: " +
		match.Language("a.go") + ", shape: '" + match.Shape("a.go", line) + "'}\nevidence: []\nauthors: 1\ndismissed: 0\nstatus: active\n" +
		"invalidation_condition: dismissed_share(\"no-float\") > 0.25\n"
	given := NewGiven(nil, &Memory{Principles: map[string][]byte{principle.Path("no-float"): []byte(text)}})
	after := "package a\n" + line + "\n"
	f := &change.File{Path: "a.go", After: []byte(after), Lines: change.Compare(nil, change.Split([]byte(after)))}
	found := violations(given.force, f, nil)
	if len(found) != 1 || found[0].Line != 2 || found[0].Rule != "principle/no-float" {
		t.Fatalf("the principle finds %+v", found)
	}
	now := match.NewText("a.go", change.Split(f.After), "")
	if err := given.fill(&found[0], now, now); err != nil {
		t.Fatal(err)
	}
	if got := found[0]; got.Pattern != "p-of-the-tool" || got.Principle == nil || *got.Principle != "no-float" {
		t.Errorf("it is of pattern %s and principle %v", got.Pattern, got.Principle)
	}
}
