// Package workspace opens one state of a repository for one run: its configuration, causal's own files, the sources,
// and the engine over them. All commands and the server use it, so they find the same files and report the same errors.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/redact"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// Source locates a state of a repository: a WorkTree, a Checkout or a Mirrored.
type Source interface {
	open(ctx context.Context, w *Workspace) error
}

// Workspace is one state of a repository. It is for one run, in one goroutine.
type Workspace struct {
	Repo   *gitstore.Repo
	Mirror *gitstore.Mirror // nil if there is a work tree
	Config *config.Config
	Layout store.Layout
	Files  *store.Dir     // causal's own files, with the writes of the run
	Commit survey.Commit  // the shown commit; zero for a work tree on disk
	Model  *model.Run     // nil without a model
	Signer *ledger.Signer // signs checkpoints of the log; nil for the clone's key

	skillFiles skillFiles
	remoteTags map[string]gitstore.Tag
	prompt     string // of the session
	again      []engine.Unit
	asks       engine.Model // answers the requests of an update; nil for Model
	tree       survey.Tree
	begin      func(ctx context.Context) // starts looking at the work tree again, if there is one
	view       view
	disk       *gitstore.Repo // the work tree that may have the shown sources; nil if there is none
	local      string         // the directory of the run's index and lock
	index      *index.Index
	knowledge  *Knowledge
	unfit      unfit
	reading    func(file string) (done func()) // called for each file that is being read
	close      []func() error
}

// view is a kind of tree. Index plans for one view are invalid for another.
type view string

const (
	onDisk   view = "work tree"
	revision view = "revision"
	bare     view = "commit"
)

// Open opens a state of a repository. Close the Workspace after use.
func Open(ctx context.Context, from Source) (*Workspace, error) {
	w := &Workspace{begin: func(context.Context) {}}
	if err := from.open(ctx, w); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Root returns the directory of the work tree; empty if there is none.
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

// atClose registers a function that Close calls, in reverse order.
func (w *Workspace) atClose(fn func() error) { w.close = append(w.close, fn) }

func (w *Workspace) follow(c *config.Config) {
	w.Config, w.Layout = c, store.Layout{Docs: c.Docs.Dir}
}

func (w *Workspace) openFiles(dir string) error {
	files, err := store.OpenDir(dir)
	if err != nil {
		return err
	}
	w.Files = files
	w.atClose(files.Close)
	return nil
}

// openIndex opens the index of the run in a directory.
func (w *Workspace) openIndex(dir string) (err error) {
	if w.index, err = index.Open(dir, w.key()); err != nil {
		w.index = nil
		return err
	}
	w.atClose(w.closeIndex)
	return nil
}

// tempIndex returns a directory for an index that Close removes.
func (w *Workspace) tempIndex() (string, error) {
	dir, err := os.MkdirTemp("", "causal-")
	if err != nil {
		return "", fmt.Errorf("make a temporary index: %w", err)
	}
	w.atClose(func() error { return os.RemoveAll(dir) })
	return dir, nil
}

// LookApart is Look for a long run: it works on a copy of the index, because other runs need the original meanwhile.
func (w *Workspace) LookApart() (*Knowledge, error) {
	if w.knowledge != nil || !index.Exists(w.local) {
		return w.Look()
	}
	dir, err := w.tempIndex()
	if err != nil {
		return nil, err
	}
	if err := index.Copy(w.local, dir); err != nil {
		return nil, err
	}
	if err := w.openIndex(dir); err != nil {
		return nil, err
	}
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

// OpenModel opens the model that the environment selects. A run that only looks uses cached answers.
func (w *Workspace) OpenModel(getenv func(string) string, looks bool, note func(string)) error {
	s, err := model.FromEnv(getenv)
	if err != nil {
		return err
	}
	s.Offline = s.Offline || looks
	w.Model = model.Open(s, model.Options{Dir: w.Repo.CloneDir(), Use: w.Config.Model.Use, Tokens: w.Config.Model.TokensPerRun, Note: note})
	return nil
}

// Shows reports whether a model may see a file: it is not in model.exclude, and its name is not one of a file with
// secrets. Ignored files are never sources.
func (w *Workspace) Shows(file string) bool {
	return !w.Config.Model.Excludes(file) && !redact.SecretFile(file)
}

// Mendable reports whether the user must fix an error: an invalid configuration or review memory, or a file in the
// place of one of causal's own.
func Mendable(err error) bool {
	var broken *config.Error
	var forgotten *MemoryError
	return errors.As(err, &broken) || errors.As(err, &forgotten) || errors.Is(err, store.ErrOccupied)
}

// PlaceError reports that there is no repository at a place, or that it lacks the revision.
type PlaceError struct{ Err error }

func (e *PlaceError) Error() string { return e.Err.Error() }

func (e *PlaceError) Unwrap() error { return e.Err }

// IsRoot reports whether a directory is the repository's root.
func (w *Workspace) IsRoot(dir string) bool { return Seen(dir) == w.Repo.Root() }

// Configured reports whether there is a configuration file. Without one the defaults apply.
func (w *Workspace) Configured() bool {
	_, err := w.Files.Read(store.Config)
	return err == nil
}

// Node reads the node of a module. It returns nil if the node is missing or invalid.
func (w *Workspace) Node(module string) *node.Node {
	data, err := w.Files.Read(w.Layout.Node(module))
	if err != nil {
		return nil
	}
	n, err := node.Decode(data)
	if err != nil {
		return nil
	}
	return n
}

// Sessions lists the ids of the stored sessions.
func (w *Workspace) Sessions() ([]string, error) {
	names, err := w.Files.List(w.Layout.FramesDir())
	if err != nil {
		return nil, err
	}
	var out []string
	for _, n := range names {
		if w.Layout.IsFrames(n) {
			out = append(out, w.Layout.SessionOf(n))
		}
	}
	slices.Sort(out)
	return out, nil
}

// LastChange returns the newest commit in the history of HEAD that changed one of the files, and false if there is
// none.
func (w *Workspace) LastChange(ctx context.Context, files ...string) (gitstore.Commit, bool, error) {
	head, err := w.Repo.Head(ctx)
	if err != nil || head.ID == "" || len(files) == 0 {
		return gitstore.Commit{}, false, err
	}
	return w.Repo.LastCommit(ctx, head.ID, files...)
}

// unfit has files whose directory names are too long for causal's file names. They are skipped, so the rest can be
// documented.
type unfit struct {
	mu    sync.Mutex
	files map[string]bool
}

func (u *unfit) add(file string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files == nil {
		u.files = map[string]bool{}
	}
	u.files[file] = true
}

func (w *Workspace) excluded(file string) bool {
	if w.Config.Excluded(file) {
		return true
	}
	if w.Layout.Fits(path.Dir(file)) {
		return false
	}
	w.unfit.add(file)
	return true
}

// Unfit lists the skipped files whose directory names are too long.
func (w *Workspace) Unfit() []string {
	w.unfit.mu.Lock()
	defer w.unfit.mu.Unlock()
	return slices.Sorted(maps.Keys(w.unfit.files))
}
