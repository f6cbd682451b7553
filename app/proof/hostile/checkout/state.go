package checkout

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// state maps paths to the contents of files and links.
type state map[string]string

// linkTarget is the target of links in the corpus.
const linkTarget = "/etc/passwd"

// look reads all files below a root, except git's internal files that do not affect its behaviour, the runner's files and the other
// checkout. It uses os.Root, because paths may be longer than a system call allows.
func look(root, checkout string) (state, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	at, err := filepath.Rel(root, checkout)
	if err != nil {
		return nil, err
	}
	at = filepath.ToSlash(at)
	out := state{}
	err = walk(r, ".", func(name string, d fs.DirEntry) error {
		if name == "runner" || path.Dir(name) == path.Dir(at) && name != at && (d.Name() == "clone" || d.Name() == "work") {
			return fs.SkipDir
		}
		as := name
		if inside, ok := strings.CutPrefix(name, at+"/"); ok {
			as = path.Join(path.Base(at), inside)
			if kept, ok := strings.CutPrefix(inside, ".git/"); ok && !affectsGit(kept) {
				return fs.SkipDir
			}
		}
		return out.add(r, name, as, d)
	})
	if err != nil {
		return nil, err
	}
	if data, err := os.ReadFile(linkTarget); err == nil {
		out[linkTarget] = string(data)
	}
	return out, nil
}

// walk visits all below a directory, by names that may be no text, which fs.WalkDir refuses.
func walk(root *os.Root, dir string, visit func(name string, d fs.DirEntry) error) error {
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	list, err := f.ReadDir(-1)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, d := range list {
		name := path.Join(dir, d.Name())
		err := visit(name, d)
		if err == nil && d.IsDir() {
			err = walk(root, name, visit)
		}
		if err != nil && !errors.Is(err, fs.SkipDir) {
			return err
		}
	}
	return nil
}

// affectsGit reports whether a file of a git directory affects git's behaviour.
func affectsGit(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	switch top {
	case "config", "config.worktree", "hooks", "info", "HEAD", "refs", "packed-refs", "modules":
		return true
	}
	return false
}

func (s state) add(root *os.Root, name, as string, d fs.DirEntry) error {
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		s[as] = "link to " + target
		return err
	case d.IsDir():
		if strings.HasPrefix(as, "clone/") || strings.HasPrefix(as, "work/") {
			return nil // git knows no directories
		}
		s[as] = "directory"
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	s[as] = string(sum.Sum(nil))
	return err
}

// differs yields the paths at which two states differ.
func (s state) differs(other state) iter.Seq[string] {
	return func(yield func(string) bool) {
		for name, was := range s {
			if now, ok := other[name]; (!ok || now != was) && !yield(name) {
				return
			}
		}
		for name := range other {
			if _, ok := s[name]; !ok && !yield(name) {
				return
			}
		}
	}
}
