package workspace

import (
	"context"
	"errors"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

// SpecsRun selects how specs are updated. The zero SpecsRun writes, and runs nothing.
type SpecsRun struct {
	Looks  bool            // write nothing
	Runner *testrun.Runner // runs pending cases; nil to run nothing
}

// Tests updates existing specs and their tests. It never adds a spec, and returns nil for a repository without specs
// after listing one directory. Call it before Engine and Look, because pages show the state of specs. On an error, all
// files stay unchanged.
func (w *Workspace) Tests(ctx context.Context, how SpecsRun) (*report.Tests, error) {
	t := newTested(w.Files, w.Layout, nil)
	if all, err := t.list(); err != nil || len(all) == 0 {
		return nil, err
	}
	if how.Runner == nil {
		if told, err := w.testsAsTheyAre(ctx); told != nil || err != nil {
			return told, err
		}
	}
	before := maps.Clone(w.Files.Changed())
	o, err := w.Testgen(ctx, TestRun{Check: how.Looks, Stored: true, Runner: how.Runner})
	if err != nil {
		return nil, errors.Join(err, w.restore(before))
	}
	return report.OfTests(o), nil
}

// testsAsTheyAre reports the stored specs if nothing changed since the last run of test generation, and nil otherwise.
func (w *Workspace) testsAsTheyAre(ctx context.Context) (told *report.Tests, err error) {
	local := filepath.Join(w.local, testsDir)
	if !index.Exists(local) || len(w.Files.Changed()) > 0 {
		return nil, nil
	}
	x, err := index.Open(local, w.testsKey())
	if err != nil {
		return nil, nil //nolint:nilerr // another run has it, or it cannot be written: that run, or this one, says so
	}
	s := w.survey(w.tree, x, x.NewBatch(), nil)
	unchanged, err := s.Unchanged(ctx)
	if unchanged && err == nil {
		var o *testgen.Outcome
		if o, err = w.storedOutcome(); err == nil {
			told = report.OfTests(o)
		}
	}
	return told, errors.Join(err, s.Wait(), x.Close())
}

func (w *Workspace) storedOutcome() (*testgen.Outcome, error) {
	specs, err := testgen.Subjects(w.Files)
	if err != nil {
		return nil, err
	}
	o := &testgen.Outcome{}
	for _, subject := range slices.Sorted(maps.Keys(specs)) {
		s := specs[subject]
		if s.Status == spec.Invalidated && s.Fell != nil {
			o.Fell(subject, s.Fell)
		}
		o.Tell(subject, s, nil)
	}
	o.Finish()
	return o, nil
}

func (w *Workspace) restore(before map[string][]byte) error {
	var err error
	for name, old := range w.Files.Changed() {
		if _, already := before[name]; already {
			continue
		}
		if old == nil {
			err = errors.Join(err, w.Files.Remove(name, path.Dir(name)))
		} else {
			_, failed := w.Files.Write(name, old)
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Untold removes entries that a commit has already, so a change is not reported with effects that it did not cause.
func (w *Workspace) Untold(ctx context.Context, commit string, t *report.Tests) error {
	names := map[string]bool{}
	for _, f := range t.Invalidated {
		names[f.Spec] = true
	}
	for _, c := range t.BehaviourChanges {
		names[c.Spec] = true
	}
	if len(names) == 0 {
		return nil
	}
	former, err := w.specsAt(ctx, commit, names)
	if err != nil {
		return err
	}
	t.Invalidated = slices.DeleteFunc(t.Invalidated, func(f testgen.Fallen) bool {
		s := former[f.Spec]
		return s != nil && s.Status == spec.Invalidated
	})
	t.BehaviourChanges = slices.DeleteFunc(t.BehaviourChanges, func(c testgen.Change) bool {
		return former[c.Spec] != nil && slices.Contains(testgen.Changes(c.Spec, former[c.Spec]), c)
	})
	return nil
}

func (w *Workspace) specsAt(ctx context.Context, commit string, names map[string]bool) (map[string]*spec.Spec, error) {
	files, err := w.committed(ctx, commit, func(name string) bool { return names[name] })
	out := map[string]*spec.Spec{}
	for name, data := range files {
		if s, err := spec.Decode(name, data); err == nil {
			out[name] = s
		}
	}
	return out, err
}

// SpecsTold is the report on specs, or the problem that prevented it.
type SpecsTold struct {
	Tests   *report.Tests
	Problem *report.Blocked
}

// Tell adds the report to an update.
func (s SpecsTold) Tell(r *report.Update) {
	if r.Tests = s.Tests; s.Problem != nil {
		r.Blocked = append(r.Blocked, *s.Problem)
	}
}

// TestsOrProblem is Tests for a run with more work to do: it reports specs that the user must repair as a problem and
// not as an error.
func (w *Workspace) TestsOrProblem(ctx context.Context, how SpecsRun) (told SpecsTold, err error) {
	told.Tests, err = w.Tests(ctx, how)
	var bad *spec.FileError
	var unbuilt *testrun.BuildError
	switch {
	case errors.As(err, &unbuilt):
		told, err = w.TestsOrProblem(ctx, SpecsRun{Looks: how.Looks})
		told.Problem = &report.Blocked{Page: store.Layout{}.SpecsDir(), Because: unbuilt.Error(), Mend: "fix the code that does not build"}
		return told, err
	case errors.As(err, &bad):
		told.Problem = &report.Blocked{Page: bad.File, Because: "no spec was updated: " + bad.Error(), Mend: "edit " + bad.File + ", or remove it"}
	case errors.Is(err, store.ErrOccupied):
		told.Problem = &report.Blocked{Page: store.Layout{}.SpecsDir(), Because: "no spec was updated: " + err.Error(), Mend: "move the file or link away from the specs directory"}
	default:
		return told, err
	}
	return told, nil
}
