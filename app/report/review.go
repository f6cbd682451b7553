package report

import (
	"cmp"
	"slices"

	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Review is the result of a review. Lists are sorted by path, line, rule and ID.
type Review struct {
	Session     string            `json:"session"`
	Base        string            `json:"base"`
	Head        string            `json:"head"` // empty for the work tree
	Findings    []Finding         `json:"findings"`
	Fixed       []Past            `json:"fixed"`
	Carried     []Past            `json:"carried"`
	Outdated    []Past            `json:"outdated"`
	Dismissed   []Past            `json:"dismissed"`
	Summary     []review.Omission `json:"summary"`
	Dropped     []review.Dropped  `json:"dropped"`
	NotAnalysed []finding.Skipped `json:"not_analysed"`
	Coverage    review.Coverage   `json:"coverage"`
	Earlier     []review.Earlier  `json:"earlier,omitempty"` // findings of the last review of the same files
	Model       *Model            `json:"model"`             // nil without a model
	Promoted    []string          `json:"promoted"`          // slugs of the principles that the change promoted
	// Overview summarizes the change in sentences of a model; nil without one.
	Overview []grounding.Sentence `json:"overview,omitempty"`
}

// Finding is a current finding.
type Finding struct {
	ID         string              `json:"id"`
	Rule       string              `json:"rule"`
	Category   finding.Category    `json:"category"`
	Severity   finding.Severity    `json:"severity"`
	Path       string              `json:"path"`
	Line       int                 `json:"line"`
	EndLine    int                 `json:"end_line"`
	Side       finding.Side        `json:"side"`
	Symbol     string              `json:"symbol,omitempty"`
	Quote      string              `json:"quote"`
	Message    string              `json:"message"`
	Pattern    string              `json:"pattern"`
	Principle  *string             `json:"principle"`
	State      string              `json:"state"`
	FirstSeen  string              `json:"first_seen"`
	Dependants []finding.Place     `json:"dependants,omitempty"`
	Suggestion *finding.Suggestion `json:"suggestion,omitempty"`
	Condition  string              `json:"invalidation_condition"`
	Frame      string              `json:"frame_id"`
}

// Affected returns the dependants that the change did not adapt.
func (f *Finding) Affected() []finding.Place {
	return slices.DeleteFunc(slices.Clone(f.Dependants), func(p finding.Place) bool { return p.Adapted })
}

// Past is a fixed, carried, outdated or dismissed finding.
type Past struct {
	ID       string           `json:"id"`
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Path     string           `json:"path"`
	Line     int              `json:"line"` // last known line
	Why      string           `json:"why,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Actor    string           `json:"actor,omitempty"`
}

// OfReview returns the report of a review.
func OfReview(base, head string, found *review.Found, out life.Outcome, earlier []review.Earlier, promoted []string) *Review {
	r := &Review{
		Session: found.Session, Base: base, Head: head, Summary: found.Omitted, Dropped: found.Dropped, NotAnalysed: found.Skipped, Earlier: earlier, Promoted: promoted, Coverage: found.Coverage,
		Findings: []Finding{}, Fixed: past(out.Fixed), Carried: past(out.Carried), Outdated: past(out.Outdated), Dismissed: past(out.Dismissed),
	}
	for _, t := range out.Findings {
		r.Findings = append(r.Findings, Finding{
			ID: t.ID, Rule: t.Rule, Category: t.Category, Severity: t.Severity, Path: t.Path, Line: t.Line, EndLine: t.EndLine, Side: t.Side,
			Symbol: t.Symbol, Quote: t.Quote, Message: t.Message, Pattern: t.Pattern, Principle: t.Principle, State: t.State,
			FirstSeen: t.FirstSeen, Dependants: t.Dependants, Suggestion: t.Suggestion, Condition: t.Condition, Frame: t.Frame,
		})
	}
	r.Summary, r.Dropped, r.NotAnalysed, r.Promoted = list(r.Summary), list(r.Dropped), list(r.NotAnalysed), list(r.Promoted)
	c := &r.Coverage
	c.Examined, c.Missed, c.Checks, c.Failed = list(c.Examined), list(c.Missed), list(c.Checks), list(c.Failed)
	return r
}

func past(entries []*life.Entry) []Past {
	list := []Past{}
	for _, e := range entries {
		p := Past{ID: e.ID, Rule: e.Rule, Severity: e.Severity, Path: e.Path, Line: e.Line}
		switch e.Status {
		case life.Carried:
			p.Why = e.Why
		case life.Dismissed:
			p.Reason, p.Actor = e.Dismissal()
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Past) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Bad counts the findings at or above a severity, and the carried ones, which no run has shown to be fixed.
func (r *Review) Bad(limit finding.Severity) (found, carried int) {
	for _, f := range r.Findings {
		if f.Severity.AtLeast(limit) {
			found++
		}
	}
	for _, p := range r.Carried {
		if p.Severity.AtLeast(limit) {
			carried++
		}
	}
	return found, carried
}

// Failures describes the failed checks, a line each.
func (r *Review) Failures() (lines []string) {
	for _, f := range r.Coverage.Failed {
		lines = append(lines, f.String())
	}
	return lines
}

// Plain converts the findings for other output formats.
func (r *Review) Plain() []finding.Finding {
	list := make([]finding.Finding, len(r.Findings))
	for i, f := range r.Findings {
		list[i] = finding.Finding{
			ID: f.ID, Rule: f.Rule, Category: f.Category, Severity: f.Severity, Path: f.Path, Line: f.Line, EndLine: f.EndLine, Side: f.Side,
			Symbol: f.Symbol, Message: f.Message, Dependants: f.Dependants, Suggestion: f.Suggestion,
		}
	}
	return list
}

// Keep drops findings for which tells is false, and records the reason.
func (r *Review) Keep(tells func(finding.Severity) bool, reason string) {
	drop := func(s finding.Severity, rule, path string, line int) bool {
		if tells(s) {
			return false
		}
		r.Dropped = append(r.Dropped, review.Dropped{Rule: rule, Path: path, Line: line, Reason: reason})
		return true
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return drop(f.Severity, f.Rule, f.Path, f.Line) })
	r.Carried = slices.DeleteFunc(r.Carried, func(p Past) bool { return drop(p.Severity, p.Rule, p.Path, p.Line) })
	review.SortDropped(r.Dropped)
}
