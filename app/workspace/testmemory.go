package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/testgen"
)

// testMemory caches the report of test generation. A run with the same targets and files repeats it without reading the
// specs.
type testMemory struct {
	index *index.Index
	state string
}

type idleRun struct {
	Want, State string
	Outcome     []byte // a testgen.Outcome as JSON, which keeps empty lists
}

const idleBucket index.Bucket = "idle"

// The kinds of runs whose report is cached.
const (
	askedRun = "asked" // explicit targets, or all
	toldRun  = "told"  // stored specs without changes
)

// atRest calls fn if nothing changed since the last run of test generation.
func (w *Workspace) atRest(ctx context.Context, fn func(m testMemory) error) error {
	local := filepath.Join(w.local, testsDir)
	if !index.Exists(local) || len(w.Files.Changed()) > 0 {
		return nil
	}
	x, err := index.Open(local, w.testsKey())
	if err != nil {
		return nil //nolint:nilerr // another run has it, or it cannot be written: that run, or this one, says so
	}
	s := w.survey(w.tree, x, x.NewBatch(), nil)
	unchanged, err := s.Unchanged(ctx)
	if unchanged && err == nil {
		err = fn(testMemory{x, s.State()})
	}
	return errors.Join(err, s.Wait(), x.Close())
}

// recall returns the report of the last run of a kind, nil if its targets or files differ or it cannot be read.
func (m testMemory) recall(kind, want string) *testgen.Outcome {
	var last idleRun
	if !m.index.Get(idleBucket, kind, &last) || last.Want != want || last.State != m.state {
		return nil
	}
	o := &testgen.Outcome{}
	if json.Unmarshal(last.Outcome, o) != nil {
		return nil
	}
	return o
}

func (m testMemory) remember(kind, want string, o *testgen.Outcome) error {
	outcome, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("store the reported changes: %w", err)
	}
	batch := m.index.NewBatch()
	return errors.Join(batch.Put(idleBucket, kind, idleRun{want, m.state, outcome}), batch.Commit())
}

// wants is the cache key for the targets of a run. Check is not part of it, because only runs without writes are
// cached. It is empty for runs that do more than check.
func (r TestRun) wants() string {
	if r.Runner != nil || len(r.Accept) > 0 || r.Stored {
		return ""
	}
	return fmt.Sprintf("%q", r.Targets)
}
