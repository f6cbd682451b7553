package source

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Table is what other modules need of a module in order to link to it: the names that they may use with their digests,
// and the names that it passes on from elsewhere.
type Table struct {
	Names map[string]Digest `json:"n"`
	// Files maps the base name of each file that is a namespace to the prefix of its names.
	Files map[string]string `json:"f,omitempty"`
	// Forwards are the names that are declared elsewhere; Stars the places whose every name a file passes on, by
	// that file's prefix.
	Forwards  map[string][]Target `json:"w,omitempty"`
	Stars     map[string][]Target `json:"s,omitempty"`
	Interface Digest              `json:"i"`
	// Public are the names that each file exports, by its base name and without its prefix; members go with what they are of.
	// Local are those that stand for another declaration of their file.
	Public map[string][]string `json:"e,omitempty"`
	Local  map[string]string   `json:"l,omitempty"`
	// Modules are the public names that stand for modules in files of their own (Rust).
	Modules map[string]bool `json:"m,omitempty"`
	// Types are the names of types, in a language where a conversion to one is written like a call.
	Types map[string]bool `json:"t,omitempty"`
	// Effects are those of the functions that lead out of the program, and of files.
	Effects map[string]Effect `json:"x,omitempty"`
}

// Use is one recorded edge: a name of another module that a module rests on. The name is "*" when it rests on all
// of the other's interface, and "file.*" when on all that one file declares.
type Use struct {
	Module string
	Name   string
}

// NewTable builds the table of a module from its declarations.
func NewTable(m Module, declared []Declared, r map[string]Resolver) Table {
	t := Table{Names: map[string]Digest{}, Interface: InterfaceOf(declared)}
	files := make(map[string]*File, len(m.Units))
	for i := range m.Units {
		files[m.Units[i].Path] = &m.Units[i].File
	}
	for i := range declared {
		d := &declared[i]
		f := files[d.Path]
		if !d.Exported && f.Strict {
			continue
		}
		t.Names[d.Name] = d.Deep
		if types[d.Kind] && rulesOf[f.Language].converts {
			if t.Types == nil {
				t.Types = map[string]bool{}
			}
			t.Types[d.Name] = true
		}
	}
	for _, u := range m.Units {
		if u.File.Scoped {
			if t.Files == nil {
				t.Files = map[string]string{}
			}
			t.Files[path.Base(u.Path)] = Prefix(u.Path, true)
		}
		t.addForwards(u, r[u.File.Language])
		t.addPublic(u)
	}
	t.addEffects(m, r)
	return t
}

func (t *Table) addForwards(u Unit, r Resolver) {
	if r == nil || u.File.Test {
		return
	}
	prefix := Prefix(u.Path, u.File.Scoped)
	for _, imp := range u.File.Imports {
		if imp.Reexport {
			if t.Stars == nil {
				t.Stars = map[string][]Target{}
			}
			t.Stars[prefix] = append(t.Stars[prefix], r.Resolve(u.Path, imp)...)
		}
	}
	var bound map[string][]binding
	for _, s := range u.File.Symbols {
		if s.Kind != Reexport {
			continue
		}
		if bound == nil {
			bound = boundBy(u.File.Imports)
		}
		for _, b := range boundTo(bound, s.Refs) {
			one := u.File.Imports[b.imp]
			if one.All = b.name < 0; one.All {
				one.Names = nil
			} else {
				one.Names = one.Names[b.name : b.name+1 : b.name+1]
			}
			if t.Forwards == nil {
				t.Forwards = map[string][]Target{}
			}
			t.Forwards[prefix+s.Name] = append(t.Forwards[prefix+s.Name], r.Resolve(u.Path, one)...)
		}
	}
}

// binding is one name that an import binds, by their numbers; the number is negative where it binds the module as a whole.
type binding struct{ imp, name int }

// boundBy lists the bindings of each local name.
func boundBy(imports []Import) map[string][]binding {
	out := map[string][]binding{}
	for i, imp := range imports {
		for j, n := range imp.Names {
			local := cmp.Or(n.As, n.Name)
			out[local] = append(out[local], binding{i, j})
		}
	}
	for i, imp := range imports {
		if whole := cmp.Or(imp.As, path.Base(imp.Path)); out[whole] == nil {
			out[whole] = []binding{{i, -1}}
		}
	}
	return out
}

// boundTo finds, of each import that binds one of refs, the first such name.
func boundTo(bound map[string][]binding, refs []string) []binding {
	var out []binding
	for _, ref := range refs {
		out = append(out, bound[ref]...)
	}
	slices.SortFunc(out, func(a, b binding) int { return cmp.Or(cmp.Compare(a.imp, b.imp), cmp.Compare(a.name, b.name)) })
	return slices.CompactFunc(out, func(a, b binding) bool { return a.imp == b.imp })
}

