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

// Ledger is the log of decisions and events, with the result of its integrity checks.
type Ledger struct {
	*ledger.Whole
	Checked bool // git has the whole history of its files

	past ledger.Past
}

// Ledger reads the log and verifies it against its git history. It checks only commits since the last call; anew checks
// all.
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

// lookedThrough caches the result of the history check up to a commit.
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
			_ = os.WriteFile(name, data, 0o600) // a partly written file is invalid JSON and checked again
		}
	}
	return files, whole, nil
}

// SaveLedger writes the added events and returns the file of each. With a key, it also signs a checkpoint, except for a
// log with problems.
func (w *Workspace) SaveLedger(l *Ledger) (files map[ledger.ID]string, err error) {
	signer, err := w.signer()
	if err != nil {
		return nil, err
	}
	files = map[ledger.ID]string{}
	for _, b := range l.Added() { // earlier batches may be named by later ones
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
