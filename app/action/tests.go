package action

import (
	"context"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/app/workspace"
)

// What the input testgen may be.
const (
	testgenOff    = "off"    // specs are brought up to date, and nothing is run
	testgenVerify = "verify" // what waits for that is built and run in the job
)

// specs says how specs are brought up to date. note is told why something is not run that was asked for.
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

// update brings everything up to date, and notes what was not run.
func (j *job) update(ctx context.Context, w *workspace.Workspace) (r *report.Update, notes []string, err error) {
	how, err := j.specs(ctx, w, func(note string) { notes = append(notes, note) })
	if err != nil {
		return nil, nil, err
	}
	r, err = w.Update(ctx, how)
	return r, notes, err
}

// caused leaves of what is told of specs what the pull request has caused, where its base is in the checkout.
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

// left reports whether tests have left something to a person: only a run that runs them knows.
func (j *job) left(t *report.Tests) bool {
	return j.verify && t != nil && len(t.Invalidated)+len(t.BehaviourChanges) > 0
}
