package bot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/store"
)

// workshop is one commit of a repository, ready for the engine: sources from the mirror, causal's own files in a scratch
// directory that the lane keeps.
type workshop struct {
	dir    string // of the repository
	mirror *gitstore.Mirror
	config *config.Config
	layout store.Layout
	tree   *worktree.Bare
	files  *store.Dir
	index  *index.Index
	engine *engine.Engine // of the last update
	kept   string         // the directory of the index that the run began with
	own    string         // the directory of its own
	cause  string
	close  []func() error
}

// mirrorDir is the mirror within the directory of a repository. The time of its last change is when it was last used.
const mirrorDir = "mirror"

// place says what to open.
type place struct {
	repo   github.Repository
	lane   string // of the scratch directory, and of the run's index
	commit string // that is described
	rules  string // the commit whose configuration counts: the base of a pull request, never its head
	branch string // whose head permanent links may lead to
}

// open fetches what is needed and prepares a run. Close the workshop after use.
func (b *Bot) open(ctx context.Context, c Client, at place) (w *workshop, err error) {
	w = &workshop{dir: filepath.Join(b.config.Dir, "repositories", strconv.FormatInt(at.repo.ID, 10))}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	if w.mirror, err = gitstore.OpenMirror(ctx, filepath.Join(w.dir, mirrorDir), at.repo.GitURL, c.Token); err != nil {
		return w, err
	}
	w.close = append(w.close, w.mirror.Close)
	if err = w.mirror.Fetch(ctx, unique(at.commit, at.rules)...); err != nil {
		return w, err
	}
	if w.config, err = assembly.ConfigAt(ctx, w.mirror.Repo(), at.rules); err != nil {
		return w, err
	}
	w.layout = assembly.Layout(w.config)
	if err = w.openLane(ctx, at); err != nil {
		return w, err
	}
	head, err := w.tree.Head(ctx)
	w.cause = short(head.ID) + " " + head.Subject
	return w, err
}

func (w *workshop) openLane(ctx context.Context, at place) error {
	scratch, err := worktree.OpenScratch(filepath.Join(w.dir, "scratch", at.lane), w.layout)
	if err != nil {
		return err
	}
	w.close = append(w.close, scratch.Close)
	permanent := ""
	if w.config.Repository != "" && w.config.Branch == at.branch {
		permanent = at.rules
	}
	if w.tree, err = worktree.NewBare(ctx, w.mirror, at.commit, scratch, permanent); err != nil {
		return err
	}
	if w.files, err = store.OpenDir(scratch.Dir()); err != nil {
		return err
	}
	w.close = append(w.close, w.files.Close)
	return w.openIndex(at)
}

// openIndex begins with a copy of what is known of the branch: a run that is not published must leave no trace in it.
func (w *workshop) openIndex(at place) error {
	w.kept = filepath.Join(w.dir, "index", laneDir("branch", at.branch))
	w.own = filepath.Join(w.dir, "run", at.lane)
	err := os.RemoveAll(w.own)
	if err == nil {
		err = index.Copy(w.kept, w.own)
	}
	if err == nil {
		err = os.MkdirAll(w.own, 0o755)
	}
	if err != nil {
		return fmt.Errorf("open index: %w", err)
	}
	if w.index, err = index.Open(w.own, assembly.Key(w.config, "commit")); err != nil {
		return err
	}
	w.close = append(w.close, func() error { return os.RemoveAll(w.own) }, w.index.Close)
	return nil
}

// keep makes what the run learnt what is known of the branch. Nothing can be done in the workshop afterwards.
func (w *workshop) keep() error {
	err := w.index.Close()
	w.close = w.close[:len(w.close)-1]
	return errors.Join(err, index.Move(w.own, w.kept))
}

// Close releases everything in reverse order.
func (w *workshop) Close() error {
	var err error
	for _, fn := range slices.Backward(w.close) {
		err = errors.Join(err, fn())
	}
	w.close = nil
	return err
}

// update runs the engine over the commit.
func (w *workshop) update(ctx context.Context) (*engine.Report, error) {
	w.engine = assembly.Engine(assembly.Parts{Tree: w.tree, Index: w.index, Dir: w.files, Config: w.config})
	return w.engine.Update(ctx)
}

// mostFrames is how large a call tree may be to be kept with its run; all are in the repository.
const mostFrames = 256 << 10

// frames is the whole call tree of a session that this run wrote.
func (w *workshop) frames(id string) string {
	if id == "" {
		return ""
	}
	r, err := w.engine.Session(id)
	if err != nil {
		return ""
	}
	r.Concluded = nil
	data, err := session.Encode(r)
	if err != nil || len(data) > mostFrames {
		return ""
	}
	return string(data)
}

func unique(list ...string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func short(id string) string { return id[:min(len(id), 10)] }

var unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// laneDir is a lane's name as a directory.
func laneDir(kind, name string) string {
	return kind + "-" + unsafeInName.ReplaceAllString(name, "-")
}
