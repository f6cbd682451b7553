package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/store"
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

// Staged selects the content that is read from git's index, for pre-commit hooks.
type Staged int

// The parts that can be read from the index.
const (
	Unstaged      Staged = iota
	StagedSources        // the sources
	StagedAll            // the sources and causal's own files
)

func (w *Workspace) showIndex(ctx context.Context, tree *worktree.Tree, staged Staged) error {
	tree1, err := w.gitOutput(ctx, "write-tree")
	if err != nil {
		return fmt.Errorf("read the staged files: %w", err)
	}
	args := []string{"commit-tree", "-m", "staged", strings.TrimSpace(tree1)}
	head, err := w.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if head.ID != "" {
		args = append(args, "-p", head.ID)
	}
	id, err := w.gitOutput(ctx, args...)
	if err != nil {
		return fmt.Errorf("read the staged files: %w", err)
	}
	c, err := w.Repo.Resolve(ctx, strings.TrimSpace(id))
	if err != nil {
		return err
	}
	w.show(tree, c)
	owns := w.Layout.Owns
	if staged == StagedAll {
		if err := w.stageOwn(ctx); err != nil {
			return err
		}
		owns = func(string) bool { return false }
	}
	w.Commit = survey.Commit{ID: head.ID, When: head.When, Subject: head.Subject}
	w.tree = worktree.At(tree, c, head, owns)
	return nil
}

// stageOwn reads causal's own files as staged, and keeps all writes in memory.
func (w *Workspace) stageOwn(ctx context.Context) error {
	now, err := w.tree.State(ctx, func() survey.State { return survey.State{} })
	if err != nil {
		return err
	}
	w.Files.Hold()
	for _, d := range now.Dirty { // own files that differ from the index
		if d.Base == "" {
			err = w.Files.Remove(d.Path, store.Top)
		} else {
			var data []byte
			if data, err = w.Repo.ReadBlob(ctx, d.Base, store.Largest(d.Path)); err == nil {
				_, err = w.Files.Write(d.Path, data)
			}
		}
		if err != nil {
			return fmt.Errorf("read the staged files: %w", err)
		}
	}
	return nil
}

// gitOutput runs git in the work tree and returns its output. Fixed author and date make the commit of the
// index reproducible.
func (w *Workspace) gitOutput(ctx context.Context, args ...string) (string, error) {
	program, err := gitstore.Program()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = w.Repo.Root(), gitstore.Environment()
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		cmd.Env = append(cmd.Env, "GIT_"+who+"_NAME=causal", "GIT_"+who+"_EMAIL=causal@localhost", "GIT_"+who+"_DATE=2000-01-01T00:00:00Z")
	}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(exit.Stderr)))
	}
	return string(out), err
}
