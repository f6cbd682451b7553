package rust

import (
	"path"

	"github.com/causaldocs/causal/knowledge/source"
)

// Published implements source.Publisher: callers import the library of a package. From its root on, its modules are followed as
// far as they are public. A package that says that it is not published has no callers, nor have those within others that serve to
// show or to try them.
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
