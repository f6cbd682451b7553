package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/survey"
)

// WorkTree is the work tree of a repository as it is on disk, with the configuration that lies in it.
type WorkTree struct {
	Dir      string // anywhere in it
	Revision string // whose sources are shown instead; causal's own files stay those on disk
	Staged   Staged // whether the sources of the index are shown instead
	Now      func() time.Time
}

func (s WorkTree) open(ctx context.Context, w *Workspace) (err error) {
	if w.Repo, err = gitstore.Open(ctx, s.Dir); err != nil {
		return &PlaceError{err}
	}
	w.disk, w.local = w.Repo, w.Repo.PrivateDir()
	if err := w.openFiles(w.Repo.Root()); err != nil {
		return err
	}
	found, err := configIn(w.Files)
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skillsOn(w.Files)
	permanent := ""
	if w.Config.Repository != "" {
		permanent = "refs/remotes/origin/" + w.Config.Branch
	}
	tree, err := worktree.New(w.Repo, permanent, s.Now)
	if err != nil {
		return err
	}
	w.atClose(tree.Close)
	w.tree, w.view = tree, onDisk
	if s.Staged != Unstaged {
		return w.showIndex(ctx, tree, s.Staged)
	}
	if s.Revision == "" {
		return nil
	}
	c, err := w.Repo.Resolve(ctx, s.Revision)
	if err != nil {
		return &PlaceError{err}
	}
	w.show(tree, c)
	return nil
}

// show turns to the sources of a commit.
func (w *Workspace) show(tree *worktree.Tree, c gitstore.Commit) {
	w.Commit = survey.Commit{ID: c.ID, When: c.When, Subject: c.Subject}
	w.tree, w.view = worktree.At(tree, c, w.Layout.Owns), revision
}

// patience is how long a run waits for another one before it says whom it waits for.
const patience = 300 * time.Millisecond

// Lock keeps other runs out until Close, while this one writes to a work tree, and lets git look meanwhile. When another
// run holds the lock, waiting is told which process that is, empty when that is not known.
func (w *Workspace) Lock(ctx context.Context, waiting func(process string)) error {
	if err := os.MkdirAll(w.local, 0o755); err != nil {
		return lockError(err)
	}
	name := filepath.Join(w.local, "lock")
	l := flock.New(name)
	w.atClose(l.Close)
	soon, cancel := context.WithTimeout(ctx, patience)
	got, err := l.TryLockContext(soon, 20*time.Millisecond)
	cancel()
	if !got && ctx.Err() == nil && !isReadOnly(err) {
		holder, _ := os.ReadFile(name)
		waiting(strings.TrimSpace(string(holder)))
		got, err = l.TryLockContext(ctx, 50*time.Millisecond)
	}
	if !got {
		return lockError(errors.Join(err, ctx.Err()))
	}
	w.Repo.Begin(ctx) // nobody else writes from here on; who wrote before is known from the signature
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return lockError(err)
	}
	return nil
}

// lockError says which commands work in a repository that cannot be written.
func lockError(err error) error {
	if isReadOnly(err) {
		return fmt.Errorf("this command writes, and the repository is read-only (check, why and review only read): %w", err)
	}
	return fmt.Errorf("lock the repository: %w", err)
}

// isReadOnly reports whether a write failed because the user or the file system may not write there.
func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
