package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
)

// clone is a clone of a verified log.
type clone struct {
	*history
	dir string
	rng *rand.Rand
}

// cloneChange manipulates a clone or its origin. It returns the affected files, events and commits; a problem must name one of them.
type cloneChange struct {
	change
	make func(ctx context.Context, c *clone) (touched []string, err error)
}

func inClone(name string, honest bool, fn func(context.Context, *clone) ([]string, error)) cloneChange {
	return cloneChange{change{name: "in git: " + name, honest: honest}, fn}
}

var ofClones = []cloneChange{
	inClone("a commit removes a file", false, func(ctx context.Context, c *clone) ([]string, error) {
		name := pick(c.rng, c.names(anyFile))
		return c.commitOf(ctx, name, os.Remove(c.path(name)))
	}),
	inClone("a commit edits a file", false, func(ctx context.Context, c *clone) ([]string, error) {
		name := pick(c.rng, c.names(anyFile))
		data := slices.Clone(c.files[name])
		data[c.rng.IntN(len(data))] ^= 1
		return c.commitOf(ctx, name, os.WriteFile(c.path(name), data, 0o644))
	}),
	inClone("a commit is reverted", false, func(ctx context.Context, c *clone) ([]string, error) {
		out, err := trial.Git(ctx, c.dir, nil, "rev-list", "--no-merges", "HEAD")
		if err != nil {
			return nil, err
		}
		if _, err = trial.Git(ctx, c.dir, nil, "revert", "--no-edit", pick(c.rng, strings.Fields(out))); err != nil {
			return nil, err
		}
		return c.head(ctx)
	}),
	inClone("a merge drops a file", false, dropInMerge),
	inClone("the newest commits are removed", false, func(ctx context.Context, c *clone) ([]string, error) {
		_, err := trial.Git(ctx, c.dir, nil, "reset", "-q", "--hard", fmt.Sprintf("HEAD~%d", 1+c.rng.IntN(3)))
		return c.names(ledger.IsCheckpoint), err
	}),
	inClone("all commits are rewritten", false, func(ctx context.Context, c *clone) ([]string, error) {
		return c.rewriteCommits(ctx, func(f files, log *ledger.Log) error { return nil })
	}),
	inClone("all commits are rewritten, without keys and checkpoints", false, func(ctx context.Context, c *clone) ([]string, error) {
		return c.rewriteCommits(ctx, func(f files, _ *ledger.Log) error { strip(f); return nil })
	}),
	inClone("all commits are rewritten, signed with another key", false, func(ctx context.Context, c *clone) ([]string, error) {
		return c.rewriteCommits(ctx, func(f files, log *ledger.Log) error { strip(f); return sign(f, log, c.stranger) })
	}),
	inClone("more events are recorded and merged", true, func(ctx context.Context, c *clone) ([]string, error) {
		for _, args := range [][]string{{"checkout", "-q", "-b", "aside", fmt.Sprintf("HEAD~%d", 1+c.rng.IntN(3))}, nil, {"checkout", "-q", "main"}, nil, {"merge", "-q", "--no-edit", "aside"}} {
			if args == nil {
				if err := c.save(ctx, c.dir, 2, c.rng.Int(), c.stranger); err != nil {
					return nil, err
				}
			} else if _, err := trial.Git(ctx, c.dir, nil, args...); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}),
}

// cloneChanges lists the changes of clones for the table.
func cloneChanges() (out []change) {
	for _, c := range ofClones {
		out = append(out, c.change)
	}
	return out
}

func (c *clone) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *clone) head(ctx context.Context, more ...string) ([]string, error) {
	out, err := trial.Git(ctx, c.dir, nil, "rev-parse", "HEAD")
	return append(more, strings.TrimSpace(out)), err
}

// commitOf commits a change of a file.
func (c *clone) commitOf(ctx context.Context, name string, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	if err := commit(ctx, c.dir, "Tidy up"); err != nil {
		return nil, err
	}
	return c.head(ctx, name)
}

func dropInMerge(ctx context.Context, c *clone) ([]string, error) {
	name := pick(c.rng, c.names(ledger.IsBatch))
	if _, err := trial.Git(ctx, c.dir, nil, "checkout", "-q", "-b", "aside", "HEAD~1"); err != nil {
		return nil, err
	}
	if err := commit(ctx, c.dir, "Aside"); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"checkout", "-q", "main"}, {"merge", "-q", "--no-ff", "--no-commit", "aside"}} {
		if _, err := trial.Git(ctx, c.dir, nil, args...); err != nil {
			return nil, err
		}
	}
	return c.commitOf(ctx, name, os.Remove(c.path(name)))
}

