package survey

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// typedNames resolves names as callers type them, for documents that do not show imports.
type typedNames struct {
	x           *exhibition
	whole, ends map[string]int
}

func newTypedNames(x *exhibition) typedNames {
	n := typedNames{x, map[string]int{}, map[string]int{}}
	add := func(to map[string]int, name string, i int) {
		if other, there := to[name]; there && other != i {
			i = -1
		}
		to[name] = i
	}
	for i, typed := range x.wanted {
		for _, as := range typed.As {
			as = strings.ReplaceAll(as, "::", ".")
			add(n.whole, as, i)
			if parts := strings.Split(as, "."); len(parts) > 2 {
				add(n.ends, strings.Join(parts[len(parts)-2:], "."), i)
			}
		}
		if d := &x.known.Declared[i]; len(typed.As) == 0 && (d.Kind == source.Func || d.Kind == source.Macro) && source.TraitsOf(x.known.Module.Language()).Global {
			add(n.whole, d.Symbol.Name, i)
		}
	}
	return n
}

// in lists the references of a block that its imports do not resolve.
func (n typedNames) in(m mention) []source.Seen {
	var out []source.Seen
	f := &m.Unit.File
	for _, r := range f.References() {
		if r.Open {
			continue
		}
		if i, ok := n.meant(m, r.Name); ok && i >= 0 {
			out = append(out, source.Seen{Declared: i, Reference: r})
		}
	}
	return out
}

func (n typedNames) meant(m mention, name string) (int, bool) {
	imp, member, whole, bound := m.Unit.File.Binds(name)
	dotted, t := strings.Contains(name, "."), source.TraitsOf(m.Language)
	switch {
	case bound && !t.Global:
		return n.imported(imp, member, whole)
	case t.Resolution.Modules && !nearTo(n.x.known.Module.Path, m.path):
		return 0, false
	case !dotted && !t.Global:
		return 0, false
	}
	if i, ok := n.whole[name]; ok {
		return i, true
	}
	if first := name[0]; dotted && first >= 'A' && first <= 'Z' && !t.Whole {
		i, ok := n.ends[name]
		return i, ok
	}
	return 0, false
}

// imported resolves a name from an import that leads to no file, by the name of the published package.
func (n typedNames) imported(imp *source.Import, member string, whole bool) (int, bool) {
	typed := member
	if rest, ok := strings.CutPrefix(member, "default"); ok && !whole || whole {
		if whole {
			rest = "." + member
		}
		typed = strings.TrimSuffix(path.Base(imp.Path)+rest, ".")
	}
	for _, name := range []string{typed, member} {
		if i, ok := n.whole[name]; ok && i >= 0 && n.x.wanted[i].Import == imp.Path {
			return i, true
		}
	}
	return 0, false
}

// nearTo reports whether a document is in a module's directory or below, where names of the package need no import.
func nearTo(module, document string) bool {
	return module == "." || strings.HasPrefix(document, module+"/")
}
