package workspace

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/review/life"
)

// Muted is why a finding is dropped of which the configuration says that it is not to be told.
const Muted = "muted in " + store.Config

// mute drops what the configuration does not want to hear of, before it is compared with what earlier looks had found. What those
// had found of it is forgotten: nobody fixed it. What was fixed or dismissed before stays what it is.
func (r *reviewing) mute(found *review.Found) {
	ignores := r.workspace.Config.Review.Ignores
	var muted []review.Dropped
	found.Findings = slices.DeleteFunc(found.Findings, func(f finding.Finding) bool {
		if !ignores(f.Rule) {
			return false
		}
		muted = append(muted, review.Dropped{Rule: f.Rule, Path: f.Path, Line: f.Line, Reason: Muted})
		return true
	})
	found.Omitted = slices.DeleteFunc(found.Omitted, func(o review.Omission) bool {
		if !ignores(o.Rule) {
			return false
		}
		muted = append(muted, review.Dropped{Rule: o.Rule, Reason: Muted})
		return true
	})
	found.Drop(muted...)
	r.State.Findings = slices.DeleteFunc(r.State.Findings, func(e *life.Entry) bool {
		return ignores(e.Rule) && (e.Status == life.Open || e.Status == life.Carried)
	})
}