// rewriteCommits rewrites the log in every commit of a copy, and resets the clone to it.
func (c *clone) rewriteCommits(ctx context.Context, after func(files, *ledger.Log) error) ([]string, error) {
	victim := c.rng.IntN(len(c.log.Events()))
	batches, log, err := c.rewritten(victim, fmt.Sprint("It has always been so ", c.rng.Uint64()))
	if err != nil {
		return nil, err
	}
	last := maps.Clone(c.files)
	apply(last, batches)
	if err := after(last, log); err != nil {
		return nil, err
	}
	stream, err := trial.Git(ctx, c.history.dir, nil, "fast-export", "main")
	if err != nil {
		return nil, err
	}
	other := c.dir + ".rewritten"
	defer func() { _ = os.RemoveAll(other) }()
	if _, err := trial.Git(ctx, c.scratch, nil, "init", "-q", "-b", "main", "--template=", other); err != nil {
		return nil, err
	}
	if _, err := trial.Git(ctx, other, bytes.NewReader(replay([]byte(stream), batches, last)), "fast-import", "--quiet", "--force"); err != nil {
		return nil, err
	}
	if _, err := trial.Git(ctx, other, nil, "reset", "-q", "--hard"); err != nil {
		return nil, err
	}
	for name, data := range last { // files that are in no commit yet
		file := filepath.Join(other, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return nil, err
		}
	}
	if err := commit(ctx, other, "Record"); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"fetch", "-q", "--force", other, "main"}, {"reset", "-q", "--hard", "FETCH_HEAD"}} {
		if _, err := trial.Git(ctx, c.dir, nil, args...); err != nil {
			return nil, err
		}
	}
	return c.names(ledger.IsCheckpoint), nil
}

// replay has the commits of a stream of git's bring a rewritten log, and of the rest those files that it has in the end.
func replay(stream []byte, batches map[string]ledger.Batch, last files) []byte {
	var out bytes.Buffer
	marks := map[string][]byte{} // the content of blobs
	for len(stream) > 0 {
		line, rest, _ := bytes.Cut(stream, []byte("\n"))
		stream = rest
		switch fields := strings.Fields(string(line)); {
		case string(line) == "blob":
			mark, rest, _ := bytes.Cut(stream, []byte("\n"))
			data, rest := content(rest)
			marks[strings.Fields(string(mark))[1]], stream = data, rest
		case len(fields) > 0 && fields[0] == "data":
			data, rest := content(slices.Concat(line, []byte("\n"), stream))
			fmt.Fprintf(&out, "data %d\n%s\n", len(data), data)
			stream = rest
		case len(fields) == 4 && fields[0] == "M":
			name, data := fields[3], marks[fields[2]]
			if b, ok := batches[name]; ok {
				name, data = b.Path, b.Data
			}
			if _, stays := last[name]; stays {
				fmt.Fprintf(&out, "M %s inline %s\ndata %d\n%s\n", fields[1], name, len(data), data)
			}
		default:
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	return out.Bytes()
}

// content reads "data LENGTH", and as many bytes behind it.
func content(stream []byte) (data, rest []byte) {
	line, rest, _ := bytes.Cut(stream, []byte("\n"))
	var n int
	_, _ = fmt.Sscanf(string(line), "data %d", &n)
	return rest[:n], bytes.TrimPrefix(rest[n:], []byte("\n"))
}

// mutateClones applies each change to a fresh clone, and verifies it.
func (h *history) mutateClones(ctx context.Context, n int, seed uint64, t *tally) error {
	for i := range n {
		what := ofClones[i%len(ofClones)]
		if err := h.tryClone(ctx, what, drawn(seed, 1<<40+uint64(i)), t); err != nil {
			return fmt.Errorf("%s: %w", what.name, err)
		}
	}
	return nil
}

func (h *history) tryClone(ctx context.Context, what cloneChange, rng *rand.Rand, t *tally) error {
	c := &clone{h, filepath.Join(h.scratch, "clone"), rng}
	if _, err := trial.Git(ctx, h.scratch, nil, "clone", "-q", "--shared", "--template=", "-b", "main", h.dir, c.dir); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(c.dir) }()
	if w, err := c.verify(ctx); err != nil || len(w.Problems) > 0 {
		return fmt.Errorf("before the change: %v, %w", w, err)
	}
	touched, err := what.make(ctx, c)
	if err != nil {
		return err
	}
	dir, err := store.OpenDir(c.dir)
	if err != nil {
		return err
	}
	alone, _, err := verify(dir, nil, ledger.Outside{})
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	w, err := c.verify(ctx)
	if err != nil {
		return err
	}
	by := byNobody
	switch seen := func(p ledger.Problem) bool { return strings.Contains(p.Detail, "checkpoints.json") }; {
	case len(w.Problems) == 0:
	case len(alone.Problems) > 0:
		by = byFiles
	case slices.ContainsFunc(w.Problems, func(p ledger.Problem) bool { return !seen(p) }):
		by = byHistory
	default:
		by = byCopy
	}
	t.add(what.change, by, names(w.Problems, touched))
	return nil
}

// verify runs causal verify in the clone.
func (c *clone) verify(ctx context.Context) (*workspace.Ledger, error) {
	w, err := workspace.Open(ctx, workspace.WorkTree{Dir: c.dir, Now: time.Now})
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Close() }()
	log, err := w.Ledger(ctx, true)
	if err == nil {
		_, err = w.HoldLedger(ctx, log, ledger.Outside{})
	}
	return log, err
}
