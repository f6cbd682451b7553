package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

var modes = map[filemode.FileMode]Mode{
	filemode.Regular:    Regular,
	filemode.Deprecated: Regular,
	filemode.Executable: Executable,
	filemode.Symlink:    Symlink,
	filemode.Submodule:  Submodule,
}

func (g *goGit) treeID(treeish string) (string, error) {
	treeish = strings.TrimSuffix(treeish, "^{tree}")
	if sha1Format.isID(treeish) {
		if _, err := object.GetTree(g.store, plumbing.NewHash(treeish)); err == nil {
			return treeish, nil
		}
	}
	c, err := g.commitOf(treeish)
	if errors.Is(err, ErrUnknownRevision) {
		return "", fmt.Errorf("%q: %w", treeish, ErrUnknownObject)
	}
	return c.Tree, err
}

// entriesOf reads one tree; an empty id is an absent directory.
func (g *goGit) entriesOf(id string) ([]object.TreeEntry, error) {
	if id == "" {
		return nil, nil
	}
	tree, err := object.GetTree(g.store, plumbing.NewHash(id))
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return nil, fmt.Errorf("tree %s: %w", id, ErrUnknownObject)
	}
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", id, err)
	}
	return tree.Entries, nil
}

func (g *goGit) tree(ctx context.Context, treeish string) ([]Entry, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	root, err := g.treeID(treeish)
	if err != nil {
		return nil, err
	}
	return g.listing(ctx, root)
}

func (g *goGit) listing(ctx context.Context, root string) ([]Entry, error) {
	changes, err := g.compare(ctx, "", root)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, len(changes))
	for i, c := range changes {
		entries[i] = Entry{Path: c.Path, ID: c.New, Mode: c.Mode}
	}
	return entries, nil
}

func (g *goGit) diff(ctx context.Context, from, to string) ([]Change, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	fromTree, err := g.treeID(from)
	if err != nil {
		return nil, err
	}
	toTree, err := g.treeID(to)
	if err != nil {
		return nil, err
	}
	return g.compare(ctx, fromTree, toTree)
}

// pair is a directory in two trees; an empty id means that the directory is absent.
type pair struct{ prefix, from, to string }

type sides struct{ from, to object.TreeEntry }

// compare lists the differences between two trees, and skips directories with equal ids. go-git's own comparison treats
// names as equal that differ only in Unicode normalization.
func (g *goGit) compare(ctx context.Context, from, to string) ([]Change, error) {
	var changes []Change
	for todo := []pair{{"", from, to}}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names, err := g.zip(dir)
		if err != nil {
			return nil, err
		}
		for name, s := range names {
			path := dir.prefix + name
			sub := pair{prefix: path + "/"}
			var old, new Entry
			old, sub.from = side(s.from)
			new, sub.to = side(s.to)
			if sub.from != sub.to {
				todo = append(todo, sub)
			}
			if old != new {
				changes = append(changes, difference(Entry{path, old.ID, old.Mode}, new))
			}
		}
	}
	slices.SortFunc(changes, byPath)
	return changes, nil
}

func (g *goGit) zip(dir pair) (map[string]sides, error) {
	from, err := g.entriesOf(dir.from)
	if err != nil {
		return nil, err
	}
	to, err := g.entriesOf(dir.to)
	if err != nil {
		return nil, err
	}
	names := make(map[string]sides, len(to))
	for _, e := range from {
		names[e.Name] = sides{from: e}
	}
	for _, e := range to {
		names[e.Name] = sides{from: names[e.Name].from, to: e}
	}
	return names, nil
}

// side returns the file of a tree entry, or the tree id if it is a directory.
func side(e object.TreeEntry) (Entry, string) {
	if e.Mode == filemode.Dir {
		return Entry{}, e.Hash.String()
	}
	if mode := modes[e.Mode]; mode != "" {
		return Entry{ID: e.Hash.String(), Mode: mode}, ""
	}
	return Entry{}, ""
}
