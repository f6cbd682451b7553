package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/index"
)

// Mirrored is one commit of a remote repository: sources from a mirror, causal's own files in a scratch directory that
// is kept between runs. Runs for a branch, and for one pull request, come one after the other.
type Mirrored struct {
	Dir    string // what is kept of the repository
	Remote Remote
	Commit string
	Rules  string // the commit whose configuration counts: the head of the base for a pull request, never its own
	Branch string // that the commit is the head of or, for a pull request, that it is for
	Pull   int    // the number of the pull request that the commit is the head of; 0 for none
}

// What is kept of a repository. The time of the mirror's last change is when it was last used.
const (
	mirrorDir  = "mirror"
	scratchDir = "scratch" // causal's own files, for each lane
	indexDir   = "index"   // for each branch
	runDir     = "run"     // the index of a run while it lasts, for each lane
)

func (s Mirrored) open(ctx context.Context, w *Workspace) (err error) {
	if w.Mirror, err = gitstore.OpenMirror(ctx, filepath.Join(s.Dir, mirrorDir), s.Remote.URL, s.Remote.Token); err != nil {
		return err
	}
	w.atClose(w.Mirror.Close)
	if s.Pull > 0 {
		w.prompt = PullPrompt
	}
	wanted := slices.Compact(slices.Sorted(slices.Values([]string{s.Commit, s.Rules})))
	if err := w.Mirror.Fetch(ctx, wanted...); err != nil {
		return err
	}
	w.Repo = w.Mirror.Repo()
	found, err := configAt(ctx, w.Repo, s.Rules)
	if err != nil {
		return err
	}
	w.follow(found)
	if err := s.openTree(ctx, w); err != nil {
		return err
	}
	return s.begin(w)
}

// lane is the name of what runs for the same branch or pull request share.
func (s Mirrored) lane() string {
	if s.Pull != 0 {
		return laneDir("pull", strconv.Itoa(s.Pull))
	}
	return laneDir("branch", s.Branch)
}

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

func laneDir(kind, name string) string { return kind + "-" + unsafeInName.ReplaceAllString(name, "-") }

func (s Mirrored) openTree(ctx context.Context, w *Workspace) error {
	scratch, err := worktree.OpenScratch(filepath.Join(s.Dir, scratchDir, s.lane()), w.Layout)
	if err != nil {
		return err
	}
	w.atClose(scratch.Close)
	if err := used(scratch.Dir()); err != nil {
		return err
	}
	permanent := ""
	if w.Config.Repository != "" && w.Config.Branch == s.Branch {
		permanent = s.Rules
	}
	tree, err := worktree.NewBare(ctx, w.Mirror, s.Commit, scratch, permanent)
	if err != nil {
		return err
	}
	w.tree, w.view = tree, mirrored
	if w.Commit, err = tree.Head(ctx); err != nil {
		return err
	}
	return w.openFiles(scratch.Dir())
}

// begin makes a copy of what is known of the branch: a run that is not published must leave no trace in it.
func (s Mirrored) begin(w *Workspace) error {
	w.kept = filepath.Join(s.Dir, indexDir, laneDir("branch", s.Branch))
	w.local = filepath.Join(s.Dir, runDir, s.lane())
	w.atClose(func() error { return os.RemoveAll(w.local) })
	err := os.RemoveAll(w.local)
	if err == nil {
		err = index.Copy(w.kept, w.local)
	}
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	return nil
}

// Keep makes what the run learnt what the next run for the branch begins with, now that what it wrote is published. The
// engine cannot be used afterwards.
func (w *Workspace) Keep() error {
	err := w.closeIndex()
	if w.kept == "" {
		return err
	}
	return errors.Join(err, index.Move(w.local, w.kept))
}

// RemoveIdle removes what is kept in the directories below one, each a repository's, that no run has used since. All of
// it can be made again.
func RemoveIdle(dir string, since time.Time) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("tidy up: %w", err)
	}
	for _, e := range entries {
		repository := filepath.Join(dir, e.Name())
		mirror := filepath.Join(repository, mirrorDir)
		if info, err := os.Stat(mirror); err != nil || info.ModTime().After(since) {
			continue
		}
		removed, err := gitstore.RemoveMirror(mirror)
		if err != nil {
			return err
		}
		if !removed {
			continue
		}
		for _, sub := range []string{scratchDir, indexDir, runDir} {
			err = errors.Join(err, os.RemoveAll(filepath.Join(repository, sub)))
		}
		if err != nil {
			return fmt.Errorf("tidy up: %w", err)
		}
	}
	return nil
}
