package publish

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
)

// Files are causal's own as a run has left them. *store.Dir is one.
type Files interface {
	Changed() map[string][]byte // those that were touched, with what they held before; nil for files that are new
	Read(name string) ([]byte, error)
}

// changes are files to write and files to delete.
type changes struct {
	write  map[string][]byte
	remove []string
}

// names are all of them, sorted.
func (c changes) names() []string {
	return slices.Sorted(slices.Values(slices.Concat(slices.Collect(maps.Keys(c.write)), c.remove)))
}

// changesOf sorts what a run touched; what is again as it was is left out.
func changesOf(files Files) (changes, error) {
	c := changes{write: map[string][]byte{}}
	for name, before := range files.Changed() {
		now, err := files.Read(name)
		switch {
		case err == nil && string(now) != string(before):
			c.write[name] = now
		case errors.Is(err, fs.ErrNotExist) && before != nil:
			c.remove = append(c.remove, name)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return changes{}, err
		}
	}
	slices.Sort(c.remove)
	return c, nil
}
