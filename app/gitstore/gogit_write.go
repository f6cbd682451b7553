package gitstore

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// fileModes translates to go-git's file modes.
var fileModes = map[Mode]filemode.FileMode{
	Regular:    filemode.Regular,
	Executable: filemode.Executable,
	Symlink:    filemode.Symlink,
}

// writeTree writes the tree base with some files put in, replaced or, where they have no mode, taken out. It goes as
// deep as the paths are. The zero hash stands for a tree that holds nothing any more.
func (g *inProcess) writeTree(base string, files map[string]Entry) (plumbing.Hash, error) {
	entries, err := g.entriesOf(base)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	tree := map[string]object.TreeEntry{}
	for _, e := range entries {
		tree[e.Name] = e
	}
	below := map[string]map[string]Entry{}
	for path, file := range files {
		name, rest, nested := strings.Cut(path, "/")
		switch {
		case nested && below[name] == nil:
			below[name] = map[string]Entry{rest: file}
		case nested:
			below[name][rest] = file
		case file.Mode == "" && tree[name].Mode != filemode.Dir:
			delete(tree, name)
		case file.Mode != "":
			tree[name] = object.TreeEntry{Name: name, Mode: fileModes[file.Mode], Hash: plumbing.NewHash(file.ID)}
		}
	}
	for name, inner := range below {
		if err := g.writeDir(tree, name, inner); err != nil {
			return plumbing.ZeroHash, err
		}
	}
	written := &object.Tree{}
	for _, e := range tree {
		written.Entries = append(written.Entries, e)
	}
	slices.SortFunc(written.Entries, func(a, b object.TreeEntry) int { return cmp.Compare(treeOrder(a), treeOrder(b)) })
	return g.write(written)
}

// writeDir writes one directory of a tree; one that holds nothing any more is left out. A file that the directory
// takes the place of gives way, unless all that happens below is deletion.
func (g *inProcess) writeDir(tree map[string]object.TreeEntry, name string, files map[string]Entry) error {
	base := ""
	if tree[name].Mode == filemode.Dir {
		base = tree[name].Hash.String()
	}
	id, err := g.writeTree(base, files)
	if err != nil {
		return err
	}
	if id != emptyTree {
		tree[name] = object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: id}
	} else if base != "" {
		delete(tree, name)
	}
	return nil
}

// emptyTree is the id of the tree without entries.
var emptyTree = plumbing.ComputeHash(plumbing.TreeObject, nil)

// treeOrder is the key by which git sorts the entries of a tree.
func treeOrder(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// indexLock is git's lock on the index: the file that takes the index's place when it is published.
type indexLock struct {
	path string
	file *os.File
	done bool
}

func lockIndex(path string) (*indexLock, error) {
	file, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("commit: %s.lock exists: another git is at work, or was cut off: remove it then", path)
	}
	if err != nil {
		return nil, fmt.Errorf("lock index: %w", err)
	}
	return &indexLock{path: path, file: file}, nil
}

// fill writes the present index with the committed files brought up to date. They get no file
// times: the next status then compares their content, in case they have changed since they were read.
func (l *indexLock) fill(files map[string]Entry) error {
	idx := &index.Index{Version: 2}
	if data, err := os.ReadFile(l.path); err == nil {
		if err := index.NewDecoder(bytes.NewReader(data)).Decode(idx); err != nil {
			return fmt.Errorf("read index: %w", err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read index: %w", err)
	}
	idx.Entries = slices.DeleteFunc(idx.Entries, func(e *index.Entry) bool {
		_, ours := files[e.Name]
		return ours
	})
	for path, file := range files {
		if file.Mode == "" {
			continue
		}
		idx.Entries = append(idx.Entries,
			&index.Entry{Name: path, Hash: plumbing.NewHash(file.ID), Mode: fileModes[file.Mode]})
	}
	if err := index.NewEncoder(l.file).Encode(idx); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	if err := l.file.Sync(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// publish puts the new index in place.
func (l *indexLock) publish() error {
	l.done = true
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	if err := os.Rename(l.path+".lock", l.path); err != nil {
		return fmt.Errorf("write index: %w", err)
	}
	return nil
}

// release gives the lock back when nothing was published.
func (l *indexLock) release() {
	if l.done {
		return
	}
	_ = l.file.Close() // nothing in it is kept
	_ = os.Remove(l.path + ".lock")
}
