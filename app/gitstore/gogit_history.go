package gitstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// walk visits a commit and its ancestors with their parents, except those in seen and what only they lead to, from newest
// to oldest by committer time, as `git log` does. storer.ErrStop of visit ends it without an error.
func (g *goGit) walk(ctx context.Context, start commitObject, seen map[string]bool, visit func(at commitObject, parents []commitObject) error) error {
	shallow, err := g.store.Shallow()
	if err != nil {
		return fmt.Errorf("read shallow commits: %w", err)
	}
	for todo := []commitObject{start}; len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := slices.MaxFunc(todo, func(a, b commitObject) int { return a.When.Compare(b.When) })
		todo = slices.DeleteFunc(todo, func(c commitObject) bool { return c.ID == at.ID })
		if slices.Contains(shallow, plumbing.NewHash(at.ID)) {
			at.parents = nil
		}
		var parents []commitObject
		for _, id := range at.parents {
			parent, err := g.commitAt(id)
			if err != nil {
				return err
			}
			parents = append(parents, parent)
			if !seen[id] {
				seen[id] = true
				todo = append(todo, parent)
			}
		}
		if err := visit(at, parents); errors.Is(err, storer.ErrStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (g *goGit) everBelow(ctx context.Context, rev, dir, since string) (map[string]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	start, err := g.commitOf(rev)
	if err != nil {
		return nil, err
	}
	files, below := map[string]string{}, map[string]map[string]bool{}
	if start.ID == since {
		return files, nil
	}
	err = g.walk(ctx, start, map[string]bool{start.ID: true, since: true}, func(at commitObject, parents []commitObject) error {
		has, err := g.below(ctx, at, dir, below)
		if err != nil {
			return err
		}
		for name := range has {
			files[name] += ""
		}
		for _, parent := range parents {
			had, err := g.below(ctx, parent, dir, below)
			if err != nil {
				return err
			}
			for name := range had {
				if files[name] == "" && !has[name] {
					files[name] = at.ID
				}
			}
		}
		return nil
	})
	return files, err
}

// below lists the files below a directory at a commit. known caches the lists by tree id.
func (g *goGit) below(ctx context.Context, c commitObject, dir string, known map[string]map[string]bool) (map[string]bool, error) {
	id := c.Tree
	for name := range strings.SplitSeq(dir, "/") {
		trees, err := g.leavesOf(ctx, []string{id})
		if err != nil {
			return nil, fmt.Errorf("read %s at %s: %w", dir, c.ID, err)
		}
		at := trees[id][name]
		if !at.directory {
			return nil, nil
		}
		id = at.ID
	}
	if files, ok := known[id]; ok {
		return files, nil
	}
	list, err := compareTrees(ctx, g.leavesOf, "", id)
	if err != nil {
		return nil, fmt.Errorf("list %s at %s: %w", dir, c.ID, err)
	}
	files := map[string]bool{}
	for _, file := range list {
		files[dir+"/"+file.Path] = true
	}
	known[id] = files
	return files, nil
}

// leavesOf reads trees.
func (g *goGit) leavesOf(ctx context.Context, ids []string) (map[string]map[string]leaf, error) {
	trees := map[string]map[string]leaf{}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		content, err := g.object(plumbing.TreeObject, id)
		if err != nil {
			return nil, err
		}
		if trees[id], err = parseTreeObject(Blob{ID: id, Content: content}); err != nil {
			return nil, err
		}
	}
	return trees, nil
}

func (g *goGit) contains(ctx context.Context, ref, commit string) (bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var ends [2]commitObject
	for i, rev := range []string{ref, commit} {
		var err error
		if ends[i], err = g.commitOf(rev); errors.Is(err, ErrUnknownRevision) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	found := false
	err := g.walk(ctx, ends[0], map[string]bool{ends[0].ID: true}, func(at commitObject, _ []commitObject) error {
		if found = at.ID == ends[1].ID; found {
			return storer.ErrStop
		}
		return nil
	})
	return found, err
}
