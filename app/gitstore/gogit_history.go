package gitstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// lastCommit follows history as `git log` does by default: a commit that has the paths as one of its parents has them
// changed nothing, and only that parent is followed.
func (g *inProcess) lastCommit(ctx context.Context, rev string, paths []string) (Commit, bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at, err := g.commitOf(rev)
	if err != nil {
		return Commit{}, false, err
	}
	shallow, err := g.shallow()
	if err != nil {
		return Commit{}, false, err
	}
	state, err := g.stateOf(at, paths)
	if err != nil {
		return Commit{}, false, err
	}
	absent := strings.Repeat("\n", len(paths))
	for {
		if err := ctx.Err(); err != nil {
			return Commit{}, false, err
		}
		parents := at.parents
		if shallow[at.ID] {
			parents = nil
		}
		if len(parents) == 0 {
			if state == absent {
				return Commit{}, false, nil
			}
			return at.Commit, true, nil
		}
		same := -1
		for i, id := range parents {
			parent, err := g.commitAt(id)
			if err != nil {
				return Commit{}, false, err
			}
			before, err := g.stateOf(parent, paths)
			if err != nil {
				return Commit{}, false, err
			}
			if before == state {
				at, same = parent, i
				break
			}
		}
		if same < 0 {
			return at.Commit, true, nil
		}
	}
}

// everBelow walks the history from the newest commits to the oldest, by the time of their committers, as `git log` does.
func (g *inProcess) everBelow(ctx context.Context, rev, dir, since string) (map[string]string, error) {
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
		has, err := g.below(at, dir, below)
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
			had, err := g.below(parent, dir, below)
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

// below lists the files below a directory at a commit. Known are those of trees that were looked at.
func (g *inProcess) below(c commitObject, dir string, known map[string]map[string]bool) (map[string]bool, error) {
	state, err := g.stateOf(c, []string{dir})
	if err != nil {
		return nil, err
	}
	if files, ok := known[state]; ok {
		return files, nil
	}
	files := map[string]bool{}
	known[state] = files
	tree, err := object.GetTree(g.store, plumbing.NewHash(c.Tree))
	if err != nil {
		return nil, fmt.Errorf("read tree of %s: %w", c.ID, err)
	}
	top, err := tree.Tree(dir)
	if errors.Is(err, object.ErrDirectoryNotFound) {
		return files, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s at %s: %w", dir, c.ID, err)
	}
	err = top.Files().ForEach(func(f *object.File) error {
		files[path.Join(dir, f.Name)] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s at %s: %w", dir, c.ID, err)
	}
	return files, nil
}

// stateOf describes what the paths are at a commit.
func (g *inProcess) stateOf(c commitObject, paths []string) (string, error) {
	var b strings.Builder
	tree, err := object.GetTree(g.store, plumbing.NewHash(c.Tree))
	if err != nil {
		return "", fmt.Errorf("read tree of %s: %w", c.ID, err)
	}
	for _, path := range paths {
		entry, err := tree.FindEntry(path)
		switch {
		case err == nil:
			fmt.Fprintf(&b, "%o %s", uint32(entry.Mode), entry.Hash)
		case !errors.Is(err, object.ErrEntryNotFound) && !errors.Is(err, object.ErrDirectoryNotFound):
			return "", fmt.Errorf("read %s at %s: %w", path, c.ID, err)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// shallow returns the commits whose parents are cut off.
func (g *inProcess) shallow() (map[string]bool, error) {
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

func (g *inProcess) contains(ctx context.Context, ref, commit string) (bool, error) {
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
	return g.reaches(ctx, ends[0].ID, ends[1].ID, shallow)
}

// reaches walks from one commit to its ancestors in search of another.
func (g *inProcess) reaches(ctx context.Context, from, to string, shallow map[string]bool) (bool, error) {
	seen := map[string]bool{from: true}
	for todo := []string{from}; len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		id := todo[0]
		todo = todo[1:]
		if id == to {
			return true, nil
		}
		if shallow[id] {
			continue
		}
		c, err := g.commitAt(id)
		if err != nil {
			return false, err
		}
		todo = append(todo, slices.DeleteFunc(c.parents, func(parent string) bool {
			known := seen[parent]
			seen[parent] = true
			return known
		})...)
	}
	return false, nil
}

func (g *inProcess) authorName(context.Context) (string, error) {
	who, err := g.identity("AUTHOR")
	return who.Name, err
}

// mergeBase follows the whole history of both. Of several common ancestors that none of the others leads to, it is the newest.
func (g *inProcess) mergeBase(ctx context.Context, a, b string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	shallow, err := g.shallow()
	if err != nil {
		return "", err
	}
	var above [2]map[string]commitObject
	for i, rev := range []string{a, b} {
		from, err := g.commitOf(rev)
		if err != nil {
			return "", err
		}
		if above[i], err = g.ancestors(ctx, from, shallow); err != nil {
			return "", err
		}
	}
	maps.DeleteFunc(above[0], func(id string, _ commitObject) bool { return above[1][id].ID == "" })
	passed := map[string]bool{} // what a common ancestor leads to
	for _, c := range above[0] {
		for _, parent := range c.parents {
			passed[parent] = true
		}
	}
	var best commitObject
	for id, c := range above[0] {
		if !passed[id] && (best.ID == "" || c.When.After(best.When) || c.When.Equal(best.When) && id < best.ID) {
			best = c
		}
	}
	return best.ID, nil
}

// ancestors are a commit and all that it leads to, by id.
func (g *inProcess) ancestors(ctx context.Context, from commitObject, shallow map[string]bool) (map[string]commitObject, error) {
	seen := map[string]commitObject{from.ID: from}
	for todo := []commitObject{from}; len(todo) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := todo[0]
		todo = todo[1:]
		if shallow[c.ID] {
			continue
		}
		for _, id := range c.parents {
			if seen[id].ID != "" {
				continue
			}
			parent, err := g.commitAt(id)
			if err != nil {
				return nil, err
			}
			seen[id] = parent
			todo = append(todo, parent)
		}
	}
	return seen, nil
}
