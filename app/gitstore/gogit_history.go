package gitstore

import (
	"context"
	"errors"
	"fmt"
	"github.com/go-git/go-git/v5/plumbing"
	"slices"
	"strings"
)

// everBelow walks the history from newest to oldest by committer time, as `git log` does.
func (g *goGit) everBelow(ctx context.Context, rev, dir, since string) (map[string]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	start, err := g.commitOf(rev)
	if err != nil {
		return nil, err
	}
	shallow, err := g.shallow()
	if err != nil {
		return nil, err
	}
	files, below, seen := map[string]string{}, map[string]map[string]bool{}, map[string]bool{start.ID: true, since: true}
	if start.ID == since {
		return files, nil
	}
	for todo := []commitObject{start}; len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		newest := 0
		for i := range todo {
			if todo[i].When.After(todo[newest].When) {
				newest = i
			}
		}
		at := todo[newest]
		todo = slices.Delete(todo, newest, newest+1)
		has, err := g.below(ctx, at, dir, below)
		if err != nil {
			return nil, err
		}
		for name := range has {
			files[name] += ""
		}
		if shallow[at.ID] {
			continue
		}
		for _, id := range at.parents {
			parent, err := g.commitAt(id)
			if err != nil {
				return nil, err
			}
			had, err := g.below(ctx, parent, dir, below)
			if err != nil {
				return nil, err
			}
			for name := range had {
				if files[name] == "" && !has[name] {
					files[name] = at.ID
				}
			}
			if !seen[id] {
				seen[id] = true
				todo = append(todo, parent)
			}
		}
	}
	return files, nil
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

func (g *goGit) shallow() (map[string]bool, error) {
	cut, err := g.store.Shallow()
	if err != nil {
		return nil, fmt.Errorf("read shallow commits: %w", err)
	}
	ids := map[string]bool{}
	for _, hash := range cut {
		ids[hash.String()] = true
	}
	return ids, nil
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
	shallow, err := g.shallow()
	if err != nil {
		return false, err
	}
	seen := map[string]bool{ends[0].ID: true}
	for todo := []string{ends[0].ID}; len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		id := todo[0]
		todo = todo[1:]
		if id == ends[1].ID {
			return true, nil
		}
		if shallow[id] {
			continue
		}
		c, err := g.commitAt(id)
		if err != nil {
			return false, err
		}
		for _, parent := range c.parents {
			if !seen[parent] {
				seen[parent] = true
				todo = append(todo, parent)
			}
		}
	}
	return false, nil
}
