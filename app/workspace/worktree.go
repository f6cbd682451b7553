package workspace

import (
	"context"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/engine"
)

// WorkTree is the work tree of a repository as it is on disk, with the configuration that lies in it.
type WorkTree struct {
	Dir      string // anywhere in it
	Revision string // whose sources are shown instead; causal's own files stay those on disk
	Now      func() time.Time
}

func (s WorkTree) open(ctx context.Context, w *Workspace) (err error) {
	if w.Repo, err = gitstore.Open(ctx, s.Dir); err != nil {
		return &PlaceError{err}
	}
	w.local = w.Repo.PrivateDir()
	if err := w.openFiles(w.Repo.Root()); err != nil {
		return err
	}
	found, err := configIn(w.Files)
	if err != nil {
		return err
	}
	w.follow(found)
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
	w.Commit = engine.Commit{ID: c.ID, When: c.When, Subject: c.Subject}
	w.tree, w.view = worktree.At(tree, c, w.Layout.Owns), revision
}
