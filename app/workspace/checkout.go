package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/gitstore"
)

// Checkout is a commit that a CI job has checked out. Sources are read from git's objects, and causal's own files from
// a scratch directory, so files that other steps left in the checkout do not matter.
type Checkout struct {
	Dir    string
	Temp   string // for temporary files of the run
	Base   string // the commit whose configuration applies; empty for the one that is checked out
	Ref    string // the ref that is checked out; permanent links point to the head of one branch only
	Remote func(ctx context.Context) (Remote, error)
}

func (s Checkout) open(ctx context.Context, w *Workspace) error {
	repo, err := gitstore.Open(ctx, s.Dir)
	if err != nil {
		return &PlaceError{err}
	}
	w.atClose(repo.Close)
	w.Repo, w.disk = repo, repo
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	found, skills, err := s.rules(ctx, repo, head.ID)
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skills
	temp, err := os.MkdirTemp(s.Temp, "causal-")
	if err != nil {
		return fmt.Errorf("make a directory for the run: %w", err)
	}
	w.atClose(func() error { return os.RemoveAll(temp) })
	w.local = filepath.Join(temp, "index")
	permanent := ""
	if w.Config.Repository != "" && s.Ref == "refs/heads/"+w.Config.Branch {
		permanent = head.ID
	}
	return w.openScratch(ctx, filepath.Join(temp, "tree"), nil, head.ID, permanent)
}
