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

// WorkTree is the work tree of a repository on disk, with its configuration.
type WorkTree struct {
	Dir      string // any directory in it
	Revision string // shows the sources of this revision; causal's own files stay those on disk
	Staged   Staged // shows the sources of git's index
	Now      func() time.Time
}

func (s WorkTree) open(ctx context.Context, w *Workspace) (err error) {
	if w.Repo, err = gitstore.Open(ctx, s.Dir); err != nil {
		return &PlaceError{err}
	}
	w.atClose(w.Repo.Close)
	w.disk, w.local = w.Repo, w.Repo.PrivateDir()
	if err := w.openFiles(w.Repo.Root()); err != nil {
		return err
	}
	found, err := configIn(w.Files, w.Repo.Root())
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skillsOn(w.Files)
	permanent := ""
	if w.Config.Repository != "" {
		permanent = "refs/remotes/origin/" + w.Config.Branch
	}
	tree, err := worktree.New(w.Repo, permanent, s.Now, w.Files.Writes)
	if err != nil {
		return err
	}
	w.atClose(tree.Close)
	w.tree, w.view, w.begin = tree, onDisk, tree.Begin
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

func (w *Workspace) show(tree *worktree.Tree, c gitstore.Commit) {
	w.Commit = survey.Commit{ID: c.ID, When: c.When, Subject: c.Subject}
	w.tree, w.view = worktree.At(tree, c, c, w.Layout.Owns), revision
}

// patience is how long a run waits for the lock before it reports the other process.
const patience = 300 * time.Millisecond

// Lock excludes other runs until Close while this one writes to a work tree. If another run holds the lock, waiting
// receives its process id, empty if unknown.
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
	w.begin(ctx) // other runs are excluded from here on; the signature shows earlier writes
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return lockError(err)
	}
	return nil
}

func lockError(err error) error {
	if isReadOnly(err) {
		return fmt.Errorf("this command writes, and the repository is read-only (check, why and review only read): %w", err)
	}
	return fmt.Errorf("lock the repository: %w", err)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}
