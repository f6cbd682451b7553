package rust

// Aliases implements source.Aliaser: the root of a crate is meant by the crate's name, or what a package calls it, and from
// within by words.
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
