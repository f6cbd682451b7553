// Package workspace opens one state of a repository for one run: the configuration that counts, where causal keeps its
// files, those files, the sources and the engine over them. Everybody who runs the engine opens it here, so that all
// find the same, refuse the same, and say the same of it.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Source is where a state of a repository is found: a WorkTree, a Checkout or a Mirrored.
type Source interface {
	open(ctx context.Context, w *Workspace) error
}

// Workspace is one state of a repository. It is for one run, in one goroutine.
type Workspace struct {
	Repo   *gitstore.Repo
	Mirror *gitstore.Mirror // that Repo belongs to; nil where there is a work tree
	Config *config.Config   // that counts
	Layout store.Layout
	Files  *store.Dir     // causal's own, as they are and as the run leaves them
	Commit survey.Commit  // that is shown; none for a work tree as it is on disk
	Model  *model.Run     // that may be asked; nil where none is set
	Signer *ledger.Signer // of checkpoints of the log; where nil, the clone's own key signs them

	skillFiles skillFiles // reads the skills that count
	remoteTags map[string]gitstore.Tag
	prompt     string // why the run starts
	again      []engine.Unit
	asks       engine.Model // answers the requests of an update; nil: the Model
	tree       survey.Tree
	view       view
	disk       *gitstore.Repo // whose work tree may have the sources that are shown; nil where there is none
	local      string         // the directory of the run's index and lock
	index      *index.Index
	knowledge  *Knowledge
	unfit      unfit
	reading    func(file string) (done func()) // is told of each file while it is being read
	close      []func() error
}

// view is a kind of tree. What an index has planned for one holds for no other.
type view string

const (
	onDisk   view = "work tree"
	revision view = "revision"
	mirrored view = "commit"
)

// Open opens a state of a repository. Close the Workspace after use.
func Open(ctx context.Context, from Source) (*Workspace, error) {
	w := &Workspace{}
	if err := from.open(ctx, w); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Root is the directory of the work tree that belongs to the repository; empty where there is none.
func (w *Workspace) Root() string {
	if w.disk == nil {
		return ""
	}
	return w.disk.Root()
}

// Close releases everything in reverse order.
func (w *Workspace) Close() error {
	var err error
	for _, fn := range slices.Backward(w.close) {
		err = errors.Join(err, fn())
	}
	w.close = nil
	return err
}

// atClose has Close call a function, before those that it has to call already.
func (w *Workspace) atClose(fn func() error) { w.close = append(w.close, fn) }

// follow takes over a configuration, and what it decides of where things lie.
func (w *Workspace) follow(c *config.Config) {
	w.Config, w.Layout = c, store.Layout{Docs: c.Docs.Dir}
}

// openFiles opens the directory of causal's own files.
func (w *Workspace) openFiles(dir string) error {
	files, err := store.OpenDir(dir)
	if err != nil {
		return err
	}
	w.Files = files
	w.atClose(files.Close)
	return nil
}

// openIndex opens the index of the run. Where none can be kept, as in a checkout that may only be read, a run that
// writes nothing gets one that is thrown away.
func (w *Workspace) openIndex(looks bool) error {
	dir := w.local
	if w.view == revision { // beside that of the work tree, which it would replace
		if dir = filepath.Join(w.local, "revision"); !index.Exists(dir) {
			_ = index.Copy(w.local, dir)
		}
	}
	x, err := index.Open(dir, w.key())
	if err != nil && looks {
		dir, failed := os.MkdirTemp("", "causal-")
		if failed != nil {
			return fmt.Errorf("make a temporary index: %w", failed)
		}
		w.atClose(func() error { return os.RemoveAll(dir) })
		x, err = index.Open(dir, w.key())
	}
	if err != nil {
		return err
	}
	w.index = x
	w.atClose(w.closeIndex)
	return nil
}

// LookApart is Look for a run that takes long: it works on a copy of the index, which other runs need meanwhile.
func (w *Workspace) LookApart() (*Knowledge, error) {
	if w.knowledge != nil || !index.Exists(w.local) {
		return w.Look()
	}
	dir, err := os.MkdirTemp("", "causal-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary index: %w", err)
	}
	w.atClose(func() error { return os.RemoveAll(dir) })
	if err := index.Copy(w.local, dir); err != nil {
		return nil, err
	}
	if w.index, err = index.Open(dir, w.key()); err != nil {
		return nil, err
	}
	w.atClose(w.closeIndex)
	w.knowledge = w.join()
	return w.knowledge, nil
}

func (w *Workspace) closeIndex() error {
	if w.index == nil {
		return nil
	}
	err := w.index.Close()
	w.index = nil
	return err
}

// OpenModel opens the model that an environment names. A run that only looks gets the answers of earlier runs.
func (w *Workspace) OpenModel(getenv func(string) string, looks bool, note func(string)) error {
	s, err := model.FromEnv(getenv)
	if err != nil {
		return err
	}
	s.Offline = s.Offline || looks
	w.Model = model.Open(s, model.Options{Dir: w.Repo.CloneDir(), Use: w.Config.Model.Use, Tokens: w.Config.Model.TokensPerRun, Note: note})
	return nil
}

// Shows reports whether a model may see a file: model.exclude does not list it, and its name is not one of a file with secrets. Files
// that git ignores are no sources to begin with.
func (w *Workspace) Shows(file string) bool {
	return !w.Config.Model.Excludes(file) && !redact.SecretFile(file)
}

// Mendable reports whether an error of a Workspace is one that the repository's people have to mend: its configuration
// cannot be read, or what is remembered of reviews, or something of theirs is where causal would write.
func Mendable(err error) bool {
	var broken *config.Error
	var forgotten *MemoryError
	return errors.As(err, &broken) || errors.As(err, &forgotten) || errors.Is(err, store.ErrOccupied)
}

// PlaceError says that there is nothing to open: the place is in no repository, or the repository has no such revision.
type PlaceError struct{ Err error }

func (e *PlaceError) Error() string { return e.Err.Error() }

func (e *PlaceError) Unwrap() error { return e.Err }
