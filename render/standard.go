package render

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/render/node"
)

// spoken lists the languages of a module, the main one first.
func spoken(m source.Module) []string {
	languages := []string{m.Language()}
	for _, u := range m.Units {
		if l := u.File.Language; l != "" && !slices.Contains(languages, l) {
			languages = append(languages, l)
		}
	}
	return languages
}

// foreign removes the standard library from imports.
func foreign(imports, languages []string) []string {
	return slices.DeleteFunc(slices.Clone(imports), func(name string) bool {
		return slices.ContainsFunc(languages, func(l string) bool {
			standard := source.TraitsOf(l).Standard
			return standard != nil && standard(name)
		})
	})
}

// imports lists the external packages of a module. Names below a package are folded into it.
func imports(n *node.Node) (packages []string) {
	t := source.TraitsOf(n.Language)
	for _, name := range n.External {
		if t.Installed != nil {
			name = t.Installed(name)
		}
		packages = append(packages, name)
	}
	slices.Sort(packages)
	packages = slices.Compact(packages)
	if !t.Nested {
		return packages
	}
	all := slices.Clone(packages)
	return slices.DeleteFunc(packages, func(name string) bool {
		top, _, below := strings.Cut(name, ".")
		return below && slices.Contains(all, top)
	})
}
