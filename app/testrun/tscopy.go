package testrun

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/causaldocs/causal/testgen/typescript"
)

// Limits of the copy of a work tree: what is larger is no source that tests need.
const (
	largestTree = 256 << 20
	mostFiles   = 60_000
	largestFile = 8 << 20
)

// leftOut are directories that no test needs, or that are made from others.
var leftOut = map[string]bool{".git": true, ".causal": true, ".nuxt": true, ".next": true, ".turbo": true, "coverage": true}

// copy copies the work tree, without generated tests. The packages in its node_modules are links to the real ones.
func (t tsTester) copy() error {
	from, err := os.OpenRoot(t.runner.Root)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	left, files := int64(largestTree), mostFiles
	return fs.WalkDir(from.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		to := filepath.Join(t.root(), filepath.FromSlash(name))
		switch {
		case err != nil:
			return err
		case d.IsDir() && leftOut[d.Name()]:
			return fs.SkipDir
		case d.Name() == "node_modules" && d.IsDir():
			if err := t.link(name); err != nil {
				return err
			}
			return fs.SkipDir
		case d.Name() == "node_modules":
			return t.link(name) // which leads to another one
		case d.IsDir():
			return os.MkdirAll(to, 0o700)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > largestFile || typescript.Owns(name) {
			return err
		}
		if files--; files < 0 || info.Size() > left {
			return errors.New("it is larger than 256 MiB, or has more than 60000 files")
		}
		left -= info.Size()
		data, err := from.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o600)
	})
}

// link makes a node_modules whose entries lead to those of the work tree: what tools keep in there stays in the copy.
func (t tsTester) link(name string) error {
	real := filepath.Join(t.runner.Root, filepath.FromSlash(name))
	to := filepath.Join(t.root(), filepath.FromSlash(name))
	list, err := os.ReadDir(real)
	if err != nil {
		return nil //nolint:nilerr // it leads nowhere
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, e := range list {
		if base := path.Base(e.Name()); base == ".vite" || base == ".vitest" || base == ".vite-temp" || base == ".cache" {
			continue
		}
		if err := os.Symlink(filepath.Join(real, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
