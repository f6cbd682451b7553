// Package worktree provides the sources of a git repository: its work tree on disk, or a revision.
package worktree

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Tree is the work tree of a repository. It implements survey.Tree.
type Tree struct {
	repo *gitstore.Repo
	root *os.Root
	// permanent is the ref that permanent links must be on; empty for none.
	permanent string
	now       func() time.Time
	// hidden are files that git does not compare with the work tree. Their content is the committed one.
	hidden func() (map[string]bool, error)
	// last is the State of a run, until it writes: several surveys of one run see the same files, and ask git once.
	last   *survey.State
	lastAt int64
	writes func() int64
}

// New opens the work tree of repo. Permanent links must be on the ref permanent, if set. State looks again when writes, which counts
// the files that the run has written, has another value; always if it is nil. Close the Tree after use.
func New(repo *gitstore.Repo, permanent string, now func() time.Time, writes func() int64) (*Tree, error) {
	root, err := os.OpenRoot(repo.Root())
	if err != nil {
		return nil, fmt.Errorf("open work tree: %w", err)
	}
	return &Tree{repo: repo, root: root, permanent: permanent, now: now, writes: writes, hidden: hiddenExcept(context.Background(), repo, nil)}, nil
}

func hiddenExcept(ctx context.Context, repo *gitstore.Repo, differ []survey.Dirty) func() (map[string]bool, error) {
	return sync.OnceValues(func() (map[string]bool, error) {
		hidden, err := repo.Hidden(context.WithoutCancel(ctx))
		for _, d := range differ {
			delete(hidden, d.Path)
		}
		return hidden, err
	})
}

// Close releases the work tree.
func (t *Tree) Close() error { return t.root.Close() }

// Begin starts the next State in the background, and forgets the last one.
func (t *Tree) Begin(ctx context.Context) {
	t.last = nil
	t.repo.Begin(ctx)
}

// State implements survey.Tree with one git command. It hashes changed files if their metadata differs from earlier.
func (t *Tree) State(ctx context.Context, earlier func() survey.State) (survey.State, error) {
	if t.last != nil && t.lastAt == t.writes() {
		return survey.State{Commit: t.last.Commit, Dirty: slices.Clone(t.last.Dirty)}, nil
	}
	s, err := t.look(ctx, earlier)
	if t.writes != nil && err == nil {
		t.last, t.lastAt = &survey.State{Commit: s.Commit, Dirty: slices.Clone(s.Dirty)}, t.writes()
	}
	return s, err
}

func (t *Tree) look(ctx context.Context, earlier func() survey.State) (survey.State, error) {
	known := map[string]survey.Dirty{}
	status, err := t.repo.StatusExpecting(ctx, func() []string {
		var paths []string
		for _, d := range earlier().Dirty {
			known[d.Path] = d
			paths = append(paths, d.Path)
		}
		return paths
	})
	if err != nil {
		return survey.State{}, err
	}
	s := survey.State{Commit: status.Head}
	for _, c := range status.Changes {
		if c.Mode == gitstore.Submodule {
			continue
		}
		s.Dirty = append(s.Dirty, survey.Dirty{Path: c.Path, Mode: modeOf(c.Mode), Base: c.Old})
	}
	t.hidden = hiddenExcept(ctx, t.repo, s.Dirty)
	return s, t.fill(ctx, s.Dirty, known, status.Found)
}

func (t *Tree) fill(ctx context.Context, dirty []survey.Dirty, known map[string]survey.Dirty, found map[string]fs.FileInfo) error {
	var rest []*survey.Dirty
	for i := range dirty {
		if d := &dirty[i]; !recognise(d, known[d.Path], found[d.Path]) {
			rest = append(rest, d)
		}
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	settled := sync.OnceValue(t.settled)
	for _, d := range rest {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return t.identify(ctx, d, known[d.Path], found[d.Path], settled) })
	}
	return errors.Join(group.Wait(), ctx.Err())
}

func recognise(d *survey.Dirty, known survey.Dirty, info fs.FileInfo) bool {
	if d.Mode == "" || info == nil || !info.Mode().IsRegular() || known.Stamp == "" || known.Stamp != looks(info) {
		return false
	}
	d.Mode, d.ID, d.Stamp = survey.Regular, known.ID, known.Stamp
	return true
}

// fresh is how long metadata is unreliable after a change: another change within the clock's resolution does not show.
const fresh = 2 * time.Second

