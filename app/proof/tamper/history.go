package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

// files are the files of a log.
type files map[string][]byte

// Below implements ledger.Files.
func (f files) Below(string) ([]string, error) { return slices.Sorted(maps.Keys(f)), nil }

// Read implements ledger.Files.
func (f files) Read(name string) ([]byte, error) {
	data, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

// history is a repository with recorded events, before any manipulation.
type history struct {
	scratch, dir string
	commits      int
	files        files
	past         ledger.Past
	log          *ledger.Log
	newest       ledger.File // the checkpoint of everything
	stranger     *ledger.Signer
	rng          *rand.Rand
}

func (h *history) close() { _ = os.RemoveAll(h.scratch) }

// build records events in small commits on two branches, which have different keys and are merged from time to time.
func build(ctx context.Context, events int, seed uint64) (*history, error) {
	scratch, err := os.MkdirTemp("", "causal-tamper-")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	h := &history{scratch: scratch, dir: filepath.Join(scratch, "project"), rng: drawn(seed, 0)}
	if err := errors.Join(h.record(ctx, events), h.read(ctx)); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *history) record(ctx context.Context, events int) error {
	var signers []*ledger.Signer
	for i := range 3 {
		s, err := signerOf(byte(i))
		if err != nil {
			return err
		}
		signers = append(signers, s)
	}
	h.stranger = signers[2]
	if _, err := trial.Git(ctx, h.scratch, nil, "init", "-q", "-b", "main", "--template=", h.dir); err != nil {
		return err
	}
	for n := 0; n < events-1; {
		on := h.commits / 3 % 2
		switch {
		case h.commits == 3:
			if err := h.git(ctx, "branch", "-q", "side"); err != nil {
				return err
			}
		case h.commits > 3 && h.commits%6 == 0:
			if err := h.join(ctx); err != nil {
				return err
			}
		}
		if h.commits >= 3 {
			if err := h.git(ctx, "checkout", "-q", []string{"main", "side"}[on]); err != nil {
				return err
			}
		}
		some := min(1+h.rng.IntN(9), events-1-n)
		if err := h.save(ctx, h.dir, some, n, signers[on]); err != nil {
			return err
		}
		n += some
	}
	if err := h.join(ctx); err != nil {
		return err
	}
	return h.save(ctx, h.dir, 1, events-1, signers[0]) // one who has seen everything
}

// join merges each of the two branches into the other.
func (h *history) join(ctx context.Context) error {
	return errors.Join(h.git(ctx, "checkout", "-q", "main"), h.git(ctx, "merge", "-q", "--no-edit", "side"),
		h.git(ctx, "checkout", "-q", "side"), h.git(ctx, "merge", "-q", "--ff-only", "main"), h.git(ctx, "checkout", "-q", "main"))
}

// save records some events in a repository, and commits them.
func (h *history) save(ctx context.Context, dir string, some, number int, signer *ledger.Signer) error {
	w, err := workspace.Open(ctx, workspace.WorkTree{Dir: dir, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	w.Signer = signer
	log, err := w.Ledger(ctx, false)
	if err != nil {
		return err
	}
	r := reasoning.NewRecorder(log.Log)
	for i := range some {
		d := reasoning.Draft{Type: ledger.Proposition, Text: fmt.Sprintf("Statement number %d about subject %d", number+i, h.rng.IntN(50))}
		if known := log.Events(); len(known) > 0 && h.rng.IntN(3) == 0 {
			d.Type, d.Effect, d.Targets = ledger.Contradiction, ledger.Challenges, []string{string(known[h.rng.IntN(len(known))].ID)}
		}
		var dropped *reasoning.DropError
		if _, err := r.Record(d, "Ada", "2026-01-01T12:00:00Z"); errors.As(err, &dropped) {
			d = reasoning.Draft{Type: ledger.Proposition, Text: d.Text} // its target is no longer active
			_, err = r.Record(d, "Ada", "2026-01-01T12:00:00Z")
			if err != nil {
				return err
			}
		} else if err != nil {
			return err
		}
	}
	if _, err := w.SaveLedger(log); err != nil {
		return err
	}
	h.commits++
	return commit(ctx, dir, "Record")
}

// read reads the files of the log and their history in git.
func (h *history) read(ctx context.Context) error {
	repo, err := gitstore.Open(ctx, h.dir)
	if err != nil {
		return err
	}
	past, whole, err := repo.EverBelow(ctx, "HEAD", store.Log, "")
	if err != nil || !whole {
		return fmt.Errorf("read the history: %w", err)
	}
	h.past, h.files = past, files{}
	for name := range past {
		if h.files[name], err = os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	w, held, err := verify(h.files, h.past, ledger.Outside{})
	if err != nil {
		return err
	}
	if len(w.Problems) > 0 || held.Covered != len(w.Events()) {
		return fmt.Errorf("the recorded log is invalid: %d events are covered, problems: %v", held.Covered, w.Problems)
	}
	h.log, h.newest = w.Log, ledger.File{Path: held.Newest, Data: h.files[held.Newest]}
	return nil
}

// drawn are random numbers that are the same each time.
func drawn(seed, number uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, number)) //nolint:gosec // draws must be reproducible
}

// verify does the work of causal verify.
func verify(f ledger.Files, past ledger.Past, outside ledger.Outside) (*ledger.Whole, ledger.Held, error) {
	w, err := ledger.Open(f, past)
	if err != nil {
		return nil, ledger.Held{}, err
	}
	held, err := w.Hold(f, outside)
	return w, held, err
}

// signerOf makes the same key for the same number each time.
func signerOf(n byte) (*ledger.Signer, error) {
	secret, err := ledger.NewSecret(bytes.NewReader(bytes.Repeat([]byte{n}, 32)), "causal")
	if err != nil {
		return nil, err
	}
	return ledger.NewSigner(secret)
}

func (h *history) git(ctx context.Context, args ...string) error {
	_, err := trial.Git(ctx, h.dir, nil, args...)
	return err
}

func commit(ctx context.Context, dir, subject string) error {
	if _, err := trial.Git(ctx, dir, nil, "add", "--all"); err != nil {
		return err
	}
	_, err := trial.Git(ctx, dir, nil, "commit", "-q", "--allow-empty", "-m", subject)
	return err
}
