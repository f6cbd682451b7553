package action

import (
	"context"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/app/workspace"
)

// Values of the input testgen.
const (
	testgenOff    = "off"    // update specs, run no tests
	testgenVerify = "verify" // also build and run pending tests in the job
)

// specs returns the options for updating specs. note receives the reason for skipping a requested test run.
func (j *job) specs(ctx context.Context, w *workspace.Workspace, note func(string)) (how workspace.SpecsRun, err error) {
	if !j.verify {
		return how, nil
	}
	root, why, err := w.Sources(ctx)
	if err != nil {
		return how, err
	}
	if why != "" {
		note("No test was run: " + why + ".")
		return how, nil
	}
	how.Runner = &testrun.Runner{Root: root, Launcher: j.world.Program, Warn: func(missing *testrun.MissingError) { note(missing.Error() + ".") }}
	return how, nil
}

func (j *job) update(ctx context.Context, w *workspace.Workspace) (r *report.Update, notes []string, err error) {
	how, err := j.specs(ctx, w, func(note string) { notes = append(notes, note) })
	if err != nil {
		return nil, nil, err
	}
	r, err = w.Update(ctx, how)
	return r, notes, err
}

// caused limits the spec results to those caused by the pull request, if its base is in the checkout.
func (j *job) caused(ctx context.Context, w *workspace.Workspace, t *report.Tests) error {
	if t == nil {
		return nil
	}
	base, found, err := j.changeBase(ctx, w)
	if err != nil || !found {
		return err
	}
	return w.Untold(ctx, base.ID, t)
}

// left reports whether test results need a human.
func (j *job) left(t *report.Tests) bool {
	return j.verify && t != nil && len(t.Invalidated)+len(t.BehaviourChanges) > 0
}