// settled returns the time before which metadata is reliable: the file system's own time, if a file can be created.
func (t *Tree) settled() time.Time {
	coarse := t.now().Add(-fresh)
	leftovers := filepath.Join(t.repo.PrivateDir(), "tmp") // a killed run leaves a file that is removed later
	if os.MkdirAll(leftovers, 0o755) != nil {
		return coarse
	}
	f, err := os.CreateTemp(leftovers, "clock-")
	if err != nil {
		return coarse
	}
	defer func() { _ = os.Remove(f.Name()) }()
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return coarse
	}
	if root, err := t.root.Stat("."); err != nil || !sameDevice(root, info) {
		return coarse
	}
	return info.ModTime()
}

func (t *Tree) identify(ctx context.Context, d *survey.Dirty, known survey.Dirty, info fs.FileInfo, settled func() time.Time) error {
	if d.Mode == "" {
		return nil // deleted
	}
	var err error
	if info == nil {
		info, err = t.root.Lstat(filepath.FromSlash(d.Path)) // the absolute path may exceed the system's limit
	}
	if errors.Is(err, os.ErrNotExist) {
		d.Mode = ""
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at %s: %w", d.Path, err)
	}
	if !info.Mode().IsRegular() {
		d.Mode, d.ID = survey.Other, "other"
		if info.Mode()&os.ModeSymlink != 0 {
			d.Mode = survey.Symlink
		}
		return nil
	}
	if recognise(d, known, info) {
		return nil
	}
	d.Mode = survey.Regular
	if info.ModTime().Before(settled()) {
		d.Stamp = looks(info)
	}
	if d.ID, _, err = t.repo.HashFile(ctx, d.Path); err != nil {
		// the engine lists a file that cannot be read
		d.ID, d.Stamp = "unreadable", ""
	}
	return ctx.Err()
}

func modeOf(m gitstore.Mode) survey.Mode {
	switch m {
	case "":
		return ""
	case gitstore.Regular, gitstore.Executable:
		return survey.Regular
	case gitstore.Symlink:
		return survey.Symlink
	case gitstore.Submodule:
		return survey.Submodule
	}
	return survey.Other
}

// Head implements survey.Tree.
func (t *Tree) Head(ctx context.Context) (survey.Commit, error) {
	c, err := t.repo.Head(ctx)
	return commitOf(c), err
}

// LastChange implements survey.Tree.
func (t *Tree) LastChange(ctx context.Context, file string) (string, error) {
	return lastChange(ctx, t.repo, "HEAD", file)
}

func lastChange(ctx context.Context, repo *gitstore.Repo, rev, file string) (string, error) {
	c, _, err := repo.LastCommit(ctx, rev, file)
	return c.ID, err
}

func commitOf(c gitstore.Commit) survey.Commit {
	return survey.Commit{ID: c.ID, When: c.When, Subject: c.Subject}
}

// Entries implements survey.Tree.
func (t *Tree) Entries(ctx context.Context, s survey.State) ([]survey.Entry, error) {
	return entries(ctx, t.repo, s)
}

