package api

import (
	"cmp"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

type rustCrate struct {
	version

	dir     string // directory of lib.rs
	files   map[string]*rustFile
	names   map[string][]rustItem         // items by local name
	public  map[rustItem]string           // the first public path of each item
	paths   map[namespace]string          // the public path of each module
	wide    map[namespace][]namespace     // glob re-exports by module, computed on demand
	counts  map[string]int                // declarations per name, by keyword or macro, computed on demand
	listed  map[namespace]map[string]bool // public names by module, computed on demand
	left    int                           // remaining budget of listed names
	unsound bool                          // a file could not be read, so missing items are unknown
}

type rustFile struct {
	unit    source.Unit
	symbols map[string]*source.Symbol
	members map[string][]*source.Symbol // by the enclosing prefix, with the dot
	modules []*source.Symbol            // inline modules
	lines   []string
}

// rustItem is a declaration of a crate: a file and a local name. The name of a module that is a file is empty.
type rustItem struct{ file, name string }

// root returns the directory of the crate's lib.rs, or "" without one.
func (v version) root(dir string) (string, error) {
	for {
		there, err := survey.Exists(v.reader, path.Join(dir, "lib.rs"))
		if err != nil || there {
			return dir, err
		}
		if dir == "." || path.Base(dir) == "src" {
			return "", nil
		}
		dir = path.Dir(dir)
	}
}

func (v version) crate(dir string) (*rustCrate, error) {
	c := &rustCrate{version: v, dir: dir, files: map[string]*rustFile{}, names: map[string][]rustItem{}, public: map[rustItem]string{},
		paths: map[namespace]string{}, wide: map[namespace][]namespace{}, listed: map[namespace]map[string]bool{}, left: mostGathered}
	modules, err := survey.Modules(v.reader)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if m != dir && dir != "." && !strings.HasPrefix(m, dir+"/") {
			continue
		}
		k, err := survey.Read(v.reader, m)
		if err != nil && !errors.Is(err, survey.ErrNoModule) {
			return nil, err
		}
		if err := c.add(k); err != nil {
			return nil, err
		}
	}
	c.walk()
	return c, nil
}

func (c *rustCrate) add(m *survey.Module) error {
	if m == nil {
		return nil
	}
	for _, u := range m.Module.Units {
		if path.Ext(u.Path) != ".rs" || u.File.Test {
			continue
		}
		lines, err := c.source(u.Path)
		if err != nil {
			return err
		}
		f := &rustFile{unit: u, symbols: map[string]*source.Symbol{}, members: map[string][]*source.Symbol{}, lines: lines}
		c.unsound = c.unsound || u.Opaque != "" || u.File.Problem != ""
		for i := range u.File.Symbols {
			s := &u.File.Symbols[i]
			f.symbols[s.Name] = s
			if s.Kind == source.Namespace && s.End > s.Line {
				f.modules = append(f.modules, s)
			}
			around := s.Name[:strings.LastIndexByte(strings.SplitN(s.Name, ".<", 2)[0], '.')+1]
			f.members[around] = append(f.members[around], s)
			c.names[s.Name] = append(c.names[s.Name], rustItem{u.Path, s.Name})
		}
		c.files[u.Path] = f
	}
	return nil
}

// mostGathered limits the listed names of all modules, with glob re-exports counted each time. It is a thousand times
// the size of most crates. Larger crates are not compared.
const mostGathered = 1 << 20

// namespace is a module: a file, and the inline modules within it, each followed by a dot.
type namespace struct{ file, prefix string }

func (c *rustCrate) walk() {
	root := namespace{path.Join(c.dir, "lib.rs"), ""}
	c.paths[root] = "crate"
	for steps := []namespace{root}; len(steps) > 0 && !c.unsound; steps = steps[1:] {
		at := steps[0]
		for _, name := range slices.Sorted(maps.Keys(c.within(at))) {
			item, inner, ok := c.find(at, name, nil)
			full := c.paths[at] + "::" + name
			if !ok || !c.shown(item) {
				continue
			}
			if _, had := c.public[item]; !had && item.file != "" {
				c.public[item] = full
			}
			if _, had := c.paths[inner]; !had && inner != (namespace{}) && c.enterable(at, name) {
				c.paths[inner] = full
				steps = append(steps, inner)
			}
		}
	}
}

