package api

import (
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

// surface holds the public names of a TypeScript or JavaScript package whose manifest lists its importable entries.
type surface struct {
	files map[string]source.Unit // by path without extensions
	named map[[2]string][]string // public names of each declaration: "./query:parse"
	all   map[string]bool        // all public names
	steps int                    // steps taken to find them
}

// mostReached limits the steps from the entries of a package. Large packages take a hundredth.
const mostReached = 1 << 20

// Entries are built from a directory of sources into one of outputs.
var (
	sources = []string{"", "src", "lib", "source"}
	outputs = []string{"dist", "build", "lib", "es", "esm", "cjs", "out"}
)

// newSurface follows the entries of a package. It returns nil if the entries are unrestricted, unknown or too many.
func newSurface(r survey.Reader, o outlet) (*surface, error) {
	if o.entries == nil {
		return nil, nil
	}
	modules, err := survey.Modules(r)
	if err != nil {
		return nil, err
	}
	s := &surface{files: map[string]source.Unit{}, named: map[[2]string][]string{}, all: map[string]bool{}}
	for _, m := range modules {
		if o.dir != "." && m != o.dir && !strings.HasPrefix(m, o.dir+"/") {
			continue
		}
		v, err := read(r, m)
		if err != nil {
			return nil, err
		}
		for _, u := range append(v.files("typescript"), v.files("javascript")...) {
			if name := withoutEnding(u.Path); !strings.HasSuffix(u.Path, ".js") || s.files[name].Path == "" {
				s.files[name] = u
			}
		}
	}
	found := false
	for key, to := range o.entries {
		for _, name := range s.entry(o.dir, key, to) {
			found = true
			s.follow(name, "", key, "", map[string]bool{})
		}
	}
	if !found || s.steps > mostReached {
		return nil, nil
	}
	return s, nil
}

var endings = []string{".d.ts", ".d.mts", ".d.cts", ".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"}

func withoutEnding(name string) string {
	for _, ending := range endings {
		if without, ok := strings.CutSuffix(name, ending); ok {
			return without
		}
	}
	return name
}

// entry finds the source files of an entry: the named files, the sources that they were built from, and files with
// the entry's name.
func (s *surface) entry(dir, key string, to []string) []string {
	var candidates []string
	for _, name := range to {
		name = withoutEnding(path.Clean(name))
		candidates = append(candidates, name)
		if first, rest, ok := strings.Cut(name, "/"); ok && slices.Contains(outputs, first) {
			for _, from := range sources {
				candidates = append(candidates, path.Join(from, rest))
			}
		}
	}
	for _, from := range sources {
		candidates = append(candidates, path.Join(from, withoutEnding(path.Clean(key))), path.Join(from, key, "index"))
	}
	var found []string
	for _, c := range candidates {
		if name := path.Join(dir, c); s.files[name].Path != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// follow records a file's exports under an entry: one name under another, or all if name is empty.
func (s *surface) follow(file, name, entry, as string, seen map[string]bool) {
	step := file + "\x00" + name + "\x00" + as
	u, ok := s.files[file]
	if s.steps += 1 + len(u.File.Symbols) + len(u.File.Imports); !ok || seen[step] || s.steps > mostReached {
		return
	}
	seen[step] = true
	for i := range u.File.Symbols {
		symbol := &u.File.Symbols[i]
		if !symbol.Exported || name != "" && symbol.Name != name || name == "" && symbol.Name == "default" || strings.Contains(symbol.Name, ".") {
			continue
		}
		outer := symbol.Name
		if as != "" {
			outer = as
		}
		id, key := entry+":"+outer, [2]string{u.Path, symbol.Name}
		s.named[key], s.all[id] = append(s.named[key], id), true
		if symbol.Kind == source.Reexport {
			s.passed(u, symbol.Name, entry, outer, seen)
		}
	}
	for _, i := range u.File.Imports {
		if i.Reexport {
			s.follow(s.target(u.Path, i.Path), name, entry, as, seen)
		}
	}
}

func (s *surface) passed(u source.Unit, name, entry, outer string, seen map[string]bool) {
	s.steps += len(u.File.Symbols) + len(u.File.Imports)
	local := name
	for i := range u.File.Symbols {
		if t := &u.File.Symbols[i]; t.Name == name && len(t.Refs) == 1 {
			local = t.Refs[0]
		}
	}
	if local != name || !slices.ContainsFunc(u.File.Imports, func(i source.Import) bool { return len(i.Names) > 0 }) {
		key, id := [2]string{u.Path, local}, entry+":"+outer
		s.named[key] = append(s.named[key], id)
	}
	for _, i := range u.File.Imports {
		for _, n := range i.Names {
			if n.As == name || n.As == local || n.As == "" && (n.Name == name || n.Name == local) {
				s.follow(s.target(u.Path, i.Path), n.Name, entry, outer, seen)
			}
		}
	}
}

func (s *surface) target(from, imported string) string {
	if !strings.HasPrefix(imported, ".") {
		return ""
	}
	name := path.Join(path.Dir(from), imported)
	for _, candidate := range []string{withoutEnding(name), path.Join(name, "index"), name} {
		if s.files[candidate].Path != "" {
			return candidate
		}
	}
	return ""
}

// ids returns the public names of a breakage, and whether it concerns a whole declaration.
func (s *surface) ids(b breakage) (ids []string, whole bool) {
	for _, name := range append(slices.Clone(b.all), b.declared) {
		local := strings.TrimPrefix(name, source.Prefix(b.was.path, true))
		top, _, member := strings.Cut(local, ".")
		ids = append(ids, s.named[[2]string{b.was.path, top}]...)
		whole = whole || !member
	}
	return ids, whole
}

// published marks breakages that the package's users do not see as inner, and removes duplicates.
func (p *pair) published(broken []breakage) ([]breakage, error) {
	if len(broken) == 0 {
		return nil, nil
	}
	if err := p.passOn(broken); err != nil {
		return nil, err
	}
	before, err := npm(p.was.reader, p.name)
	if err != nil {
		return nil, err
	}
	after, err := npm(p.now.reader, p.name)
	if err != nil {
		return nil, err
	}
	for i := range broken {
		broken[i].inner = broken[i].inner || after.private
		broken[i].early = after.early
	}
	if before.main != after.main { // the main file moved, for example because sources moved to another directory
		broken = slices.DeleteFunc(broken, func(b breakage) bool {
			return b.kind == "file removed" && path.Dir(b.was.path) == before.dir && stem(b.was.path) == "index"
		})
	}
	was, err := newSurface(p.was.reader, before)
	if err != nil || was == nil {
		return broken, err
	}
	now, err := newSurface(p.now.reader, after)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	var out []breakage
	for _, b := range broken {
		ids, whole := was.ids(b)
		lost := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return now == nil || now.all[id] })
		switch gone := whole && b.now.line == 0; {
		case len(ids) == 0:
			b.inner = true
		case gone && (len(lost) == 0 || told[lost[0]]): // still exported, or already reported under this name
			continue
		case gone:
			told[lost[0]] = true
		}
		out = append(out, b)
	}
	return out, nil
}
