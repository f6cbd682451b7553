package workspace

import (
	"context"
	"errors"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
	"github.com/causaldocs/causal/testgen"
)

const mostClaims = 3

func claimsOf(t *report.Tests) map[string][]review.Claim {
	if t == nil {
		return nil
	}
	out := map[string][]review.Claim{}
	for _, f := range t.Invalidated {
		_, symbol, ok := store.Layout{}.SpecOf(f.Spec)
		if !ok || f.File == "" {
			continue
		}
		name := testgen.NameOf(f.Spec)
		changed := t.Changed(f.Spec)
		for _, c := range changed[:min(len(changed), mostClaims)] {
			out[f.File] = append(out[f.File], review.Claim{
				Rule: review.BehaviourRule, Severity: finding.Warning, Symbol: symbol,
				Message: c.String() + ". Fix the code, or accept the change: causal testgen --accept " + c.Spec + "#" + c.Case,
			})
		}
		if len(changed) == 0 {
			out[f.File] = append(out[f.File], review.Claim{
				Rule: review.InvalidatedRule, Severity: finding.Note, Symbol: symbol,
				Message: "The results in the tests of " + name + " were recorded before this change: they are skipped until the next causal testgen --verify.",
			})
		}
	}
	return out
}

// TestsOf returns the specs that a change since a commit affects, for its review. Call it before Engine and Review.
// Unreadable specs are reported by the update.
func (w *Workspace) TestsOf(ctx context.Context, base string) (*report.Tests, error) {
	if w.view == revision {
		defer w.Files.Hold()()
		if err := w.showSpecsOf(ctx, w.Commit.ID); err != nil {
			return nil, err
		}
	}
	told, err := w.TestsOrProblem(ctx, SpecsRun{Looks: true})
	if err != nil || told.Tests == nil {
		return nil, err
	}
	return told.Tests, w.Untold(ctx, base, told.Tests)
}

// showSpecsOf writes the specs of a commit instead of those of the work tree.
func (w *Workspace) showSpecsOf(ctx context.Context, commit string) error {
	specs, err := w.committed(ctx, commit, func(name string) bool {
		_, _, ok := w.Layout.SpecOf(name)
		return ok
	})
	if err != nil {
		return err
	}
	present, err := w.Files.Below(w.Layout.SpecsDir())
	if errors.Is(err, store.ErrOccupied) {
		return nil // Tests reports it
	}
	for _, name := range present {
		if specs[name] == nil {
			err = errors.Join(err, w.Files.Remove(name, store.Top))
		}
	}
	for name, data := range specs {
		_, failed := w.Files.Write(name, data)
		err = errors.Join(err, failed)
	}
	return err
}
