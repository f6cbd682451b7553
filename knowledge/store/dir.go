package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// Dir writes files below a repository's root. Every operation goes through an os.Root: no path, "..", or symbolic
// link can lead outside.
type Dir struct {
	root *os.Root
	tmp  string // for files that are not complete yet
	next atomic.Int64
	done atomic.Int64 // writes and removals

	mu      sync.Mutex
	changed map[string][]byte
	held    map[string][]byte // pending contents, nil for removed files; nil unless writes are held back
	olds    map[string][]byte // contents before the innermost Hold

	opened  sync.RWMutex
	parents map[string]*os.Root // open directories, which save resolving the path for each file
}

const mostParents = 32

// OpenDir opens the repository's root for writing.
func OpenDir(root string) (*Dir, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	d := &Dir{root: r, tmp: Top + "/tmp", changed: map[string][]byte{}, parents: map[string]*os.Root{}}
	if info, err := r.Lstat(".git"); err == nil && info.IsDir() {
		d.tmp = ".git/causal/tmp"
	}
	return d, nil
}

// Close releases the root.
func (d *Dir) Close() error {
	d.opened.Lock()
	defer d.opened.Unlock()
	d.closeParents()
	return d.root.Close()
}

func (d *Dir) in(name string, fn func(dir *os.Root, base string) error) error {
	parent, base := path.Split(name)
	if parent == "" {
		return fn(d.root, base)
	}
	d.opened.RLock()
	dir := d.parents[parent]
	if dir == nil {
		d.opened.RUnlock()
		if err := d.open(parent); err != nil {
			return err
		}
		d.opened.RLock()
		dir = d.parents[parent]
	}
	defer d.opened.RUnlock()
	if dir == nil { // evicted by a concurrent call
		return fn(d.root, name)
	}
	return fn(dir, base)
}

func (d *Dir) open(parent string) error {
	d.opened.Lock()
	defer d.opened.Unlock()
	if d.parents[parent] != nil {
		return nil
	}
	dir, err := d.root.OpenRoot(parent)
	if err != nil {
		return err
	}
	if len(d.parents) >= mostParents {
		d.closeParents()
	}
	d.parents[parent] = dir
	return nil
}

// closeParents closes the open directories before a removal: a removed directory may be replaced, and an open one may
// not be removable.
func (d *Dir) closeParents() {
	for _, dir := range d.parents {
		_ = dir.Close()
	}
	clear(d.parents)
}

// ErrOccupied is returned if the path holds something other than a plain file, or a file that causal did not
// generate.
var ErrOccupied = errors.New("something else is in its place")

// LargestFile limits the bytes of a generated file: the call tree of a first run over 100,000 modules has 13 MB, and
// their index no more.
const LargestFile = 16 << 20

// largestNode limits the bytes of a node. The largest known nodes, of system call packages, have 3 MB.
const largestNode = 8 << 20

// Largest returns the size limit of the named file in bytes.
func Largest(name string) int64 {
	if (Layout{}).IsNode(name) {
		return largestNode
	}
	return LargestFile
}

// ErrTooLarge is returned for a file larger than any generated file. It wraps ErrOccupied.
var ErrTooLarge = fmt.Errorf("it is too large: %w", ErrOccupied)

// Read returns a file's content. It returns fs.ErrNotExist if there is no file, ErrOccupied for a directory or a
// link, and ErrTooLarge for a file over the limit.
func (d *Dir) Read(name string) ([]byte, error) {
	if data, held := d.heldBack(name); held {
		if data == nil {
			return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
		}
		return bytes.Clone(data), nil
	}
	var data []byte
	err := d.in(name, func(dir *os.Root, base string) error {
		info, err := dir.Lstat(base)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is a %s: %w", name, typeName(info.Mode()), ErrOccupied)
		}
		if most := Largest(name); info.Size() > most {
			return fmt.Errorf("%s is larger than %d MB, the most that such a file has: %w", name, most>>20, ErrTooLarge)
		}
		data, err = dir.ReadFile(base)
		return err
	})
	if errors.Is(err, ErrOccupied) {
		return nil, err
	}
	if err != nil {
		return nil, outside(name, err)
	}
	return data, nil
}

// Has reports whether there is a file.
func (d *Dir) Has(name string) bool {
	if data, held := d.heldBack(name); held {
		return data != nil
	}
	info, err := d.root.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

func typeName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "directory"
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	}
	return "special file"
}

// nurseries is the number of directories for creating files: each creation locks its directory.
const nurseries = 4

