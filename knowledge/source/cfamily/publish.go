package cfamily

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// Manifests implements source.Language: the declarative build files that list installed headers.
func (l language) Manifests() []string { return slices.Clone(buildFiles) }

var (
	buildFiles = []string{"CMakeLists.txt", "meson.build", "Makefile.am", "Makefile", "GNUmakefile"}
	readers    = lazy.Value[map[string]func(dir, text string) []installed]{Make: func() map[string]func(dir, text string) []installed {
		return map[string]func(dir, text string) []installed{
			"CMakeLists.txt": cmake, "meson.build": meson, "Makefile.am": automake, "Makefile": makefile, "GNUmakefile": makefile,
		}
	}}
)

// includingFiles is the number of buildFiles that can include those of subdirectories.
const includingFiles = 3

// Published implements source.Publisher: callers include the installed headers, otherwise the headers in directories
// named include.
func (r *resolver) Published() []source.Entry {
	headers := r.headers()
	var out []source.Entry
	seen := map[installed]bool{}
	for _, base := range buildFiles {
		read := readers.Get()[base]
		for _, file := range r.project.Manifests(base) {
			if text, ok := r.project.Read(file); ok && !forBuilders(file) {
				root := r.root(base, file)
				for _, one := range read(path.Dir(file), string(text)) {
					if !seen[one] && len(out) < mostInstalled {
						seen[one] = true
						out = append(out, one.entries(headers, root)...)
					}
				}
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, h := range headers {
		if root, inner, ok := includeDir(h); ok && !forBuilders(h) {
			out = append(out, included(h, inner, root))
		}
	}
	return out
}

// root returns the directory that the entries of a build file cover: that of the outermost build file above. A plain
// Makefile counts only for other Makefiles, because its purpose is uncertain.
func (r *resolver) root(base, file string) string {
	outer := buildFiles[:includingFiles]
	if !slices.Contains(outer, base) {
		outer = buildFiles
	}
	root := path.Dir(file)
	for dir := root; dir != "."; {
		dir = path.Dir(dir)
		if slices.ContainsFunc(outer, func(base string) bool { return r.project.Has(path.Join(dir, base)) }) {
			root = dir
		}
	}
	return root
}

func (r *resolver) headers() []string {
	var out []string
	for _, name := range []string{C.Name(), CPP.Name()} {
		for _, file := range r.project.Sources(name) {
			if header(file) {
				out = append(out, file)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (one installed) entries(headers []string, root string) []source.Entry {
	if !one.tree && one.pattern == "" {
		if _, there := slices.BinarySearch(headers, one.path); !there {
			return nil
		}
		return []source.Entry{included(one.path, path.Join(one.at, path.Base(one.path)), root)}
	}
	prefix := one.path + "/"
	if one.path == "." {
		prefix = ""
	}
	var out []source.Entry
	first, _ := slices.BinarySearch(headers, prefix)
	for _, h := range headers[first:] {
		inner, below := strings.CutPrefix(h, prefix)
		if !below {
			break
		}
		if matches, err := path.Match(one.pattern, inner); one.tree || matches && err == nil {
			out = append(out, included(h, path.Join(one.at, inner), root))
		}
	}
	return out
}

func included(file, imported, root string) source.Entry {
	return source.Entry{Import: imported, Dir: path.Dir(file), File: path.Base(file), Root: root}
}

func includeDir(file string) (root, inner string, ok bool) {
	before, inner, ok := strings.Cut("/"+file, "/include/")
	if root = strings.TrimPrefix(before, "/"); root == "" {
		root = "."
	}
	return root, inner, ok
}

// forBuilders reports whether a path is in a directory that is not installed by convention.
func forBuilders(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool { return inner.Get()[dir] })
}

var inner = lazy.Words("test tests example examples bench benchmark benchmarks fuzz deps dep extern external internal private detail impl")
