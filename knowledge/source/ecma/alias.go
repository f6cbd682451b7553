package ecma

import (
	"path"
	"strings"
)

// Aliases implements source.Aliaser. A package name may lead to any of its files; compiler path rules name single
// files and directories, with a star for part of the file's path.
func (r *resolver) Aliases(file string) []string {
	var out []string
	for dir := range upward(file) {
		if m := r.byDir[dir]; m != nil {
			out = append(out, m.aliases()...)
		}
	}
	for _, c := range r.configs {
		for _, rule := range c.rules {
			if rule.fixed(file) {
				out = append(out, rule.prefix)
			}
		}
	}
	return out
}

func (m *manifest) aliases() []string {
	var out []string
	if m.Name != "" {
		out = append(out, m.Name)
	}
	for name := range m.Imports {
		if before, _, star := strings.Cut(name, "*"); !star {
			out = append(out, before)
		}
	}
	return out
}

// fixed reports whether a target is the file, with any extension, or a directory that contains it.
func (r pathRule) fixed(file string) bool {
	for _, t := range r.targets {
		if !strings.Contains(t, "*") && (t == "." || stem(t) == stem(file) || strings.HasPrefix(file, t+"/")) {
			return true
		}
	}
	return false
}

// stem cuts the last element of a path at its first dot.
func stem(name string) string {
	dir, base := path.Split(name)
	base, _, _ = strings.Cut(base, ".")
	return dir + base
}
