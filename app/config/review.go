package config

import (
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
