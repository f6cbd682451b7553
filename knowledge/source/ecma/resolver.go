package ecma

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Manifests implements source.Language.
func (l Language) Manifests() []string { return append([]string{"package.json"}, configNames...) }

// Resolver implements source.Language.
func (l Language) Resolver(p source.Project) source.Resolver {
	r := &resolver{project: p, configs: readConfigs(p)}
	r.byDir, r.byName = readManifests(p)
	return r
}

// resolver answers from data read at construction; later it only checks whether files exist.
type resolver struct {
	project       source.Project
	configs       map[string]config
	byDir, byName map[string]*manifest
}

// Resolve implements source.Resolver.
func (r *resolver) Resolve(from string, imp source.Import) []source.Target {
	name, _, _ := strings.Cut(imp.Path, "?")
	file := r.locate(path.Clean(from), name)
	if file == "" {
		return nil
	}
	return []source.Target{{Dir: path.Dir(file), File: path.Base(file), Names: slices.Clone(imp.Names), All: imp.All}}
}

func (r *resolver) locate(from, name string) string {
	if name == "" || strings.HasPrefix(name, "/") || strings.Contains(name, ":") {
		return ""
	}
	if name[0] == '.' {
		if name != "." && name != ".." && !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") {
			return ""
		}
		return r.probe(path.Join(path.Dir(from), name), readsTypes(from))
	}
	c := r.configOf(from)
	for _, rule := range c.rules {
		star, ok := rule.match(name)
		if !ok {
			continue
		}
		for _, target := range rule.targets {
			if file := r.probe(strings.Replace(target, "*", star, 1), true); file != "" {
				return file
			}
		}
		break
	}
	if c.base != "" {
		if file := r.probe(path.Join(c.base, name), true); file != "" {
			return file
		}
	}
	if name[0] == '#' {
		if m := r.packageOf(from); m != nil {
			return r.first(m, subpath(m.Imports, name))
		}
		return ""
	}
	return r.packaged(name)
}

// readsTypes reports whether "./x.js" in a file means x.ts even if both exist.
func readsTypes(from string) bool { return slices.Contains(extensions["typescript"], path.Ext(from)) }

func (r *resolver) configOf(from string) config {
	for dir := range upward(from) {
		if c, ok := r.configs[dir]; ok {
			return c
		}
	}
	return config{}
}

// upward yields the directory of a file and those above it.
func upward(file string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := path.Dir(file); yield(dir) && dir != "." && dir != "/"; {
			dir = path.Dir(dir)
		}
	}
}

// Extensions in lookup order.
var (
	probed     = []string{".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue"}
	rewritten  = map[string][]string{".js": {".ts", ".tsx", ".d.ts"}, ".jsx": {".tsx", ".d.ts"}, ".mjs": {".mts", ".d.mts"}, ".cjs": {".cts", ".d.cts"}}
	compiled   = []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts"}
	sourceDirs = []string{"src", "source"}
	outputDirs = []string{"dist", "lib", "build", "out", "es", "esm", "cjs", "types", "output"}
)

// probe returns the source file of a path: the path itself, with an extension, its source before compilation, or a
// directory's entry file.
func (r *resolver) probe(name string, types bool) string {
	if name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	original := r.original(name)
	if types && original != "" {
		return original
	}
	if file := cmp.Or(r.file(name), original); file != "" {
		return file
	}
	return r.directory(name)
}

func (r *resolver) file(name string) string {
	if languageExtension(path.Ext(name)) && r.project.Has(name) {
		return name
	}
	for _, ext := range probed {
		if r.project.Has(name + ext) {
			return name + ext
		}
	}
	return ""
}

func languageExtension(ext string) bool {
	return slices.Contains(extensions["typescript"], ext) || slices.Contains(extensions["javascript"], ext)
}

// original returns the TypeScript source of x.js.
func (r *resolver) original(name string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for _, other := range rewritten[ext] {
		if r.project.Has(stem + other) {
			return stem + other
		}
	}
	return ""
}

func (r *resolver) directory(dir string) string {
	if m := r.byDir[dir]; m != nil {
		if file := r.entry(m, "."); file != "" {
			return file
		}
	}
	return r.file(path.Join(dir, "index"))
}

// packaged resolves a package of the repository, or a subpath of one.
func (r *resolver) packaged(name string) string {
	parts := strings.SplitN(name, "/", 3)
	n := 1
	if strings.HasPrefix(name, "@") {
		n = 2
	}
	if len(parts) < n {
		return ""
	}
	m := r.byName[strings.Join(parts[:n], "/")]
	if m == nil {
		return ""
	}
	sub := "."
	if n < len(parts) {
		sub = "./" + strings.Join(parts[n:], "/")
	}
	return r.entry(m, sub)
}

func (r *resolver) entry(m *manifest, sub string) string {
	if file := r.first(m, m.files(sub)); file != "" {
		return file
	}
	for _, dir := range append([]string{"."}, sourceDirs...) {
		name := path.Join(m.Dir, dir, sub)
		if file := cmp.Or(r.file(name), r.original(name)); sub != "." && file != "" {
			return file
		}
		if file := r.file(path.Join(name, "index")); file != "" {
			return file
		}
	}
	return ""
}

// first returns the first existing file, or the common source of those before it: they are compiler output.
func (r *resolver) first(m *manifest, files []string) string {
	for i, f := range files {
		name := path.Join(m.Dir, f)
		if file := r.file(name); file != "" && !strings.HasPrefix(name, "../") {
			return cmp.Or(r.compiledFrom(m, files[:i]), file)
		}
		if file := r.original(name); file != "" {
			return file
		}
	}
	return r.compiledFrom(m, files)
}

func (r *resolver) compiledFrom(m *manifest, files []string) string {
	found := ""
	for _, f := range files {
		file := r.sourceOf(m.Dir, path.Clean(f))
		if file == "" || file == found {
			continue
		}
		if found != "" {
			return ""
		}
		found = file
	}
	return found
}

// sourceOf maps a file below an output directory to src: dist/esm/a.js to src/a.ts.
func (r *resolver) sourceOf(dir, output string) string {
	stem := output
	for _, ext := range compiled {
		if strings.HasSuffix(stem, ext) {
			stem = strings.TrimSuffix(stem, ext)
			break
		}
	}
	parts := strings.Split(stem, "/")
	n := 0
	for n < len(parts)-1 && slices.Contains(outputDirs, parts[n]) {
		n++
	}
	if n == 0 {
		return ""
	}
	rest := path.Join(parts[n:]...)
	for _, src := range sourceDirs {
		if file := r.file(path.Join(dir, src, rest)); file != "" {
			return file
		}
	}
	return r.file(path.Join(dir, rest))
}
