package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/worktree"
)

// openScratch opens a commit whose own files are in the scratch directory dir. fetch is that of the mirror, if there is one.
func (w *Workspace) openScratch(ctx context.Context, dir string, fetch func(context.Context, ...string) error, commit, permanent string) error {
	scratch, err := worktree.OpenScratch(dir, w.Layout)
	if err != nil {
		return err
	}
	w.atClose(scratch.Close)
	tree, err := worktree.NewBare(ctx, w.Repo, fetch, commit, scratch, permanent)
	if err != nil {
		return err
	}
	w.tree, w.view = tree, bare
	if w.Commit, err = tree.Head(ctx); err != nil {
		return err
	}
	return w.openFiles(dir)
}

// used makes a directory if it is missing, and sets its modification time, which is its last use.
func used(dir string) error {
	now := time.Now()
	if err := cmp.Or(os.MkdirAll(dir, 0o755), os.Chtimes(dir, now, now)); err != nil {
		return fmt.Errorf("prepare %s: %w", dir, err)
	}
	return nil
}

// RemoveLane removes the cache of a branch or pull request. No run may use it.
func (s Mirrored) RemoveLane() error {
	return errors.Join(os.RemoveAll(filepath.Join(s.Dir, scratchDir, s.lane())), os.RemoveAll(filepath.Join(s.Dir, runDir, s.lane())))
}

type scratch struct {
	dir   string
	bytes int64
	used  time.Time
}

// LimitScratch removes the least recently used scratch directories below dir until they have at most so many bytes in
// total. It keeps directories that were used since, because a run may be in them.
func LimitScratch(dir string, most int64, since time.Time) error {
	found, err := filepath.Glob(filepath.Join(dir, "*", scratchDir, "*"))
	if err != nil {
		return fmt.Errorf("tidy up: %w", err)
	}
	var all []scratch
	var total int64
	for _, name := range found {
		s, err := measure(name)
		if err != nil {
			return fmt.Errorf("tidy up: %w", err)
		}
		all, total = append(all, s), total+s.bytes
	}
	slices.SortFunc(all, func(a, b scratch) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.dir, b.dir)) })
	for _, s := range all {
		if total <= most || s.used.After(since) {
			break
		}
		if err := os.RemoveAll(s.dir); err != nil {
			return fmt.Errorf("tidy up: %w", err)
		}
		total -= s.bytes
	}
	return nil
}

func measure(dir string) (scratch, error) {
	s := scratch{dir: dir}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if name == dir {
			s.used = info.ModTime()
		}
		s.bytes += info.Size()
		return nil
	})
	return s, err
}
