package gitstore

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
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

// listTree lists a tree through batch, without the ls-tree process of tree.
func (c *cli) listTree(ctx context.Context, treeish string) ([]Entry, error) {
	changes, err := c.compareTrees(ctx, "", treeish)
	entries := make([]Entry, 0, len(changes))
	for _, change := range changes {
		entries = append(entries, Entry{Path: change.Path, ID: change.New, Mode: change.Mode})
	}
	return entries, err
}

// compareTrees compares two trees level by level, and reads only directories that differ. An empty name is an empty
// tree.
func (c *cli) compareTrees(ctx context.Context, from, to string) ([]Change, error) {
	root := treePair{}
	for i, name := range []string{from, to} {
		if name != "" {
			root.ids[i] = name + "^{tree}"
		}
	}
	var out []Change
	for level := []treePair{root}; len(level) > 0; {
		trees, err := c.readTrees(ctx, level)
		if err != nil {
			if errors.Is(err, ErrUnknownObject) && level[0] != root {
				err = fmt.Errorf("%w: %w", errLost, err) // trees are always fetched whole
			}
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

func (c *cli) readTrees(ctx context.Context, pairs []treePair) (map[string]map[string]leaf, error) {
	trees := map[string]map[string]leaf{}
	var names []string
	for _, p := range pairs {
		for _, id := range p.ids {
			if _, asked := trees[id]; id != "" && !asked {
				trees[id], names = nil, append(names, id)
			}
		}
	}
	left := names
	err := c.batch(ctx, names, "tree", math.MaxInt64, func(b Blob) (err error) {
		trees[left[0]], err = parseTreeObject(b.Content)
		left = left[1:]
		return err
	})
	return trees, err
}

// parseTreeObject parses repeated "mode name\0" and a binary id.
func parseTreeObject(content []byte) (map[string]leaf, error) {
	const size = 20
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
