package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Walk visits all below a directory, sorted, without following links; a directory before what is in it. Names may be no text, which
// fs.WalkDir refuses: one file of such a name would be the end of every run.
func Walk(root *os.Root, dir string, visit func(name string, e fs.DirEntry) error) error {
	list, err := entries(root, dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		if err := visit(name, e); err != nil {
			return err
		}
		if e.IsDir() {
			if err := Walk(root, name, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// entries are what is in a directory, sorted.
func entries(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, errors.Join(err, f.Close())
}
