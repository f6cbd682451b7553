package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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
func (w *Workspace) TestsOf(ctx context.Context, base string) (_ *report.Tests, err error) {
	if w.view == revision {
		back, err := w.withSpecsOf(ctx, w.Commit.ID)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, back()) }()
	}
	told, err := w.TestsOrProblem(ctx, SpecsRun{Looks: true})
	if err != nil || told.Tests == nil {
		return nil, err
	}
	return told.Tests, w.Untold(ctx, base, told.Tests)
}

// withSpecsOf replaces the specs of the work tree by those of a commit until back is called.
func (w *Workspace) withSpecsOf(ctx context.Context, commit string) (back func() error, err error) {
	specs, err := w.committed(ctx, commit, func(name string) bool {
		_, _, ok := w.Layout.SpecOf(name)
		return ok
	})
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "causal-specs-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the specs: %w", err)
	}
	for name, data := range specs {
		name = filepath.Join(temp, filepath.FromSlash(name))
		if err = cmp.Or(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
			return nil, errors.Join(fmt.Errorf("copy a spec: %w", err), os.RemoveAll(temp))
		}
	}
	files := w.Files
	if w.Files, err = store.OpenDir(temp); err != nil {
		w.Files = files
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return func() error {
		err := errors.Join(w.Files.Close(), os.RemoveAll(temp))
		w.Files = files
		return err
	}, nil
}
