package gitstore

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// treePair is a directory in two trees; an empty id means that the directory is absent.
type treePair struct {
	path string // empty, or ends with a slash
	ids  [2]string
}

type leaf struct {
	Entry

	directory bool
}

func (c *cli) tree(ctx context.Context, treeish string) ([]Entry, error) {
	changes, err := c.diff(ctx, "", treeish)
	return entriesOf(changes), err
}

// rootTree is the suffix of a revision that names its tree.
const rootTree = "^{tree}"

// diff reads the trees through batch, which costs no process.
func (c *cli) diff(ctx context.Context, from, to string) ([]Change, error) {
	var roots [2]string
	for i, name := range []string{from, to} {
		if name != "" {
			roots[i] = name + rootTree
		}
	}
	return compareTrees(ctx, c.readTrees, roots[0], roots[1])
}

func entriesOf(added []Change) []Entry {
	entries := make([]Entry, len(added))
	for i, c := range added {
		entries[i] = Entry{Path: c.Path, ID: c.New, Mode: c.Mode}
	}
	return entries
}

// compareTrees compares two trees level by level, and reads only directories that differ. An empty name is an empty
// tree.
func compareTrees(ctx context.Context, read func(context.Context, []string) (map[string]map[string]leaf, error), from, to string) ([]Change, error) {
	var out []Change
	for level := []treePair{{ids: [2]string{from, to}}}; len(level) > 0; {
		trees, err := read(ctx, namesOf(level))
		if err != nil {
			return nil, err
		}
		var next []treePair
		for _, pair := range level {
			changes, below := pair.compare(trees[pair.ids[0]], trees[pair.ids[1]])
			out, next = append(out, changes...), append(next, below...)
		}
		level = next
	}
	slices.SortFunc(out, byPath)
	return out, nil
}

func namesOf(level []treePair) (names []string) {
	asked := map[string]bool{"": true}
	for _, p := range level {
		for _, id := range p.ids {
			if !asked[id] {
				asked[id], names = true, append(names, id)
			}
		}
	}
	return names
}

// compare returns the changed files and the subdirectories to compare next.
func (p treePair) compare(from, to map[string]leaf) (changes []Change, below []treePair) {
	one := func(name string, a, b leaf) {
		if a == b {
			return
		}
		next := treePair{path: p.path + name + "/"}
		for i, side := range []*leaf{&a, &b} {
			if side.directory {
				next.ids[i] = side.ID
				*side = leaf{}
			}
		}
		if next.ids[0] != next.ids[1] {
			below = append(below, next)
		}
		if a != b {
			a.Path, b.Path = p.path+name, p.path+name
			changes = append(changes, difference(a.Entry, b.Entry))
		}
	}
	for name, a := range from {
		one(name, a, to[name])
	}
	for name, b := range to {
		if _, both := from[name]; !both {
			one(name, leaf{}, b)
		}
	}
	return changes, below
}

func (c *cli) readTrees(ctx context.Context, names []string) (map[string]map[string]leaf, error) {
	trees, left := map[string]map[string]leaf{}, names
	err := c.batch(ctx, names, "tree", math.MaxInt64, func(b Blob) (err error) {
		trees[left[0]], err = parseTreeObject(b)
		left = left[1:]
		return err
	})
	if errors.Is(err, ErrUnknownObject) && !strings.HasSuffix(names[0], rootTree) {
		err = fmt.Errorf("%w: %w", errLost, err) // trees are always fetched whole
	}
	return trees, err
}

// parseTreeObject parses repeated "mode name\0" and a binary id, which is as long as the tree's own.
func parseTreeObject(tree Blob) (map[string]leaf, error) {
	size, content := len(tree.ID)/2, tree.Content
	out := map[string]leaf{}
	for len(content) > 0 {
		head, rest, found := bytes.Cut(content, []byte{0})
		mode, name, named := bytes.Cut(head, []byte(" "))
		if !found || !named || len(name) == 0 || len(rest) < size {
			return nil, fmt.Errorf("git cat-file: a tree ends within an entry: %w", errLost)
		}
		l := leaf{Entry: Entry{ID: hex.EncodeToString(rest[:size])}}
		switch m, known := modeOf(string(mode)); {
		case string(mode) == "40000":
			l.directory = true
		case known && m != "":
			l.Mode = m
		default:
			return nil, fmt.Errorf("git cat-file: unexpected mode %q in a tree", mode)
		}
		out[string(name)] = l
		content = rest[size:]
	}
	return out, nil
}
