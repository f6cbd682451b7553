package workspace

import (
	"context"
	"fmt"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

// Ledger is the log of what was thought, with what is known of whether it is whole.
type Ledger struct {
	*ledger.Log
	Problems []ledger.Problem
	Checked  bool // git has the whole history of its files
}

// Ledger reads the log as its files are, and holds it against what git has of it.
func (w *Workspace) Ledger(ctx context.Context) (*Ledger, error) {
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
		if past, l.Checked, err = w.Repo.EverBelow(ctx, head.ID, store.Log); err != nil {
			return nil, fmt.Errorf("read the history of the log: %w", err)
		}
		l.Problems = append(l.Problems, past.Missing(batches)...)
	}
	ledger.Sort(l.Problems)
	return l, nil
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
