package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Walk visits everything below a directory, sorted, parents first, without following links. Unlike fs.WalkDir it
// accepts names that are not UTF-8.
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

func entries(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, errors.Join(err, f.Close())
}
