package survey

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// The link input of a module is the set of targets that its imports resolve to. It is compared only for the modules
// that toLink lists. An added or removed file may change resolution in unchanged modules, and resolving all imports
// again would mean reading every module. So the words of a module's imports are remembered, and a module is listed
// when it shares one with the path of the file or with an alias of it. The words must cover every way to resolve an
// import: a manifest alias, a parent directory, a wildcard. An extra module only costs time. TestChangedIsComplete
// compares with surveys that resolve all imports.

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
			came.manifests = true // a root that becomes importable has no word
		}
	}
	var aliases [][]string
	if !came.manifests { // manifests affect everything
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

func (s *summary) speaksOf(name []string) bool {
	return !slices.ContainsFunc(name, func(word string) bool {
		_, found := slices.BinarySearch(s.Words, word)
		return !found
	})
}

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

func segments(imp string) []string {
	return strings.FieldsFunc(imp, func(r rune) bool { return r == '/' || r == '.' || r == ':' || r == '@' })
}

// above returns the word of an import that only names a parent directory with dots: "../..", or "..." where each dot
// after the first is one step.
func above(dir, dots string) string {
	if !strings.Contains(dots, "/") {
		dots = strings.Repeat("../", max(len(dots)-1, 0))
	}
	return path.Join(dir, dots) + "/"
}

func concerned(file string) []string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	out := []string{stem, "./"}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		out = append(out, path.Base(dir), dir+"/")
	}
	return out
}
