package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/finding"
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

// GeneratedTests lists the generated test files of the repository, sorted.
func (w *Workspace) GeneratedTests(ctx context.Context) ([]string, error) {
	out, err := w.gitOutput(ctx, "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z")
	if err != nil {
		return nil, fmt.Errorf("list the files of the repository: %w", err)
	}
	var list []string
	for name := range strings.SplitSeq(out, "\x00") {
		l := testLanguageOf(name)
		if l == nil || !store.IsTest(name) {
			continue
		}
		if data, err := w.Files.Read(name); err == nil && l.Ours(data) {
			list = append(list, name)
		}
	}
	return list, nil
}

// shelf caches the specs of a run, which are read several times. A write invalidates the entry. It implements
// testgen.Shelf.
type shelf struct {
	testFiles

	mu   sync.Mutex
	read map[string]*spec.Spec
}

var _ testgen.Shelf = (*shelf)(nil)

func newShelf(files testFiles) *shelf { return &shelf{testFiles: files, read: map[string]*spec.Spec{}} }

// Spec implements testgen.Shelf. The caller may change the spec.
func (s *shelf) Spec(name string) (*spec.Spec, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.read[name]
	if one == nil {
		var err error
		if one, err = testgen.ReadSpec(s.testFiles, name); err != nil {
			return nil, err
		}
		s.read[name] = one
	}
	out := *one
	out.Cases = slices.Clone(one.Cases)
	return &out, nil
}

func (s *shelf) Write(name string, data []byte) (changed bool, err error) {
	defer s.forget(name)
	return s.testFiles.Write(name, data)
}

func (s *shelf) Remove(name, upTo string) error {
	defer s.forget(name)
	return s.testFiles.Remove(name, upTo)
}

func (s *shelf) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.read, name)
}

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
