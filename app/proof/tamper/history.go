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
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

// files are those of a log.
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

// history is a repository in which events were recorded, as it is before anybody touches it.
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

// build records events as people do: some at a time, on two branches of which each has its key, which are merged now and then.
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
	if _, err := git(ctx, h.scratch, nil, "init", "-q", "-b", "main", "--template=", h.dir); err != nil {
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
			d = reasoning.Draft{Type: ledger.Proposition, Text: d.Text} // what it spoke against does not hold any more
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

// read reads what is to be changed: the files of the log, and what git has of them.
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
		return fmt.Errorf("what was recorded does not hold: %d events are covered, and wrong is %v", held.Covered, w.Problems)
	}
	h.log, h.newest = w.Log, ledger.File{Path: held.Newest, Data: h.files[held.Newest]}
	return nil
}

// drawn are random numbers that are the same each time.
func drawn(seed, number uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, number)) //nolint:gosec // what is drawn has to be drawn again
}

// verify does what the command of that name does.
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
	_, err := git(ctx, h.dir, nil, args...)
	return err
}

func commit(ctx context.Context, dir, subject string) error {
	if _, err := git(ctx, dir, nil, "add", "--all"); err != nil {
		return err
	}
	_, err := git(ctx, dir, nil, "commit", "-q", "--allow-empty", "-m", subject)
	return err
}

// git runs git in a directory, without the configuration of whoever runs this.
func git(ctx context.Context, dir string, in []byte, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "gc.auto=0", "-c", "commit.gpgSign=false"}, args...)...)
	c.Dir = dir
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com")
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &errs
	if err := c.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), nil
}
