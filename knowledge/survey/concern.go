package survey

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// The link input of a module is what its imports resolve to. It is compared for the modules that toLink lists, and is the same for all
// others. This list is the one exception to comparing: a file that is added or removed may change what imports resolve to in modules
// that did not change, and to resolve all imports again means to read every module. So the words of what a module imports are
// remembered, and a module is listed when it shares one with the path of the file, or with another name that leads there. The words
// of both sides have to cover whatever an import can be resolved by: an alias in a manifest, a directory above, a wildcard. A module
// too many costs time only. TestChangedIsComplete compares with surveys that resolve all imports.

// toLink lists the modules whose imports are resolved again.
func (up *update) toLink(ctx context.Context, came arrivals) ([]string, error) {
	set := map[string]bool{}
	for m, v := range up.visits {
		if k := up.known[m]; k != nil && (v.was.record == nil || v.was.record.Imports != importsDigest(k.Module)) {
			set[m] = true
		}
	}
	words := map[string]bool{}
	for _, p := range came.paths {
		for _, word := range concerned(p) {
			words[word] = true
		}
		if moduleOf(p) == "." {
			came.manifests = true // a root that becomes importable has no word of its own
		}
	}
	var aliases [][]string
	if !came.manifests { // which concern everything
		var err error
		if aliases, err = up.aliases(ctx, slices.DeleteFunc(slices.Clone(came.paths), func(p string) bool { return !up.isSource(p) })); err != nil {
			return nil, err
		}
	}
	for m, sum := range up.modules {
		if came.manifests || slices.ContainsFunc(sum.Words, func(word string) bool { return words[word] }) ||
			slices.ContainsFunc(aliases, func(alias []string) bool { return sum.speaksOf(alias) }) {
			set[m] = true
		}
	}
	return slices.Sorted(maps.Keys(set)), nil
}

// aliases are the names that manifests give source files, each as the words that an import of it has.
func (up *update) aliases(ctx context.Context, files []string) ([][]string, error) {
	wanted := map[string]bool{}
	for _, p := range files {
		wanted[up.classes.Classify(p).Language] = true
	}
	if err := up.prepare(ctx, wanted); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out [][]string
	for _, p := range files {
		a, ok := up.resolvers[up.classes.Classify(p).Language].(source.Aliaser)
		if !ok {
			continue
		}
		for _, name := range a.Aliases(p) {
			if words := segments(name); !seen[name] && len(words) > 0 {
				seen[name] = true
				out = append(out, words)
			}
		}
	}
	return out, nil
}

// speaksOf reports whether some import of the module may be of a name.
func (s *summary) speaksOf(name []string) bool {
	return !slices.ContainsFunc(name, func(word string) bool {
		_, found := slices.BinarySearch(s.Words, word)
		return !found
	})
}

// words are those of everything that a module imports, sorted.
func words(m source.Module) []string {
	set := map[string]bool{}
	for _, u := range m.Units {
		for _, imp := range u.File.Imports {
			list := segments(imp.Path)
			if len(list) == 0 {
				list = []string{above(m.Path, imp.Path)}
			}
			for _, s := range list {
				set[s] = true
			}
			for _, n := range imp.Names {
				if u.File.Scoped {
					set[n.Name] = true // `from package import file`
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// segments are the words of an import path by which a file that comes or goes can be found to concern it.
func segments(imp string) []string {
	return strings.FieldsFunc(imp, func(r rune) bool { return r == '/' || r == '.' || r == ':' || r == '@' })
}

// above is the word of an import that names nothing but a directory above the file, by dots: "../..", or "..." where each dot
// after the first is one step.
func above(dir, dots string) string {
	if !strings.Contains(dots, "/") {
		dots = strings.Repeat("../", max(len(dots)-1, 0))
	}
	return path.Join(dir, dots) + "/"
}

// concerned are the words of imports that may lead elsewhere once a file is there, or no more.
func concerned(file string) []string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	out := []string{stem, "./"}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		out = append(out, path.Base(dir), dir+"/")
	}
	return out
}
