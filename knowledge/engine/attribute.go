package engine

import (
	"context"
	"fmt"
	"slices"
)

// mostAttributed is how many files are followed to the commits that changed them: git is asked for each.
const mostAttributed = 10

// attribute names the commits through which nodes fell. A file that is not committed as it is here has none.
func (e *Engine) attribute(ctx context.Context, r *Report) error {
	w := e.world
	if w.state.Commit == "" {
		return nil
	}
	uncommitted, found := map[string]bool{}, map[string]string{}
	for _, d := range w.state.Dirty {
		uncommitted[d.Path] = true
	}
	for i := range r.Invalidated {
		file := r.Invalidated[i].File
		if file == "" || uncommitted[file] || w.layout.Owns(file) {
			continue
		}
		commit, asked := found[file]
		if !asked && len(found) < mostAttributed {
			var err error
			if commit, err = w.tree.LastChange(ctx, file); err != nil {
				return fmt.Errorf("look for the commit that changed %s: %w", file, err)
			}
			found[file] = commit
		}
		r.Invalidated[i].Commit = commit
	}
	return nil
}

// clean reports whether files are in the commit that is checked out as they are here.
func (e *Engine) clean(files []string) bool {
	return e.head.ID != "" && !slices.ContainsFunc(files, func(file string) bool { return e.dirty[file] })
}
