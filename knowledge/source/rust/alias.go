package rust

// Aliases implements source.Aliaser: a crate's root is imported by the crate's name or a package's name for it, and
// from within by crate, self and super.
func (r *resolver) Aliases(file string) []string {
	var out []string
	for _, crates := range r.crates {
		for called, m := range crates {
			if m.root == file {
				out = append(out, called)
			}
		}
	}
	if out != nil || r.roots[file] || r.conventional(file) {
		out = append(out, "crate", "self", "super")
	}
	return out
}