func (c *rustCrate) within(n namespace) map[string]bool {
	if list, ok := c.listed[n]; ok {
		return list
	}
	out := map[string]bool{}
	c.gather(n, out, map[namespace]bool{})
	c.listed[n] = out
	return out
}

func (c *rustCrate) gather(n namespace, out map[string]bool, seen map[namespace]bool) {
	f := c.files[n.file]
	if f == nil || seen[n] {
		return
	}
	seen[n] = true
	if c.left -= len(f.members[n.prefix]) + 1; c.left < 0 {
		c.unsound = true
		return
	}
	for _, s := range f.members[n.prefix] {
		if s.Exported {
			out[s.Name[len(n.prefix):]] = true
		}
	}
	for _, to := range c.globs(n, nil) {
		c.gather(to, out, seen)
	}
}

// globs returns the modules of the crate that a module re-exports with a glob.
func (c *rustCrate) globs(n namespace, seen map[rustItem]bool) (out []namespace) {
	if list, ok := c.wide[n]; ok {
		return list
	}
	c.wide[n] = nil // breaks cycles
	f := c.files[n.file]
	if f == nil {
		return nil
	}
	for _, i := range f.unit.File.Imports {
		if !i.Reexport || !i.All || f.around(i.Line) != n.prefix {
			continue
		}
		if _, inner, ok := c.resolve(n, strings.Split(i.Path, "::"), seen); ok && inner != (namespace{}) {
			out = append(out, inner)
		}
	}
	c.wide[n] = out
	return out
}

func (f *rustFile) around(line int) (prefix string) {
	for _, s := range f.modules {
		if s.Line <= line && line <= s.End && len(s.Name) >= len(prefix) {
			prefix = s.Name + "."
		}
	}
	return prefix
}

// open reports whether a module may have unknown names, because it re-exports another crate with a glob.
func (c *rustCrate) open(n namespace) bool {
	f := c.files[n.file]
	if f == nil {
		return true
	}
	return slices.ContainsFunc(f.unit.File.Imports, func(i source.Import) bool {
		if !i.Reexport || !i.All || f.around(i.Line) != n.prefix {
			return false
		}
		_, inner, ok := c.resolve(n, strings.Split(i.Path, "::"), nil)
		return !ok || inner == (namespace{})
	})
}

// shown reports whether an item is always compiled and not hidden from the documentation.
func (c *rustCrate) shown(item rustItem) bool {
	f := c.files[item.file]
	if f == nil {
		return true
	}
	name := item.name[strings.LastIndexByte(item.name, '.')+1:]
	s := f.symbols[item.name]
	if s == nil || strings.HasPrefix(name, "__") {
		return s == nil
	}
	return s.Guard == "" && !f.hidden(s.Line)
}

func (f *rustFile) hidden(line int) bool {
	for n := min(line-1, len(f.lines)); n > 0; n-- {
		text := strings.TrimSpace(f.lines[n-1])
		if strings.Contains(text, "doc(hidden)") {
			return true
		}
		if !strings.HasPrefix(text, "#[") && !strings.HasPrefix(text, "//") && !strings.HasSuffix(text, ")]") {
			return false
		}
	}
	return false
}

// mostFollowed limits the steps to resolve one name. Re-exports of real crates take a few.
const mostFollowed = 1000

// find resolves a name in a module to an item and, for a module, its namespace. Both are empty for other crates.
func (c *rustCrate) find(n namespace, name string, seen map[rustItem]bool) (rustItem, namespace, bool) {
	f := c.files[n.file]
	here := rustItem{n.file, n.prefix + name}
	switch {
	case f == nil || len(seen) > mostFollowed:
		return rustItem{}, namespace{}, false
	case seen[here]:
		s := f.symbols[here.name]
		return here, c.inside(n, name), s != nil && hasModule(s) // a module re-exports an item with its own name
	}
	if seen == nil {
		seen = map[rustItem]bool{}
	}
	seen[here] = true
	if s := f.symbols[here.name]; s != nil {
		switch {
		case hasModule(s):
			if item, _, ok := c.target(n, s, seen); ok {
				here = item // the re-exported item has the name of the module
			}
			return here, c.inside(n, name), true
		case s.Kind == source.Reexport:
			if item, inner, ok := c.target(n, s, seen); ok {
				return item, inner, true
			}
		}
		return here, namespace{}, true
	}
	for _, to := range c.globs(n, seen) {
		if item, inner, ok := c.find(to, name, seen); ok {
			return item, inner, true
		}
	}
	return rustItem{}, namespace{}, false
}

