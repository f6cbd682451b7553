package render

import (
	"slices"
	"strings"
)

// short shortens the paths of packages below a source root, such as api/src/main/java/com/acme/shop/cart: it leaves out
// the root and the common packages, which say nothing about one of them.
type short struct{ common string }

func shortPaths(modules []Summary) short {
	var packages []string
	for _, m := range modules {
		if at := javaPackages.FindStringIndex(m.Path); at != nil && isProduct(m) && (m.API || m.Kind != "") {
			_, below, _ := strings.Cut(m.Path[at[1]:], "/") // behind the name of the language
			packages = append(packages, below)
		}
	}
	if len(packages) < 2 {
		return short{}
	}
	return short{commonDir(packages)}
}

// path returns the shortened path, or the path itself.
func (s short) path(module string) string {
	at := javaPackages.FindStringIndex(module)
	if s.common == "" || at == nil {
		return module
	}
	_, below, _ := strings.Cut(module[at[1]:], "/")
	rest, inside := strings.CutPrefix(below+"/", s.common+"/")
	root := strings.Trim(module[:at[0]], "/")
	if rest = strings.Trim(rest, "/"); !inside || root == "" && rest == "" {
		return module
	}
	return strings.Trim(root+"/"+rest, "/")
}

// paths returns modules with shortened paths, or unchanged if two would have the same.
func (s short) paths(modules []Summary) []Summary {
	seen, out := map[string]bool{}, slices.Clone(modules)
	for i, m := range modules {
		out[i].Path, out[i].Deps = s.path(m.Path), slices.Clone(m.Deps)
		for j, d := range m.Deps {
			out[i].Deps[j] = s.path(d)
		}
		if seen[out[i].Path] {
			return modules
		}
		seen[out[i].Path] = true
	}
	return out
}
