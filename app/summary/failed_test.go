package summary

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/review"
)

// TestFailedChecks: a review without findings says what it did not check, in each of its forms.
func TestFailedChecks(t *testing.T) {
	t.Parallel()
	r := &Review{Report: &report.Review{Coverage: review.Coverage{
		Examined: []review.FileCount{{Language: "Go", Files: 1}}, Failed: []review.Failure{{Check: "skill/panics", Reason: "step a: no <b>"}},
	}}}
	for form, c := range map[string]struct{ got, want string }{
		"title":   {r.Title(), "1 check failed"},
		"row":     {r.Row(), "`skill/panics` failed"},
		"list":    {r.list(""), "- `skill/panics`: step a: no &lt;b>"},
		"outcome": {Outcome(r.Report), "no findings, 1 check failed: 1 file examined (Go)"},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: %q, want %q", form, c.got, c.want)
		}
	}
	if (Pull{Report: &report.Update{}, Review: r}).Fresh() {
		t.Error("a pull request with a failed check is fresh")
	}
}
