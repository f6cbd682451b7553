package rust

import (
	"path"

	"github.com/causaldocs/causal/knowledge/source"
)

// Published implements source.Publisher: callers import a package's library and its public modules. Unpublished
// packages and examples or tests within others have no callers.
func (r *resolver) Published() []source.Entry {
	var out []source.Entry
	for _, dir := range r.workspaces.dirs() {
		m := r.workspaces.byDir[dir]
		if m.name == "" || m.private || !r.files[m.root] {
			continue
		}
		out = append(out, source.Entry{
			Import: m.library, Prefix: m.library + "::", Default: m.library, Dir: path.Dir(m.root), File: path.Base(m.root), Root: m.dir,
		})
	}
	return out
}