var moduleLine = lazyregexp.New(`(?m)^(?:pub(?:\([^)]*\))? )?mod `)

// hasModule reports whether a symbol is a module. The survey merges a module with other items of the same name.
func hasModule(s *source.Symbol) bool {
	return s.Kind == source.Namespace || s.Kind == source.Reexport && moduleLine.MatchString(s.Signature)
}

func (c *rustCrate) target(n namespace, s *source.Symbol, seen map[rustItem]bool) (rustItem, namespace, bool) {
	_, path, found := strings.Cut(s.Signature[strings.LastIndexByte(s.Signature, '\n')+1:], "use ")
	if !found {
		return rustItem{}, namespace{}, false
	}
	path, _, _ = strings.Cut(path, " as ")
	return c.resolve(n, strings.Split(strings.TrimPrefix(path, "::"), "::"), seen)
}

// enterable reports whether a module is public itself. Another item of the same name may be the public one.
func (c *rustCrate) enterable(n namespace, name string) bool {
	s := c.files[n.file].symbols[n.prefix+name]
	return s == nil || !hasModule(s) || strings.Contains("\n"+s.Signature, "\npub mod ")
}

func (c *rustCrate) inside(n namespace, name string) namespace {
	dir := path.Dir(n.file)
	if s := stem(n.file); s != "lib" && s != "mod" && s != "main" {
		dir = path.Join(dir, s)
	}
	base := path.Join(dir, strings.ReplaceAll(n.prefix, ".", "/"), name)
	for _, file := range []string{base + ".rs", base + "/mod.rs"} {
		if c.files[file] != nil {
			return namespace{file, ""}
		}
	}
	return namespace{n.file, n.prefix + name + "."}
}

func (c *rustCrate) resolve(n namespace, segments []string, seen map[rustItem]bool) (rustItem, namespace, bool) {
	at := n
	for len(segments) > 0 {
		switch segments[0] {
		case "crate":
			at = namespace{path.Join(c.dir, "lib.rs"), ""}
		case "self":
		case "super":
			at = c.outside(at)
		default:
			return c.follow(at, segments, seen)
		}
		segments = segments[1:]
	}
	return rustItem{}, at, at.file != ""
}

func (c *rustCrate) follow(at namespace, segments []string, seen map[rustItem]bool) (rustItem, namespace, bool) {
	for i, name := range segments {
		item, inner, ok := c.find(at, name, seen)
		if !ok || i == len(segments)-1 {
			return item, inner, ok
		}
		if inner == (namespace{}) {
			return rustItem{}, namespace{}, false
		}
		at = inner
	}
	return rustItem{}, namespace{}, false
}

func (c *rustCrate) outside(n namespace) namespace {
	if n.prefix != "" {
		prefix := strings.TrimSuffix(n.prefix, ".")
		return namespace{n.file, prefix[:strings.LastIndexByte(prefix, '.')+1]}
	}
	dir := path.Dir(n.file)
	if stem(n.file) == "mod" {
		dir = path.Dir(dir)
	}
	for _, file := range []string{dir + "/lib.rs", dir + "/mod.rs", dir + ".rs", dir + "/main.rs"} {
		if file = path.Clean(file); c.files[file] != nil && file != n.file {
			return namespace{file, ""}
		}
	}
	return namespace{}
}

func crateVersion(r survey.Reader, dir string) (string, error) {
	for {
		name, text, err := nearest(r, dir, "Cargo.toml")
		if err != nil || text == nil {
			return "", err
		}
		m := manifest.Read(text)
		version := cmp.Or(m.Table("package").Text("version"), m.Table("workspace", "package").Text("version"))
		if dir = path.Dir(name); version != "" || dir == "." {
			return version, nil
		}
		dir = path.Dir(dir)
	}
}
