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
	"strconv"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/store"
)

// Mirrored is one commit of a remote repository. Sources are read from a mirror, and causal's own files from a scratch
// directory that is kept between runs. Runs for the same branch or pull request must not overlap.
type Mirrored struct {
	Dir    string // the cache directory of the repository
	Remote Remote
	Commit string
	Also   []string // further commits to fetch in the same request
	Rules  string   // the commit whose configuration applies: for a pull request the head of the base, never its own head
	Branch string   // the branch of the commit, or the base of the pull request
	Pull   int      // the pull request whose head the commit is; 0 for none
	Group  string   // the merge queue branch whose head the commit is; empty for none
	Lands  bool     // the run is for the branch itself, in the lane of a merged pull request
	// Leader fetches missing objects for a process without access. Remote needs no token then.
	Leader gitstore.Leader
	// Reading is called for each file that is being read, by several goroutines. It may be nil.
	Reading func(file string) (done func())
}

// The cache of a repository. The modification time of the mirror is its last use.
const (
	mirrorDir  = "mirror"
	scratchDir = "scratch" // causal's own files, per lane
	indexDir   = "index"   // per branch
	runDir     = "run"     // the index during a run, per lane
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

// OpenMirror opens the mirror in the cache directory of a repository.
func OpenMirror(ctx context.Context, dir string, remote Remote) (*gitstore.Mirror, error) {
	return gitstore.OpenMirror(ctx, filepath.Join(dir, mirrorDir), remote.URL, remote.Token)
}

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
	dir := filepath.Join(s.Dir, scratchDir, s.lane())
	if err := used(dir); err != nil {
		return err
	}
	permanent := ""
	if w.Config.Repository != "" && w.Config.Branch == s.Branch {
		permanent = s.Rules
	}
	return w.openScratch(ctx, dir, w.Mirror.Fetch, s.Commit, permanent)
}

// begin copies the index of the branch: a run that is not published must not change it.
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

// Keep makes the index of the lane's last run the index of the branch, after the run was published. No Workspace of the
// lane may be open.
func (s Mirrored) Keep() error {
	tests := filepath.Join(s.learnt(), testsDir)
	if _, err := os.Stat(tests); err == nil {
		if err := index.Move(tests, filepath.Join(s.known(), testsDir)); err != nil {
			return err
		}
	}
	return index.Move(s.learnt(), s.known())
}

// Drop removes the index of the lane's last run.
func (s Mirrored) Drop() error { return os.RemoveAll(s.learnt()) }

// known is the index of the branch, and learnt the index of a run.
func (s Mirrored) known() string  { return filepath.Join(s.Dir, indexDir, laneDir("branch", s.Branch)) }
func (s Mirrored) learnt() string { return filepath.Join(s.Dir, runDir, s.lane()) }

// Scratch opens causal's own files as the lane's last run left them.
func (s Mirrored) Scratch() (*store.Dir, error) {
	return store.OpenDir(filepath.Join(s.Dir, scratchDir, s.lane()))
}

// RemoveIdle removes cache directories below dir, one for each repository, that no run has used since.
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
