package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
)

func (w *Workspace) testsKey() string {
	key := strings.Join([]string{w.key(), "testgen/1"}, "\n")
	for _, l := range testLanguages {
		key += "\n" + l.Name + " " + l.Version
	}
	return key
}

func (w *Workspace) survey(tree survey.Tree, x *index.Index, batch *index.Batch, settings map[string]string) *survey.Survey {
	return survey.New(survey.Config{
		Tree: tree, Index: x, Batch: batch, Languages: languages.All(), Owned: w.owns, Excluded: w.excluded,
		MaxBytes: w.Config.MaxFileBytes, Settings: settings, Reading: w.reading,
	})
}

// surveyed surveys a tree, with the first of the indexes that can be opened. done saves and closes it.
func (w *Workspace) surveyed(ctx context.Context, tree survey.Tree, dirs ...string) (s *survey.Survey, done func() error, err error) {
	var x *index.Index
	for _, dir := range dirs {
		if x, err = index.Open(dir, w.key()); err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, err
	}
	batch := x.NewBatch()
	s = w.survey(tree, x, batch, nil)
	if err := s.Observe(ctx); err != nil {
		return nil, nil, errors.Join(err, s.Wait(), x.Close())
	}
	return s, func() error { return errors.Join(s.Save(true), batch.Commit(), s.Wait(), x.Close()) }, nil
}

// wantedTests selects the functions that get a spec. It implements testgen.Wanted.
type wantedTests struct {
	targets *targets
	all     []string
	stored  bool
}

func (w *wantedTests) Has(module, symbol string) bool {
	return !w.stored && w.targets.has(module, symbol)
}

func (w *wantedTests) None() bool { return w.stored }

func (w *wantedTests) String() string {
	if w.stored {
		return "none"
	}
	return "of " + strings.Join(w.all, " ")
}

type remembered struct {
	index *index.Index
	batch *index.Batch
}

const testableBucket index.Bucket = "testable"

func (r remembered) Get(key string, into any) bool { return r.index.Get(testableBucket, key, into) }

func (r remembered) Put(key string, value any) error { return r.batch.Put(testableBucket, key, value) }

// observed is a world that was surveyed already. A run that only checks records no writes.
type observed struct {
	edited
	looks bool
}

func (observed) Observe(context.Context) error { return nil }

// Unchanged implements engine.World. The targets may differ from the last run's.
func (observed) Unchanged(context.Context) (bool, error) { return false, nil }

func (o observed) Wrote(ctx context.Context, before map[string][]byte) error {
	if o.looks {
		return nil
	}
	return o.edited.Wrote(ctx, before)
}
