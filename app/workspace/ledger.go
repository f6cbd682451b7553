package workspace

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/atomic"
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

// Files of a clone that are not a cache. They are in git's own directory, so they are never committed.
const (
	keyFile  = "key"              // the private key that signs this clone's checkpoints
	keptFile = "checkpoints.json" // the checkpoints that this clone has seen, by branch
)

// keyName is the signer name of all clones. The commits show who has which key.
const keyName = "causal"

// signer returns Signer, or else the key of the clone. It returns nil if there is neither.
func (w *Workspace) signer() (*ledger.Signer, error) {
	if w.Signer != nil || w.disk == nil {
		return w.Signer, nil
	}
	name := filepath.Join(w.disk.CloneDir(), keyFile)
	secret, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the key of this clone: %w", err)
	}
	s, err := ledger.NewSigner(string(secret))
	if err != nil {
		return nil, fmt.Errorf("%s: %w; remove it and run `causal init` to create another", name, err)
	}
	return s, nil
}

// Key returns the public key file of this clone, and false if the clone has no key.
func (w *Workspace) Key() (ledger.File, bool, error) {
	s, err := w.signer()
	if s == nil || err != nil {
		return ledger.File{}, false, err
	}
	return s.KeyFile(), true, nil
}

// MakeKey creates the key of the clone if there is none, and writes its public key file. The caller must hold the lock.
func (w *Workspace) MakeKey(random io.Reader) (key ledger.File, made bool, err error) {
	key, there, err := w.Key()
	if err != nil {
		return key, false, err
	}
	if !there {
		secret, err := ledger.NewSecret(random, keyName)
		if err != nil {
			return key, false, err
		}
		if err := w.writePrivate(keyFile, []byte(secret+"\n")); err != nil {
			return key, false, err
		}
		if key, _, err = w.Key(); err != nil {
			return key, false, err
		}
	}
	made, err = w.Files.Write(key.Path, key.Data)
	return key, made, err
}

// writePrivate writes a file of the clone atomically, readable only by its owner.
func (w *Workspace) writePrivate(name string, data []byte) error {
	if err := atomic.Write(filepath.Join(w.disk.CloneDir(), name), data, 0o600); err != nil {
		return fmt.Errorf("write %s of this clone: %w", name, err)
	}
	return nil
}

// sign writes a checkpoint of the log and the public key file, which may be missing on this branch.
func (w *Workspace) sign(l *Ledger, signer *ledger.Signer) error {
	checkpoint, ok, err := l.Checkpoint(signer)
	if err != nil || !ok {
		return err
	}
	for _, f := range []ledger.File{signer.KeyFile(), checkpoint} {
		if _, err := w.Files.Write(f.Path, f.Data); err != nil {
			return fmt.Errorf("write the log: %w", err)
		}
	}
	return nil
}

// kept has the checkpoint texts that a clone has seen committed, by branch and file.
type kept map[string]map[string]string

// HoldLedger verifies a log against its checkpoints, the checkpoints that this clone has seen on the branch, and
// outside evidence. If all match, the clone remembers the newest committed checkpoints.
func (w *Workspace) HoldLedger(ctx context.Context, l *Ledger, outside ledger.Outside) (ledger.Held, error) {
	branch, err := w.Repo.Branch(ctx)
	if err != nil {
		return ledger.Held{}, fmt.Errorf("compare the log with its checkpoints: %w", err)
	}
	name := filepath.Join(w.disk.CloneDir(), keptFile)
	seen := kept{}
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &seen)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return ledger.Held{}, fmt.Errorf("read the checkpoints that this clone has seen: %s: %w; delete the file to start again", name, err)
	}
	for file, text := range seen[branch] {
		outside.Seen = append(outside.Seen, ledger.File{Path: file, Data: []byte(text)})
	}
	outside.SeenIn = filepath.ToSlash(name)
	if rel, err := filepath.Rel(w.Root(), name); err == nil {
		outside.SeenIn = filepath.ToSlash(rel)
	}
	held, err := l.Hold(w.Files, outside)
	if err != nil || branch == "" || len(l.Problems) > 0 {
		return held, err
	}
	now := map[string]string{}
	for _, f := range held.Best {
		if _, committed := l.past[f.Path]; committed {
			now[f.Path] = string(f.Data)
		}
	}
	if len(now) == 0 {
		return held, nil
	}
	seen[branch] = now
	again, err := json.MarshalIndent(seen, "", "  ")
	if err != nil || bytes.Equal(again, data) {
		return held, err
	}
	return held, w.writePrivate(keptFile, again)
}
