package render

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/canonical"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// does describes an undocumented module by its effect on others: its registrations and the interfaces of other modules
// that it implements.
func does(k *survey.Module, implements []source.Implementation) string {
	var parts []string
	var names []string
	for _, b := range behaviorOf(k, implements) {
		if b.Kind == source.Register && b.Name != "" {
			names = append(names, b.Name)
		}
	}
	if len(names) > 0 {
		parts = append(parts, "registers "+registeredNames(names))
	}
	if text := implementsOthers(k.Module.Path, implements); text != "" {
		parts = append(parts, "implements "+text)
	}
	return strings.Join(parts, "; ")
}

// implementsOthers names the types of other modules that a module implements, those of modules far from the root first:
// they are the most specific.
func implementsOthers(module string, implements []source.Implementation) string {
	implements = slices.DeleteFunc(slices.Clone(implements), func(i source.Implementation) bool { return i.Of.Module == module })
	slices.SortStableFunc(implements, func(a, b source.Implementation) int {
		return cmp.Or(depthOf(b.Of.Module)-depthOf(a.Of.Module), strings.Compare(a.Of.Module, b.Of.Module), strings.Compare(a.Of.Name, b.Of.Name))
	})
	implements = slices.CompactFunc(implements, func(a, b source.Implementation) bool { return a.Of == b.Of })
	var names []string
	for n, i := range implements {
		if n == fewNames {
			names = append(names, "others")
			break
		}
		name := lastElement(i.Of.Name)
		if last := n+1 == min(len(implements), fewNames) || implements[n+1].Of.Module != i.Of.Module; last && i.Of.Module != "." {
			name += " of " + canonical.Path(path.Base(i.Of.Module))
		}
		names = append(names, name)
	}
	return list(names)
}

// registeredNames names a module's registrations, many of them by their common prefixes.
func registeredNames(names []string) string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	if len(names) > fewNames {
		names = families(names)
	}
	return someNames(names)
}

func someNames(names []string) string {
	if len(names) > fewNames {
		names = append(names[:fewNames:fewNames], "others")
	}
	return list(names)
}