func entries(ctx context.Context, repo *gitstore.Repo, s survey.State) ([]survey.Entry, error) {
	dirty := make(map[string]bool, len(s.Dirty))
	for _, d := range s.Dirty {
		dirty[d.Path] = true
	}
	var out []survey.Entry
	if s.Commit != "" {
		tree, err := repo.Tree(ctx, s.Commit)
		if err != nil {
			return nil, err
		}
		out = make([]survey.Entry, 0, len(tree)+len(s.Dirty))
		for _, e := range tree {
			if !dirty[e.Path] {
				out = append(out, survey.Entry{Path: e.Path, ID: e.ID, Mode: modeOf(e.Mode)})
			}
		}
	}
	for _, d := range s.Dirty {
		if d.ID != "" {
			out = append(out, survey.Entry{Path: d.Path, ID: d.ID, Mode: d.Mode})
		}
	}
	slices.SortFunc(out, func(a, b survey.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// Changes implements survey.Tree.
func (t *Tree) Changes(ctx context.Context, from, to survey.State) ([]survey.Change, bool, error) {
	return changes(ctx, t.repo, from, to)
}

func changes(ctx context.Context, repo *gitstore.Repo, from, to survey.State) ([]survey.Change, bool, error) {
	if (from.Commit == "") != (to.Commit == "") {
		return nil, false, nil
	}
	sides := map[string]*survey.Change{}
	retyped := map[string]bool{} // a link may have the content of the file that it replaces
	if from.Commit != to.Commit {
		diff, err := repo.DiffTrees(ctx, from.Commit, to.Commit)
		if errors.Is(err, gitstore.ErrUnknownObject) {
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		for _, c := range diff {
			sides[c.Path] = &survey.Change{Path: c.Path, Was: c.Old, ID: c.New, Mode: modeOf(c.Mode)}
			if c.Mode == gitstore.Submodule {
				sides[c.Path].ID, sides[c.Path].Mode = "", "" // no longer a file
			}
			retyped[c.Path] = c.Old == c.New
		}
	}
	overlay(sides, from.Dirty, to.Dirty)
	var out []survey.Change
	for _, c := range sides {
		if c.Was != c.ID || retyped[c.Path] {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b survey.Change) int { return strings.Compare(a.Path, b.Path) })
	return out, true, nil
}

// overlay adds uncommitted changes to a diff. A path that is dirty on one side has its committed content on the other.
func overlay(sides map[string]*survey.Change, from, to []survey.Dirty) {
	committed := func(d survey.Dirty) *survey.Change {
		c := sides[d.Path]
		if c == nil {
			c = &survey.Change{Path: d.Path, Was: d.Base, ID: d.Base, Mode: survey.Regular}
			sides[d.Path] = c
		}
		return c
	}
	for _, list := range [][]survey.Dirty{from, to} {
		for _, d := range list {
			committed(d)
		}
	}
	for _, d := range from {
		sides[d.Path].Was = d.ID
	}
	for _, d := range to {
		sides[d.Path].ID, sides[d.Path].Mode = d.ID, d.Mode
	}
}

// Wrote implements survey.Tree.
func (t *Tree) Wrote(ctx context.Context, s survey.State, before map[string][]byte) (survey.State, error) {
	byPath := map[string]survey.Dirty{}
	for _, d := range s.Dirty {
		byPath[d.Path] = d
	}
	written := make([]survey.Dirty, 0, len(before))
	for _, p := range slices.Sorted(maps.Keys(before)) {
		d := survey.Dirty{Path: p, Mode: survey.Regular, Base: byPath[p].Base}
		if _, dirty := byPath[p]; !dirty && before[p] != nil {
			d.Base = t.repo.HashBytes(before[p]) // it was unchanged
		}
		written = append(written, d)
	}
	if err := t.fill(ctx, written, nil, nil); err != nil {
		return s, err
	}
	for _, d := range written {
		byPath[d.Path] = d
		if d.ID == d.Base {
			delete(byPath, d.Path)
		}
	}
	s.Dirty = slices.SortedFunc(maps.Values(byPath), func(a, b survey.Dirty) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

// Read implements survey.Tree. It reads from disk, or from git for hidden files.
func (t *Tree) Read(ctx context.Context, list []survey.Entry, limit int64, fn func(survey.Entry, []byte, error) error) error {
	if len(list) == 0 {
		return nil
	}
	hidden, err := t.hidden()
	if err != nil {
		return err
	}
	files := opener{root: t.root}
	defer files.close()
	for i := 0; i < len(list); i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := i
		for i < len(list) && hidden[list[i].Path] {
			i++
		}
		if err := readCommitted(ctx, t.repo, list[from:i], limit, fn); err != nil || i == len(list) {
			return err
		}
		content, err := files.read(list[i].Path, limit)
		if err := fn(list[i], content, err); err != nil {
			return err
		}
	}
	return nil
}

// opener opens files below a root. It keeps the last directory open, to avoid repeated path resolution.
type opener struct {
	root *os.Root
	dir  *os.Root
	name string
}

func (o *opener) open(file string) (*os.File, error) {
	if name := path.Dir(file); o.dir == nil || name != o.name {
		dir, err := o.root.OpenRoot(filepath.FromSlash(name))
		if err != nil {
			return nil, err
		}
		o.close()
		o.dir, o.name = dir, name
	}
	return o.dir.Open(path.Base(file))
}

func (o *opener) close() {
	if o.dir != nil {
		_ = o.dir.Close()
	}
}

func (o *opener) read(name string, limit int64) ([]byte, error) {
	f, err := o.open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: not a regular file", name)
	}
	if info.Size() > limit {
		return nil, survey.ErrTooLarge
	}
	content := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(content[len(content):cap(content)])
		content = content[:len(content)+n]
		if errors.Is(err, io.EOF) {
			return content, nil
		}
		if err != nil {
			return nil, err
		}
		if len(content) == cap(content) {
			content = append(content, 0)[:len(content)]
		}
	}
}

// Published implements survey.Tree.
func (t *Tree) Published(ctx context.Context, commit string) (bool, error) {
	if t.permanent == "" {
		return false, nil
	}
	return t.repo.Contains(ctx, t.permanent, commit)
}
