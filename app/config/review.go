package config

import (
	"fmt"
	"slices"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/principle"
)

// Review configures the reporting and learning of reviews.
type Review struct {
	// Reporting affects no conclusion and is not part of the key.
	Off      bool             `json:"-" yaml:"off"`
	Ignore   []string         `json:"-" yaml:"ignore"`   // rules that are not reported
	Severity finding.Severity `json:"-" yaml:"severity"` // minimum
	Comments int              `json:"-" yaml:"comments"` // line comments per push

	Approval Approval `yaml:"approval"`
	Promote  Promote  `yaml:"promote"`

	ignored []condition.Glob
}

// Promote is when a pattern becomes a principle.
type Promote struct {
	After   int `yaml:"after"`
	Authors int `yaml:"authors"`
	Fixes   int `yaml:"fixes"`
	Monthly int `yaml:"monthly"`
}

// Approval is who promotes a pattern to a principle.
type Approval string

// The approvals.
const (
	ApprovalNone        Approval = "none"
	ApprovalPullRequest Approval = "pull_request" // maintainers, in a pull request or manually
)

func defaultReview() Review {
	return Review{Severity: finding.Note, Comments: 5, Approval: ApprovalNone, Promote: Promote{After: 3, Authors: 1, Monthly: 5}}
}

// Policy returns the promotion settings as a principle.Policy.
func (r Review) Policy() principle.Policy {
	return principle.Policy{
		Changes: r.Promote.After, Authors: r.Promote.Authors, Fixed: r.Promote.Fixes, Monthly: r.Promote.Monthly, Approval: r.Approval == ApprovalPullRequest,
	}
}

// Ignores reports whether a rule is not reported.
func (r Review) Ignores(rule string) bool {
	return r.Off || slices.ContainsFunc(r.ignored, func(g condition.Glob) bool { return g.Match(rule) })
}

// Tells reports whether findings of a severity are reported.
func (r Review) Tells(s finding.Severity) bool { return s.AtLeast(r.Severity) }

type misplaced struct {
	at   []string
	what string
}

// problems returns the invalid values, and parses the patterns.
func (r *Review) problems() (out []misplaced) {
	if !r.Severity.Valid() {
		out = append(out, misplaced{[]string{"severity"}, fmt.Sprintf("review.severity %q must be note, warning or error", r.Severity)})
	}
	if r.Approval != ApprovalNone && r.Approval != ApprovalPullRequest {
		out = append(out, misplaced{[]string{"approval"}, fmt.Sprintf("review.approval %q must be none or pull_request", r.Approval)})
	}
	for _, n := range []struct {
		value, least, most int
		at                 []string
		name               string
	}{
		{r.Comments, 0, 30, []string{"comments"}, "review.comments"},
		{r.Promote.After, 2, 100, []string{"promote", "after"}, "review.promote.after"},
		{r.Promote.Authors, 1, 100, []string{"promote", "authors"}, "review.promote.authors"},
		{r.Promote.Fixes, 0, 100, []string{"promote", "fixes"}, "review.promote.fixes"},
		{r.Promote.Monthly, 0, 1000, []string{"promote", "monthly"}, "review.promote.monthly"},
	} {
		if n.value < n.least || n.value > n.most {
			out = append(out, misplaced{n.at, fmt.Sprintf("%s %d must be from %d to %d", n.name, n.value, n.least, n.most)})
		}
	}
	for i, pattern := range r.Ignore {
		g, err := condition.ParseGlob(pattern)
		if err != nil {
			out = append(out, misplaced{[]string{"ignore", fmt.Sprint(i)}, fmt.Sprintf("review.ignore %q: %v", pattern, err)})
		}
		r.ignored = append(r.ignored, g)
	}
	return out
}

func (r Review) values() map[string]any {
	return map[string]any{
		"off": r.Off, "ignore": append([]string{}, r.Ignore...), "severity": string(r.Severity), "comments": r.Comments, "approval": string(r.Approval),
		"promote": map[string]any{"after": r.Promote.After, "authors": r.Promote.Authors, "fixes": r.Promote.Fixes, "monthly": r.Promote.Monthly},
	}
}
