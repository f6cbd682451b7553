package api

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/manifest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
)

type rustCrate struct {
	version

	dir     string // directory of lib.rs
	files   map[string]*rustFile
	names   map[string][]rustItem // items by local name
	library string                // name in code
	release string                // version
	public  map[rustItem][]string // public paths of items that are always compiled, the shortest first
	at      map[string][]rustItem // items by public path
	open    map[string]bool       // files that re-export unknown names of other crates
	counts  map[string]int        // declarations per name, by keyword or macro, computed on demand
	unsound bool                  // a file could not be read, so missing items are unknown
}

type rustFile struct {
	unit    source.Unit
	symbols map[string]*source.Symbol
	members map[string][]*source.Symbol // by the enclosing prefix, with the dot
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
	c := &rustCrate{
		version: v, dir: dir, files: map[string]*rustFile{}, names: map[string][]rustItem{}, public: map[rustItem][]string{}, at: map[string][]rustItem{},
		open: map[string]bool{},
	}
	if err := c.identify(); err != nil {
		return nil, err
	}
	modules, err := survey.Modules(v.reader)
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		if !c.contains(m) {
			continue
		}
		k, err := survey.Find(v.reader, m)
		if err != nil {
			return nil, err
		}
		if err := c.add(k); err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(c.public, func(_ rustItem, paths []string) bool { return !c.shown(paths[0]) })
	return c, nil
}

func (c *rustCrate) contains(dir string) bool {
	return dir == c.dir || c.dir == "." || strings.HasPrefix(dir, c.dir+"/")
}

func (c *rustCrate) root() string { return path.Join(c.dir, "lib.rs") }

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
			around := s.Name[:strings.LastIndexByte(strings.SplitN(s.Name, ".<", 2)[0], '.')+1]
			f.members[around] = append(f.members[around], s)
			c.names[s.Name] = append(c.names[s.Name], rustItem{u.Path, s.Name})
		}
		c.files[u.Path] = f
		if err := c.publish(f, m.Table); err != nil {
			return err
		}
	}
	return nil
}

// publish adds the public paths of a file's items.
func (c *rustCrate) publish(f *rustFile, t source.Table) error {
	file := f.unit.Path
	prefix := source.Prefix(file, true)
	known := t.Stars[prefix]
	c.open[file] = len(known) < len(f.unit.File.StarExports()) || slices.ContainsFunc(known, func(to source.Target) bool { return !c.contains(to.Dir) })
	published, err := survey.PublishedOf(c.reader, file)
	for _, name := range slices.Sorted(maps.Keys(published.Names)) {
		item := rustItem{file, strings.TrimPrefix(name, prefix)}
		if f.symbols[item.name] == nil { // another file with the same prefix declares it
			continue
		}
		for _, full := range published.Names[name].As {
			if strings.HasPrefix(full, c.library+"::") { // others are of crates that re-export it
				c.public[item], c.at[full] = append(c.public[item], full), append(c.at[full], item)
			}
		}
	}
	return err
}

func (c *rustCrate) symbol(item rustItem) *source.Symbol {
	return c.files[item.file].symbols[item.name]
}

// shown reports whether an item and the modules around it are always compiled and not hidden from the documentation.
func (c *rustCrate) shown(full string) bool {
	for ; full != c.library; full = outer(full) {
		if strings.HasPrefix(full[len(outer(full)):], "::__") || !slices.ContainsFunc(c.at[full], func(item rustItem) bool {
			s := c.symbol(item)
			return s.Guard == "" && !unlisted(s)
		}) {
			return false
		}
	}
	return true
}

// outer returns the path of the module of an item.
func outer(full string) string { return full[:max(strings.LastIndex(full, "::"), 0)] }

// find returns the item at one of the public paths, that of the kind if there are several.
func (c *rustCrate) find(paths []string, kind source.Kind) (rustItem, bool) {
	for _, full := range paths {
		items := c.at[full]
		if at := slices.IndexFunc(items, func(item rustItem) bool { return c.symbol(item).Kind == kind }); at >= 0 {
			return items[at], true
		}
		if len(items) > 0 {
			return items[0], true
		}
	}
	return rustItem{}, false
}

// filesOf returns the files of a public module: its own, or that of an inline module.
func (c *rustCrate) filesOf(full string) (files []string) {
	if full == c.library {
		return []string{c.root()}
	}
	for _, item := range c.at[full] {
		at, file := source.Place{Dir: path.Dir(item.file), File: path.Base(item.file)}, item.file
		for _, p := range source.TraitsOfFile(file).Modules(at, item.name) {
			if own := path.Join(p.Dir, p.File); c.files[own] != nil {
				file = own
			}
		}
		files = append(files, file)
	}
	return files
}

// unlisted reports whether an item is not part of the documentation.
func unlisted(s *source.Symbol) bool { return !source.TraitsOf("rust").Lists(s) }

// identify reads the name and the version of the crate, which a workspace may have.
func (c *rustCrate) identify() error {
	for dir := c.dir; ; dir = path.Dir(dir) {
		name, text, err := nearest(c.reader, dir, "Cargo.toml")
		if err != nil || text == nil {
			return err
		}
		m := manifest.Read(text)
		c.library = cmp.Or(c.library, m.Table("lib").Text("name"), strings.ReplaceAll(m.Table("package").Text("name"), "-", "_"))
		c.release = cmp.Or(m.Table("package").Text("version"), m.Table("workspace", "package").Text("version"))
		if dir = path.Dir(name); c.release != "" || dir == "." {
			return nil
		}
	}
}
