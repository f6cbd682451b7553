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
	*ledger.Log
	Problems []ledger.Problem
	Checked  bool // git has the whole history of its files
}

// Ledger reads the log as its files are, and holds it against what git has of it. Of the history that was looked through before, only what came
// since is; anew looks through all of it.
func (w *Workspace) Ledger(ctx context.Context, anew bool) (*Ledger, error) {
	batches, unread, err := ledger.Read(w.Files)
	if err != nil {
		return nil, err
	}
	l := &Ledger{Checked: true}
	l.Log, l.Problems = ledger.New(batches)
	l.Problems = append(l.Problems, unread...)
	head, err := w.Repo.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the history of the log: %w", err)
	}
	if head.ID != "" {
		var past ledger.Past
		if past, l.Checked, err = w.pastOfLog(ctx, head.ID, anew); err != nil {
			return nil, fmt.Errorf("read the history of the log: %w", err)
		}
		l.Problems = append(l.Problems, past.Missing(batches)...)
	}
	ledger.Sort(l.Problems)
	return l, nil
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

// SaveLedger writes what was added to the log, and returns the file of each event.
func (w *Workspace) SaveLedger(l *Ledger) (files map[ledger.ID]string, err error) {
	files = map[ledger.ID]string{}
	for _, b := range l.Added() { // what comes later may name what comes first
		if _, err := w.Files.Write(b.Path, b.Data); err != nil {
			return nil, fmt.Errorf("write the log: %w", err)
		}
		for _, id := range b.Events {
			files[id] = b.Path
		}
	}
	return files, nil
}
