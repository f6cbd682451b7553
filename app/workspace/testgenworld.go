package workspace

import (
	"context"
	"strings"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
)

// testsKey identifies what an index of test generation was planned with.
func (w *Workspace) testsKey() string {
	key := strings.Join([]string{w.key(), "testgen/1"}, "\n")
	for _, l := range testLanguages {
		key += "\n" + l.Name() + " " + l.Version()
	}
	return key
}

// testsSurvey is what is shown, for a run of test generation.
func (w *Workspace) testsSurvey(x *index.Index, batch *index.Batch) *survey.Survey {
	return survey.New(survey.Config{
		Tree: w.tree, Index: x, Batch: batch, Languages: languages.All(), Owned: w.Layout.Owns, Excluded: w.excluded,
		MaxBytes: w.Config.MaxFileBytes, Reading: w.reading,
	})
}

// wantedTests says which functions get a spec. It implements testgen.Wanted.
type wantedTests struct {
	targets *targets
	all     []string
	stored  bool
}

// Has implements testgen.Wanted.
func (w *wantedTests) Has(module, symbol string) bool {
	return !w.stored && w.targets.has(module, symbol)
}

// None implements testgen.Wanted.
func (w *wantedTests) None() bool { return w.stored }

// String implements testgen.Wanted.
func (w *wantedTests) String() string {
	if w.stored {
		return "none"
	}
	return "of " + strings.Join(w.all, " ")
}

// remembered keeps what Plans finds out in the index of the run.
type remembered struct {
	index *index.Index
	batch *index.Batch
}

const testableBucket index.Bucket = "testable"

// Get implements testgen.Memory.
func (r remembered) Get(key string, into any) bool { return r.index.Get(testableBucket, key, into) }

// Put implements testgen.Memory.
func (r remembered) Put(key string, value any) error { return r.batch.Put(testableBucket, key, value) }

// observed is a world that was looked at already. One that only looks takes nothing into account that is not on disk.
type observed struct {
	edited
	looks bool
}

// Observe implements engine.World.
func (observed) Observe(context.Context) error { return nil }

// Unchanged implements engine.World: what is wanted may be something else than the last run wanted.
func (observed) Unchanged(context.Context) (bool, error) { return false, nil }

// Wrote implements engine.World.
func (o observed) Wrote(ctx context.Context, before map[string][]byte) error {
	if o.looks {
		return nil
	}
	return o.edited.Wrote(ctx, before)
}
