package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/store"
)

// Mirrored is one commit of a remote repository: sources from a mirror, causal's own files in a scratch directory that
// is kept between runs. Runs for a branch, and for one pull request, come one after the other.
type Mirrored struct {
	Dir    string // what is kept of the repository
	Remote Remote
	Commit string
	Also   []string // commits that the run is going to read as well: all are fetched at once
	Rules  string   // the commit whose configuration counts: the head of the base for a pull request, never its own
	Branch string   // that the commit is the head of or, for a pull request, that it is for
	Pull   int      // the number of the pull request that the commit is the head of; 0 for none
	Group  string   // the branch of the merge queue that the commit is the head of; empty for none
	Lands  bool     // the run is for the branch itself, in the lane of a pull request that was merged into it
	// Leader fetches what the mirror lacks, for a process that cannot: Remote needs no token then.
	Leader gitstore.Leader
	// Reading is told of each file while it is being read, by several goroutines; nil when nobody wants to know.
	Reading func(file string) (done func())
}

// What is kept of a repository. The time of the mirror's last change is when it was last used.
const (
	mirrorDir  = "mirror"
	scratchDir = "scratch" // causal's own files, for each lane
	indexDir   = "index"   // for each branch
	runDir     = "run"     // the index of a run while it lasts, for each lane
)

func (s Mirrored) open(ctx context.Context, w *Workspace) (err error) {
	if w.Mirror, err = s.mirror(ctx); err != nil {
		return err
	}
	w.reading = s.Reading
	w.atClose(w.Mirror.Close)
	if s.Pull > 0 && !s.Lands || s.Group != "" {
		w.prompt = PullPrompt
	}
	wanted := slices.Compact(slices.Sorted(slices.Values(append([]string{s.Commit, s.Rules}, s.Also...))))
	if err := w.Mirror.Fetch(ctx, wanted...); err != nil {
		return err
	}
	w.Repo = w.Mirror.Repo()
	found, err := configAt(ctx, w.Repo, s.Rules)
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skillsAt(ctx, w.Repo, s.Rules)
	if err := s.openTree(ctx, w); err != nil {
		return err
	}
	return s.begin(w)
}

func (s Mirrored) mirror(ctx context.Context) (*gitstore.Mirror, error) {
	if s.Leader != nil {
		return gitstore.FollowMirror(filepath.Join(s.Dir, mirrorDir), s.Remote.URL, s.Leader)
	}
	return OpenMirror(ctx, s.Dir, s.Remote)
}

// OpenMirror opens the mirror of what is kept of a repository.
func OpenMirror(ctx context.Context, dir string, remote Remote) (*gitstore.Mirror, error) {
	return gitstore.OpenMirror(ctx, filepath.Join(dir, mirrorDir), remote.URL, remote.Token)
}

// lane is the name of what runs for the same branch or pull request share.
func (s Mirrored) lane() string {
	switch {
	case s.Pull != 0:
		return laneDir("pull", strconv.Itoa(s.Pull))
	case s.Group != "":
		return laneDir("group", s.Group)
	}
	return laneDir("branch", s.Branch)
}

var unsafeInName = lazyregexp.New(`[^A-Za-z0-9._-]+`)

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
	w.local = s.learnt()
	err := s.Drop()
	if err == nil {
		err = errors.Join(index.Copy(s.known(), w.local), index.Copy(filepath.Join(s.known(), testsDir), filepath.Join(w.local, testsDir)))
	}
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	return nil
}

// Keep makes what the last run of the lane learnt what the next run for the branch begins with, now that what it wrote is published.
// No Workspace of the lane is open.
func (s Mirrored) Keep() error {
	tests := filepath.Join(s.learnt(), testsDir)
	if _, err := os.Stat(tests); err == nil {
		if err := index.Move(tests, filepath.Join(s.known(), testsDir)); err != nil {
			return err
		}
	}
	return index.Move(s.learnt(), s.known())
}

// Drop forgets what the last run of the lane learnt.
func (s Mirrored) Drop() error { return os.RemoveAll(s.learnt()) }

// known is the index of the branch, and learnt that of a run.
func (s Mirrored) known() string  { return filepath.Join(s.Dir, indexDir, laneDir("branch", s.Branch)) }
func (s Mirrored) learnt() string { return filepath.Join(s.Dir, runDir, s.lane()) }

// Scratch opens causal's own files as the last run of the lane left them.
func (s Mirrored) Scratch() (*store.Dir, error) {
	return store.OpenDir(filepath.Join(s.Dir, scratchDir, s.lane()))
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
