package ecma

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Published implements source.Publisher. Callers import packages by name, and subpaths as "exports" allows. Nobody
// imports a "bin"; private packages count only if they declare exports, and then from the build's output directory.
func (r *resolver) Published() []source.Entry {
	var out []source.Entry
	for name, m := range r.byName {
		if m == nil || m.Private && m.Exports == nil && m.Types == nil && m.Module == nil {
			continue
		}
		add := func(sub, file string) {
			for _, at := range []string{file, r.types(file)} {
				if at != "" {
					out = append(out, m.entryOf(path.Join(name, sub), at))
				}
			}
		}
		add(".", r.entry(m, "."))
		exports, _ := m.Exports.(map[string]any)
		if !isSubpaths(exports) {
			continue
		}
		left := mostPatterns
		for _, sub := range slices.Sorted(maps.Keys(exports)) {
			switch {
			case strings.Contains(sub, "*"):
				if left--; left < 0 {
					continue
				}
				for _, star := range r.stars(m, exports[sub]) {
					found := strings.ReplaceAll(sub, "*", star)
					add(found, r.entry(m, found))
				}
			case sub != "." && exports[sub] != nil && path.Ext(sub) != ".json":
				add(sub, r.entry(m, sub))
			}
		}
	}
	return out
}

// types returns the declaration file next to a JavaScript file; it may declare more exports.
func (r *resolver) types(file string) string {
	ending, ok := map[string]string{".js": ".d.ts", ".mjs": ".d.mts", ".cjs": ".d.cts"}[path.Ext(file)]
	if beside := strings.TrimSuffix(file, path.Ext(file)) + ending; ok && r.project.Has(beside) {
		return beside
	}
	return ""
}

// mostPatterns bounds the patterns in one package's "exports", because each is matched against all files.
const mostPatterns = 64

// stars lists the star texts of an "exports" pattern for files that match its target, directly or after compilation.
func (r *resolver) stars(m *manifest, target any) []string {
	var out []string
	for _, pattern := range collect(target, 0) {
		prefix, suffix, ok := strings.Cut(strings.TrimPrefix(pattern, "./"), "*")
		if !ok {
			continue
		}
		from := r.sourcesOf(m, &prefix)
		for _, language := range []string{"typescript", "javascript"} {
			for _, file := range r.project.Sources(language) {
				inner, ok := strings.CutPrefix(file, from)
				if !ok || r.packageOf(file) != m {
					continue
				}
				if star, ok := strings.CutPrefix(stem(inner), prefix); ok && star != "" {
					out = append(out, star, strings.TrimSuffix(star, strings.TrimSuffix(suffix, path.Ext(suffix))), strings.TrimSuffix(star, "/index"))
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sourcesOf returns the path prefix of the files that a pattern may match. Unless the directory exists, its files are
// compiled, and the sources are in the source directory, if there is one.
func (r *resolver) sourcesOf(m *manifest, prefix *string) string {
	dir := strings.TrimPrefix(m.Dir+"/", "./")
	first, rest, _ := strings.Cut(*prefix, "/")
	if first != "" && r.project.HasDir(path.Join(m.Dir, first)) {
		return dir
	}
	if slices.Contains(outputDirs, first) {
		*prefix = rest
	}
	for _, src := range sourceDirs {
		if r.project.HasDir(path.Join(m.Dir, src)) {
			return dir + src + "/"
		}
	}
	return dir
}

func (r *resolver) packageOf(file string) *manifest {
	for dir := range upward(file) {
		if m := r.byDir[dir]; m != nil {
			return m
		}
	}
	return nil
}

// entryOf returns the entry for an import name. Members of a CommonJS module are written after a name for the whole
// module; other modules are imported member by member.
func (m *manifest) entryOf(imported, file string) source.Entry {
	e := source.Entry{Import: imported, Dir: path.Dir(file), File: path.Base(file), Root: m.Dir, Default: called(imported)}
	if m.commonJS(file) && e.Default != "" {
		e.Prefix = e.Default + "."
	}
	return e
}

func (m *manifest) commonJS(file string) bool {
	switch path.Ext(file) {
	case ".cjs":
		return true
	case ".js", ".jsx":
		return m.Type != "module" && m.Module == nil
	}
	return false
}

// called guesses the local name for an import: the last element in camel case, "fooBar" for "@x/foo-bar".
func called(imported string) string {
	words := strings.FieldsFunc(path.Base(imported), func(r rune) bool { return r == '-' || r == '.' })
	if len(words) > 1 && words[len(words)-1] == "js" {
		words = words[:len(words)-1]
	}
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	if name := strings.Join(words, ""); identifier.MatchString(name) {
		return name
	}
	return ""
}

var identifier = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)