// Linker turns the targets of imports into the names that are used, following names that are passed on.
type Linker struct {
	// Table returns the table of a module; false when there is no such module.
	Table func(module string) (Table, bool)
	// Common reports whether much of the repository uses something; nil where that is not known.
	Common func(u Use) bool
}

// mostPassed is how often a name is looked for where all names are passed on from. Names that nobody declares are looked for
// in each such place: many of both would take time that grows with the square of a file. The largest index files of real
// projects, with a name of each of their files used, take half as much.
const mostPassed = 1 << 18

// Uses lists what module rests on in other modules, sorted. What cannot be told to a name becomes "*".
func (l Linker) Uses(module string, targets []Target) []Use {
	left := mostPassed
	return l.uses(module, targets, &left)
}

// uses is Uses with the number of times that a name is still looked for where all names are passed on from. What is behind
// the last of them counts as used as a whole.
func (l Linker) uses(module string, targets []Target, left *int) []Use {
	w := walk{linker: l, from: module, uses: map[Use]bool{}, seen: map[step]bool{}, left: left}
	for _, t := range targets {
		w.follow(t)
	}
	for len(w.queue) > 0 {
		next := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.take(next)
	}
	return slices.SortedFunc(maps.Keys(w.uses), func(a, b Use) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Name, b.Name))
	})
}

// walk follows names from module to module. Each step is taken once, so that circles end.
type walk struct {
	linker Linker
	from   string
	uses   map[Use]bool
	seen   map[step]bool
	queue  []step
	left   *int // as uses has it
}

// step is one name, or all names, asked of one place. An import for its effect asks for nothing.
type step struct {
	dir, file, name string
	all             bool
}

// follow asks a place for what an import takes from it.
func (w *walk) follow(t Target) {
	switch {
	case t.All:
		w.ask(step{t.Dir, t.File, "", true})
	case len(t.Names) == 0:
		w.ask(step{t.Dir, t.File, "", false})
	}
	for _, n := range t.Names {
		w.ask(step{t.Dir, t.File, n.Name, false})
	}
}

func (w *walk) ask(s step) {
	if !w.seen[s] {
		w.seen[s] = true
		w.queue = append(w.queue, s)
	}
}

func (w *walk) take(s step) {
	table, ok := w.linker.Table(s.dir)
	if !ok {
		return
	}
	add := func(name string) {
		if s.dir != w.from {
			w.uses[Use{s.dir, name}] = true
		}
	}
	prefix := table.Files[s.file]
	stars := table.Stars[prefix]
	if s.all {
		add(prefix + "*")
		for _, star := range stars {
			star.Names, star.All = nil, true
			w.follow(star)
		}
		return
	}
	if s.name == "" {
		add("") // an edge that no interface change travels along
		return
	}
	name, found := table.find(prefix, s.name)
	add(name)
	for _, f := range table.Forwards[name] {
		w.follow(f)
	}
	if found {
		return
	}
	if *w.left -= len(stars); *w.left < 0 {
		if len(stars) > 0 {
			w.ask(step{s.dir, s.file, "", true})
		}
		return
	}
	for _, star := range stars {
		star.Names, star.All = []Name{{Name: s.name}}, false
		w.follow(star)
	}
}

// find returns the module-wide name for a name used through a file, and the wildcard to rest on when there is none.
func (t Table) find(prefix, name string) (string, bool) {
	for candidate := name; candidate != ""; candidate = parent(candidate) {
		if _, ok := t.Names[prefix+candidate]; ok {
			return prefix + candidate, true
		}
	}
	for _, p := range t.Files {
		if p == name+"." {
			return p + "*", true
		}
	}
	if prefix == "" {
		if _, ok := t.Names[name]; ok {
			return name, true
		}
	}
	return prefix + "*", false
}

// hasFile reports whether one of the module's files has a prefix. Such a file may declare nothing itself.
func (t Table) hasFile(prefix string) bool {
	for _, p := range t.Files {
		if p == prefix {
			return true
		}
	}
	return false
}

// Digest returns the digest that a use of name rests on now; empty when there is no such name.
func (t Table) Digest(name string) Digest {
	switch {
	case name == "":
		return ""
	case name == "*":
		return t.Interface
	case strings.HasSuffix(name, ".*"):
		prefix := strings.TrimSuffix(name, "*")
		var parts []string
		for n, d := range t.Names {
			if strings.HasPrefix(n, prefix) {
				parts = append(parts, n+" "+string(d))
			}
		}
		if len(parts) == 0 && !t.hasFile(prefix) {
			return ""
		}
		slices.Sort(parts)
		return DigestOf(parts...)
	}
	return t.Names[name]
}
