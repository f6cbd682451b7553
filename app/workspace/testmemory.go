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

// testMemory is what is remembered of test generation where everything is as its last run left it: a run that wants the same of the same
// files tells the same, and need not read a thousand specs for that.
type testMemory struct {
	index *index.Index
	state string
}

// idleRun is what a run told that had nothing to write.
type idleRun struct {
	Want, State string
	Outcome     []byte // a testgen.Outcome as JSON: lists that are empty stay so
}

const idleBucket index.Bucket = "idle"

// The kinds of runs of which the last is remembered.
const (
	askedRun = "asked" // somebody named targets, or wanted all
	toldRun  = "told"  // specs were told of as they are
)

// atRest calls fn where everything is as the last run of test generation left it.
func (w *Workspace) atRest(ctx context.Context, fn func(m testMemory) error) error {
	local := filepath.Join(w.local, testsDir)
	if !index.Exists(local) || len(w.Files.Changed()) > 0 {
		return nil
	}
	x, err := index.Open(local, w.testsKey())
	if err != nil {
		return nil //nolint:nilerr // another run has it, or it cannot be written: that run, or this one, says so
	}
	s := w.testsSurvey(x, x.NewBatch())
	unchanged, err := s.Unchanged(ctx)
	if unchanged && err == nil {
		err = fn(testMemory{x, s.State()})
	}
	return errors.Join(err, s.Wait(), x.Close())
}

// recall returns what the last run of a kind told; nil when it wanted something else, or of other files, or cannot be read.
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

// remember keeps what a run told.
func (m testMemory) remember(kind, want string, o *testgen.Outcome) error {
	outcome, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("store the reported changes: %w", err)
	}
	batch := m.index.NewBatch()
	return errors.Join(batch.Put(idleBucket, kind, idleRun{want, m.state, outcome}), batch.Commit())
}

// wants names what is wanted of a run. Whether it would write makes no difference where there is nothing to write. Empty for a run that
// is not told from memory: it has more to do than to look.
func (r TestRun) wants() string {
	if r.Runner != nil || len(r.Accept) > 0 || r.Stored {
		return ""
	}
	return fmt.Sprintf("%q", r.Targets)
}