// Write writes a file and reports whether it changed. The write is atomic, even if the process dies.
func (d *Dir) Write(name string, data []byte) (bool, error) {
	old, err := d.former(name)
	if err == nil && bytes.Equal(old, data) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if d.hold(name, data, old) {
		return true, nil
	}
	n := d.next.Add(1)
	tmpDir := d.tmp + "/" + strconv.FormatInt(n%nurseries, 10)
	tmp := tmpDir + "/" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(n, 10)
	create := func(dir *os.Root, base string) error { return dir.WriteFile(base, data, 0o644) }
	err = d.in(tmp, create)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.root.MkdirAll(tmpDir, 0o755); err == nil {
			err = d.in(tmp, create)
		}
	}
	if err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	err = d.root.Rename(tmp, name)
	if errors.Is(err, fs.ErrNotExist) {
		err = d.settle(tmp, name)
	}
	if err != nil {
		_ = d.root.Remove(tmp)
		return false, outside(name, err)
	}
	d.note(name, old)
	return true, nil
}

// former returns the content of a file before it is replaced or removed. An oversized node is treated as empty, like
// one that cannot be decoded: it holds no user text, and git keeps it.
func (d *Dir) former(name string) ([]byte, error) {
	old, err := d.Read(name)
	if errors.Is(err, ErrTooLarge) && (Layout{}).IsNode(name) {
		return []byte{}, nil
	}
	return old, err
}

func (d *Dir) settle(tmp, name string) error {
	d.opened.RLock() // prevents a removal of the directory before the file is in it
	defer d.opened.RUnlock()
	if err := d.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return d.root.Rename(tmp, name)
}

func (d *Dir) note(name string, old []byte) {
	d.done.Add(1)
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.changed[name]; !ok {
		d.changed[name] = old
	}
}

// Writes returns the number of writes and removals so far; held ones do not count.
func (d *Dir) Writes() int64 { return d.done.Load() }

// Changed returns the written and removed files with their previous content; nil for new files.
func (d *Dir) Changed() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.changed)
}

// Created reports whether a written file did not exist before.
func (d *Dir) Created(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	before, written := d.changed[name]
	return written && before == nil
}

// Differing returns the files whose content differs from before their first write or removal, sorted by name.
func (d *Dir) Differing() ([]Difference, error) {
	var out []Difference
	changed := d.Changed()
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		now, err := d.Read(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if before := changed[name]; (before == nil) != (err != nil) || !bytes.Equal(now, before) {
			out = append(out, Difference{name, before, now})
		}
	}
	return out, nil
}

// Touched returns the sorted names of modified files and of removed files.
func (d *Dir) Touched() (written, removed []string, err error) {
	list, err := d.Differing()
	for _, one := range list {
		if one.After == nil {
			removed = append(removed, one.Name)
		} else {
			written = append(written, one.Name)
		}
	}
	return written, removed, err
}

// Remove deletes a file, and the empty directories above it up to upTo.
func (d *Dir) Remove(name, upTo string) error {
	old, err := d.former(name)
	if err == nil && d.hold(name, nil, old) {
		return nil
	}
	if err == nil {
		err = d.root.Remove(name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	if err == nil {
		d.note(name, old)
	}
	d.opened.Lock() // a write into an already opened directory would be lost after its removal
	defer d.opened.Unlock()
	d.closeParents()
	for dir := path.Dir(name); dir != upTo && under(dir, upTo); dir = path.Dir(dir) {
		if d.root.Remove(dir) != nil {
			return nil // not empty
		}
	}
	return nil
}

// Sweep removes the leftovers of killed runs. Call it with the repository's lock held.
func (d *Dir) Sweep() error {
	d.opened.Lock()
	defer d.opened.Unlock()
	d.closeParents()
	if err := d.root.RemoveAll(d.tmp); err != nil {
		return fmt.Errorf("remove leftovers of an earlier run: %w", err)
	}
	return nil
}

// outside explains a path that a symbolic link leads outside.
func outside(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Err != nil && pe.Err.Error() == "path escapes from parent" {
		return fmt.Errorf("%s: a symbolic link on the way leads outside the repository; remove it or set another docs.dir in %s", name, Config)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// List returns the files of a directory, by path, sorted; none if the directory does not exist.
func (d *Dir) List(dir string) ([]string, error) {
	list, err := entries(d.root, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	var out []string
	for _, e := range list {
		if e.Type().IsRegular() {
			out = append(out, path.Join(dir, e.Name()))
		}
	}
	return d.withHeld(out, func(name string) bool { return path.Dir(name) == dir }), nil
}

// Below returns all files below a directory, by path, sorted; none if the directory does not exist. It does not
// follow symbolic links.
func (d *Dir) Below(dir string) ([]string, error) {
	var out []string
	err := Walk(d.root, dir, func(name string, e fs.DirEntry) error {
		if e.Type().IsRegular() {
			out = append(out, name)
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, outside(dir, err)
	}
	return d.withHeld(out, func(name string) bool { return under(name, dir) }), nil
}
