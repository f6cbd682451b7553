package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
)

// Scratch is a directory with causal's own files of one commit, for store.OpenDir. It is kept between runs, so only
// changed files are written, and may be deleted at any time. One run uses it at a time. Symbolic links of the
// repository stay links: writes use an os.Root, which follows none to the outside.
type Scratch struct {
	dir    string
	layout store.Layout
	root   *os.Root
	hash   func(content []byte) string
}

// OpenScratch opens or creates a scratch directory. Close it after use.
func OpenScratch(dir string, layout store.Layout) (*Scratch, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("open scratch directory: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open scratch directory: %w", err)
	}
	return &Scratch{dir: dir, layout: layout, root: root}, nil
}

// Close releases the directory.
func (s *Scratch) Close() error { return s.root.Close() }

// Dir returns the path of the directory.
func (s *Scratch) Dir() string { return s.dir }

// sync updates the directory to causal's own files of a tree, and returns them.
func (s *Scratch) sync(ctx context.Context, repo *gitstore.Repo, tree []gitstore.Entry) ([]gitstore.Entry, error) {
	s.hash = repo.HashBytes
	var own []gitstore.Entry
	for _, e := range tree {
		if err := s.inTheWay(e); err != nil {
			return nil, err
		}
		if !s.layout.Owns(e.Path) || e.Mode == gitstore.Submodule {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(e.Path)) || path.Clean(e.Path) != e.Path {
			return nil, fmt.Errorf("%q is not a path inside the repository", e.Path)
		}
		own = append(own, e)
	}
	here, err := s.clear(own)
	if err != nil {
		return nil, err
	}
	return own, s.fill(ctx, repo, slices.DeleteFunc(slices.Clone(own), func(e gitstore.Entry) bool { return here[e.Path] }))
}

// inTheWay rejects a tree with a file or link in the place of one of causal's directories.
func (s *Scratch) inTheWay(e gitstore.Entry) error {
	link := e.Mode == gitstore.Symlink || e.Mode == gitstore.Submodule
	if !s.layout.IsDir(e.Path) && !(link && s.layout.MayBeDir(e.Path)) {
		return nil
	}
	return fmt.Errorf("%s has to be a directory and is a %s: remove it, or set another docs.dir in %s: %w",
		e.Path, kinds[e.Mode], store.Config, store.ErrOccupied)
}

var kinds = map[gitstore.Mode]string{
	gitstore.Regular: "file", gitstore.Executable: "file", gitstore.Symlink: "symbolic link", gitstore.Submodule: "submodule",
}

func (s *Scratch) clear(own []gitstore.Entry) (map[string]bool, error) {
	here := make(map[string]bool, len(own))
	var dirs []string
	err := store.Walk(s.root, ".", func(name string, d fs.DirEntry) error {
		if d.IsDir() {
			dirs = append(dirs, name)
			return nil
		}
		at, known := slices.BinarySearchFunc(own, name, func(e gitstore.Entry, name string) int { return strings.Compare(e.Path, name) })
		if known {
			mode, id, err := s.identify(name)
			if err != nil {
				return err
			}
			if here[name] = mode == modeOf(own[at].Mode) && id == own[at].ID; here[name] {
				return nil
			}
		}
		return s.root.Remove(name)
	})
	if err != nil {
		return nil, fmt.Errorf("clear scratch directory: %w", err)
	}
	for _, dir := range slices.Backward(dirs) {
		_ = s.root.Remove(dir) // fails for a directory with files
	}
	return here, nil
}

func (s *Scratch) identify(name string) (survey.Mode, string, error) {
	info, err := s.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	switch {
	case info.Mode().IsRegular() && info.Size() > store.Largest(name):
		return survey.Other, "too large", nil
	case info.Mode().IsRegular():
		content, err := s.root.ReadFile(name)
		return survey.Regular, s.hash(content), err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := s.root.Readlink(name)
		return survey.Symlink, s.hash([]byte(target)), err
	}
	return survey.Other, "other", nil
}

// largestScratch limits the bytes of causal's own files: those of 50,000 modules have a fifth of it.
const largestScratch = 512 << 20

func (s *Scratch) hole(name string) error {
	if err := s.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return fmt.Errorf("fill scratch directory: %w", err)
	}
	f, err := s.root.Create(name)
	if err != nil {
		return fmt.Errorf("fill scratch directory: %w", err)
	}
	if err := errors.Join(f.Truncate(store.Largest(name)+1), f.Close()); err != nil {
		return fmt.Errorf("fill scratch directory: %w", err)
	}
	return nil
}

func (s *Scratch) fill(ctx context.Context, repo *gitstore.Repo, missing []gitstore.Entry) error {
	ids := make([]string, len(missing))
	for i, e := range missing {
		ids[i] = e.ID
	}
	next, left := 0, int64(largestScratch)
	return repo.ReadBlobs(ctx, ids, store.LargestFile, func(b gitstore.Blob) error {
		e, content := missing[next], b.Content
		next++
		if left -= int64(len(content)); left < 0 {
			return fmt.Errorf("causal's own files have more than %d MB: %w", largestScratch>>20, store.ErrOccupied)
		}
		if b.Size > store.Largest(e.Path) { // represented by a file that is never read
			return s.hole(e.Path)
		}
		if err := s.root.MkdirAll(path.Dir(e.Path), 0o755); err != nil {
			return fmt.Errorf("fill scratch directory: %w", err)
		}
		var err error
		if e.Mode == gitstore.Symlink {
			err = s.root.Symlink(string(content), e.Path)
		} else {
			err = s.root.WriteFile(e.Path, content, 0o644)
		}
		if err != nil {
			return fmt.Errorf("fill scratch directory: %w", err)
		}
		return nil
	})
}
