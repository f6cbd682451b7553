package cfamily

import (
	"path"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// resolver finds included files like a compiler, with guessed include paths.
type resolver struct {
	project source.Project
	byBase  map[string][]string
}

// Resolver implements source.Language. Both languages can include files of the other.
func (l language) Resolver(p source.Project) source.Resolver {
	r := &resolver{project: p, byBase: map[string][]string{}}
	for _, name := range []string{C.Name(), CPP.Name()} {
		for _, file := range p.Sources(name) {
			base := path.Base(file)
			r.byBase[base] = append(r.byBase[base], file)
		}
	}
	return r
}

// roots are the usual base directories of include paths.
var roots = lazy.Words("include inc src")

// Resolve implements source.Resolver.
func (r *resolver) Resolve(from string, imp source.Import) []source.Target {
	if imp.Path == "" || strings.HasPrefix(imp.Path, "/") || strings.ContainsRune(imp.Path, 0) {
		return nil
	}
	if file := r.find(from, path.Clean(imp.Path), imp.System); file != "" {
		return []source.Target{{Dir: path.Dir(file), File: path.Base(file), Names: imp.Names, All: len(imp.Names) == 0}}
	}
	return nil
}

func (r *resolver) find(from, name string, system bool) string {
	if near := path.Join(path.Dir(from), name); !system && r.project.Has(near) {
		return near
	}
	if strings.HasPrefix(name, "../") {
		return ""
	}
	if r.project.Has(name) {
		return name
	}
	suffix := "/" + name
	var rooted, any []string
	for _, candidate := range r.byBase[path.Base(name)] {
		root, ok := strings.CutSuffix(candidate, suffix)
		if !ok {
			continue
		}
		any = append(any, candidate)
		if base := path.Base(root); roots.Get()[base] && (!system || base == "include") {
			rooted = append(rooted, candidate)
		}
	}
	if file := nearest(from, rooted); file != "" || system || len(rooted) > 0 {
		return file
	}
	if len(any) == 1 {
		return any[0]
	}
	return ""
}

// nearest returns the candidate with the longest common path with from, or "" for a tie.
func nearest(from string, candidates []string) string {
	best, length, tie := "", -1, false
	for _, c := range candidates {
		n := source.SharedFolder(from, c)
		if n > length {
			best, length, tie = c, n, false
		} else if n == length {
			tie = true
		}
	}
	if tie {
		return ""
	}
	return best
}
