package ecma

import (
	"path"
	"strings"
)

// Aliases implements source.Aliaser: packages have names, which may lead to any file of theirs, and compilers are told names of
// single files and directories. Where a name ends in a star, what that stands for is in the path of the file.
func (r *resolver) Aliases(file string) []string {
	var out []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if m := r.byDir[dir]; m != nil {
			out = append(out, m.aliases()...)
		}
		if dir == "." || dir == "/" {
			break
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

// fixed reports whether one of the targets is a file, under whatever ending, or a directory around it.
func (r pathRule) fixed(file string) bool {
	for _, t := range r.targets {
		if !strings.Contains(t, "*") && (t == "." || stem(t) == stem(file) || strings.HasPrefix(file, t+"/")) {
			return true
		}
	}
	return false
}

// stem is a path without all that stands behind the first dot of its last element.
func stem(name string) string {
	dir, base := path.Split(name)
	base, _, _ = strings.Cut(base, ".")
	return dir + base
}
