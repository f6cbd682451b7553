package workspace

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// muted is the reason for dropping a finding that the configuration mutes.
const muted = "muted in " + store.Config

// mute drops muted findings before the comparison with earlier reviews, and removes them from the earlier state,
// because nobody fixed them. Findings that were already fixed or dismissed keep their state.
func (r *reviewing) mute(found *review.Found) {
	ignores := r.workspace.Config.Review.Ignores
	var dropped []review.Dropped
	found.Findings = slices.DeleteFunc(found.Findings, func(f finding.Finding) bool {
		if !ignores(f.Rule) {
			return false
		}
		dropped = append(dropped, review.Dropped{Rule: f.Rule, Path: f.Path, Line: f.Line, Reason: muted})
		return true
	})
	found.Omitted = slices.DeleteFunc(found.Omitted, func(o review.Omission) bool {
		if !ignores(o.Rule) {
			return false
		}
		dropped = append(dropped, review.Dropped{Rule: o.Rule, Reason: muted})
		return true
	})
	found.Drop(dropped...)
	r.State.Findings = slices.DeleteFunc(r.State.Findings, func(e *life.Entry) bool {
		return ignores(e.Rule) && (e.Status == life.Open || e.Status == life.Carried)
	})
}
