package engine

import (
	"slices"

	"github.com/causaldocs/causal/knowledge/session"
)

// trigger lists what changed since the last run that is remembered. Of a first run there is nothing to list.
func (w *world) trigger() map[string]session.FileRecord {
	out := map[string]session.FileRecord{}
	for _, c := range w.changes {
		r := session.FileRecord{Path: c.Path, Hash: c.ID, Role: session.Modified}
		switch {
		case c.ID == "":
			r.Role = session.Deleted
		case c.Was == "":
			r.Role = session.Created
		}
		out[c.Path] = r
	}
	return out
}

// clean reports whether files are in the commit that is checked out as they are here.
func (e *Engine) clean(files []string) bool {
	return e.head.ID != "" && !slices.ContainsFunc(files, func(file string) bool { return e.dirty[file] })
}
