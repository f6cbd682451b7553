package workspace

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

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
