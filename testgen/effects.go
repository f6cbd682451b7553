package testgen

import (
	"path"
	"slices"
	"strings"
)

// Effects knows which external modules make results unpredictable.
type Effects struct {
	Harmful  map[string][]string // modules that do, with names of them that do not
	Names    map[string][]string // names that do, of other modules
	Harmless func(module string) bool
	// Split returns the module of an import path, and the name in it; nil if the path is that of the module.
	Split func(path, name string) (module, rest string)
}

func below(name string, list []string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return name == one || strings.HasPrefix(name, one+".") })
}

// of returns the module if using a name of it makes results unpredictable, else an empty string.
func (e *Effects) of(module, name string) string {
	if e.Split != nil {
		module, name = e.Split(module, name)
	}
	harmless, listed := e.Harmful[module]
	if !listed && e.Harmless(module) && !below(name, e.Names[module]) || below(name, harmless) {
		return ""
	}
	return module
}

// Outside returns the modules among the names that a body reaches outside of its own that make results unpredictable,
// and the names of other modules of the repository. It leaves out the names for which unused is true.
func (e *Effects) Outside(r Reach, unused func(n Name) bool) (bad []string, others []Name) {
	for _, n := range r.Outside {
		if n.Dir != "" {
			others = append(others, n)
		} else if unused == nil || !unused(n) {
			bad = append(bad, e.of(n.Path, n.Name))
		}
	}
	return slices.DeleteFunc(bad, func(module string) bool { return module == "" }), others
}

// Reason returns the reason of modules that make results unpredictable; empty without one.
func Reason(bad []string) string {
	if len(bad) == 0 {
		return ""
	}
	slices.SortFunc(bad, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	return "reaches " + strings.Join(slices.Compact(bad), ", ")
}
