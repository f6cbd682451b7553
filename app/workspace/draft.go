package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/store"
)

// draft takes what a run would write, over files that stay as they are. It implements engine.Files.
type draft struct {
	files *store.Dir

	mu      sync.Mutex
	written map[string][]byte // nil of what would be removed
}

func newDraft(files *store.Dir) *draft { return &draft{files: files, written: map[string][]byte{}} }

// Read implements engine.Files.
func (d *draft) Read(name string) ([]byte, error) {
	d.mu.Lock()
	data, ok := d.written[name]
	d.mu.Unlock()
	switch {
	case !ok:
		return d.files.Read(name)
	case data == nil:
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	return data, nil
}

// Write implements engine.Files.
func (d *draft) Write(name string, data []byte) (bool, error) {
	old, err := d.Read(name)
	if err == nil && bytes.Equal(old, data) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written[name] = append([]byte{}, data...)
	return true, nil
}

// Remove implements engine.Files.
func (d *draft) Remove(name, _ string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.written[name] = nil
	return nil
}

// List implements engine.Files.
func (d *draft) List(dir string) ([]string, error) {
	list, err := d.files.List(dir)
	return d.over(list, func(name string) bool { return path.Dir(name) == dir }), err
}

// Below implements engine.Files.
func (d *draft) Below(dir string) ([]string, error) {
	list, err := d.files.Below(dir)
	return d.over(list, func(name string) bool { return strings.HasPrefix(name, dir+"/") }), err
}

// over adds to a list what would be written, and takes from it what would be removed.
func (d *draft) over(list []string, there func(name string) bool) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, data := range d.written {
		at, found := slices.BinarySearch(list, name)
		switch {
		case data == nil && found:
			list = slices.Delete(list, at, at+1)
		case data != nil && !found && there(name):
			list = slices.Insert(list, at, name)
		}
	}
	return list
}

// Changed implements engine.Files.
func (d *draft) Changed() map[string][]byte {
	d.mu.Lock()
	names := slices.Collect(maps.Keys(d.written))
	d.mu.Unlock()
	out := map[string][]byte{}
	for _, name := range names {
		old, err := d.files.Read(name)
		if err != nil {
			old = nil
		}
		out[name] = old
	}
	return out
}

// Touched names the files that would hold something else, and those that would be no more, sorted.
func (d *draft) Touched() (written, removed []string, err error) {
	for name, before := range d.Changed() {
		now := d.written[name]
		switch {
		case now == nil && before != nil:
			removed = append(removed, name)
		case now != nil && (before == nil || !bytes.Equal(now, before)):
			written = append(written, name)
		}
	}
	slices.Sort(written)
	slices.Sort(removed)
	return written, removed, nil
}
