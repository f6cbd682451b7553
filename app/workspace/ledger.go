package workspace

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

// Ledger is the log of what was thought, with what is known of whether it is whole.
type Ledger struct {
	*ledger.Whole
	Checked bool // git has the whole history of its files

	past ledger.Past
}

// Ledger reads the log as its files are, and holds it against what git has of it. Of the history that was looked through before, only what came
// since is; anew looks through all of it.
func (w *Workspace) Ledger(ctx context.Context, anew bool) (*Ledger, error) {
	l := &Ledger{Checked: true}
	head, err := w.Repo.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the history of the log: %w", err)
	}
	if head.ID != "" {
		if l.past, l.Checked, err = w.pastOfLog(ctx, head.ID, anew); err != nil {
			return nil, fmt.Errorf("read the history of the log: %w", err)
		}
	}
	l.Whole, err = ledger.Open(w.Files, l.past)
	return l, err
}

// lookedThrough is what was found in the history up to a commit. It may be lost at any time.
type lookedThrough struct {
	Commit string
	Files  ledger.Past
}

func (w *Workspace) pastOfLog(ctx context.Context, head string, anew bool) (past ledger.Past, whole bool, err error) {
	name := filepath.Join(w.local, "log.json")
	var before lookedThrough
	if data, err := os.ReadFile(name); err == nil && !anew && json.Unmarshal(data, &before) == nil && before.Commit != "" {
		if before.Commit == head {
			return before.Files, true, nil
		}
		if known, err := w.Repo.Contains(ctx, head, before.Commit); err != nil || !known {
			before = lookedThrough{}
		}
	}
	files, whole, err := w.Repo.EverBelow(ctx, head, store.Log, before.Commit)
	if err != nil {
		return nil, false, err
	}
	for file, gone := range before.Files {
		files[file] = cmp.Or(files[file], gone)
	}
	if whole {
		data, err := json.Marshal(lookedThrough{head, files})
		if err == nil && os.MkdirAll(w.local, 0o755) == nil {
			_ = os.WriteFile(name, data, 0o600) // what is written in part is no JSON, and looked for again
		}
	}
	return files, whole, nil
}

// SaveLedger writes what was added to the log, and returns the file of each event. Where the clone has a key, or Signer is set, a checkpoint is
// written beside it; for a log that is not whole nobody vouches.
func (w *Workspace) SaveLedger(l *Ledger) (files map[ledger.ID]string, err error) {
	signer, err := w.signer()
	if err != nil {
		return nil, err
	}
	files = map[ledger.ID]string{}
	for _, b := range l.Added() { // what comes later may name what comes first
		if _, err := w.Files.Write(b.Path, b.Data); err != nil {
			return nil, fmt.Errorf("write the log: %w", err)
		}
		for _, id := range b.Events {
			files[id] = b.Path
		}
	}
	if signer != nil && len(files) > 0 && len(l.Problems) == 0 {
		err = w.sign(l, signer)
	}
	return files, err
}
