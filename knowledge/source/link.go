package source

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/token"
)

// Table holds a module's data for links from other modules: usable names with digests, and forwarded names.
type Table struct {
	Names map[string]Digest `json:"n"`
	// Files maps the base name of each namespace file to the prefix of its names.
	Files map[string]string `json:"f,omitempty"`
	// Forwards are re-exported names and Stars wildcard re-exports, by the file's prefix.
	Forwards  map[string][]Target `json:"w,omitempty"`
	Stars     map[string][]Target `json:"s,omitempty"`
	Interface Digest              `json:"i"`
	// Public lists each file's exported names without prefix, by base name; members are omitted. Local maps names to
	// the declaration in the same file that they stand for.
	Public map[string][]string `json:"e,omitempty"`
	Local  map[string]string   `json:"l,omitempty"`
	// Modules are the public names of Rust modules in separate files.
	Modules map[string]bool `json:"m,omitempty"`
	// Types are the names of types, in languages whose conversions look like calls.
	Types map[string]bool `json:"t,omitempty"`
	// Accessors are the methods that only read or set a value, and the functions that do little and only with the standard
	// library.
	Accessors map[string]bool `json:"g,omitempty"`
	// Required are the methods of interfaces that types implement by their methods alone, other than accessors.
	Required map[string]bool `json:"q,omitempty"`
	// Bases are the first bases of classes, as names of the module.
	Bases map[string]string `json:"b,omitempty"`
	// Results are the types of the module that functions return, in languages with references to these.
	Results map[string]string `json:"u,omitempty"`
	// Effects are the external effects of functions and files.
	Effects map[string]Effect `json:"x,omitempty"`
}

// Use is a dependency on a name of another module. The name is "*" for the module's whole interface, and "file.*" for
// all declarations of a file.
type Use struct {
	Module string
	Name   string
}

// NewTable returns the table of a module.
func NewTable(m Module, declared []Declared, r map[string]Resolver) Table {
	t := Table{Names: map[string]Digest{}, Interface: InterfaceOf(declared)}
	files := make(map[string]*File, len(m.Units))
	for i := range m.Units {
		files[m.Units[i].Path] = &m.Units[i].File
	}
	byName := make(map[string]*Declared, len(declared))
	for i := range declared {
		byName[declared[i].Name] = &declared[i]
	}
	for i := range declared {
		d := &declared[i]
		f := files[d.Path]
		if d.Kind == Interface && TraitsOf(f.Language).Resolution.Closed {
			t.addRequired(d, byName)
		}
		if !d.Exported && f.Strict {
			continue
		}
		t.Names[d.Name] = d.Deep
		if d.isAccessor(isAbstract(d, byName[parent(d.Name)])) {
			set(&t.Accessors, d.Name, true)
		}
		if types[d.Kind] && TraitsOf(f.Language).Resolution.Converts {
			set(&t.Types, d.Name, true)
		}
		if TraitsOf(f.Language).Resolution.Closed {
			t.addResult(d, byName)
		}
		if d.Kind == Class {
			t.addBase(d, f, byName)
		}
	}
	for _, u := range m.Units {
		if u.File.Scoped {
			set(&t.Files, path.Base(u.Path), Prefix(u.Path, true))
		}
		t.addForwards(u, r[u.File.Language])
		t.addPublic(u)
	}
	t.addEffects(m, r)
	t.addPlain(m, byName)
	return t
}

// addPlain adds the functions without an effect that make few calls, all of the standard library: they build a path or
// compare an error.
func (t *Table) addPlain(m Module, byName map[string]*Declared) {
	for i := range m.Units {
		u := &m.Units[i]
		traits, prefix, bound := TraitsOf(u.File.Language), Prefix(u.Path, u.File.Scoped), bindings{}
		isStandard := func(name string) bool {
			if bound.names == nil {
				bound = bindingsOf(u, traits.Resolution)
			}
			head, rest, _ := strings.Cut(name, ".")
			for _, n := range bound.names[head] {
				return rest == "" && traits.Standard(n.imp.Path)
			}
			for _, at := range bound.whole[head].of(rest) { // a member of a type of the library may do much
				return traits.Standard(u.File.Imports[at].Path)
			}
			return false
		}
		for j := range u.File.Symbols {
			s := &u.File.Symbols[j]
			name, n := prefix+s.Name, 0
			if d := byName[name]; d == nil || d.Path != u.Path || !isFunction(s.Kind) || traits.Standard == nil || t.effectOf(name) > 0 {
				continue
			}
			other := slices.ContainsFunc(s.Body, func(r Reference) bool {
				if r.Kind != RefCall {
					return false
				}
				n++
				return n == fewestCalls || r.Open || byName[prefix+r.Name] != nil || !isStandard(r.Name)
			})
			if _, named := t.Names[name]; named && n > 0 && !other {
				set(&t.Accessors, name, true)
			}
		}
	}
}

func (t *Table) addBase(d *Declared, f *File, byName map[string]*Declared) {
	bases := basesOf(d.Symbol)
	if len(bases) == 0 {
		return
	}
	if base := Prefix(d.Path, f.Scoped) + bases[0]; isType(byName[base]) {
		set(&t.Bases, d.Name, base)
	}
}

func (t *Table) addResult(d *Declared, byName map[string]*Declared) {
	if result := d.resultType(); isType(byName[result]) {
		set(&t.Results, d.Name, result)
	}
}

// set sets a value in a map, which is made first if it is nil.
func set[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

func isType(d *Declared) bool { return d != nil && types[d.Kind] }

// mostEmbedded limits the interfaces whose methods an interface has.
const mostEmbedded = 16

func (t *Table) addRequired(d *Declared, byName map[string]*Declared) {
	list := []*Declared{d}
	for i := 0; i < len(list); i++ {
		for _, m := range list[i].Requires {
			if !m.reads() {
				set(&t.Required, d.Name+"."+m.Name, true)
			}
		}
		for _, base := range list[i].Bases {
			if b := byName[base]; b != nil && len(list) < mostEmbedded && !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
}

// reads reports whether a method only reads a value: it has no parameters, and one result other than an error.
func (m Member) reads() bool {
	result, ok := strings.CutPrefix(m.Shape, "() ")
	return ok && result != "error" && !strings.HasPrefix(result, "(")
}

func (t *Table) addForwards(u Unit, r Resolver) {
	if r == nil || u.File.Test {
		return
	}
	prefix := Prefix(u.Path, u.File.Scoped)
	for _, imp := range u.File.StarExports() {
		set(&t.Stars, prefix, append(t.Stars[prefix], r.Resolve(u.Path, imp)...))
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
			set(&t.Forwards, prefix+s.Name, append(t.Forwards[prefix+s.Name], r.Resolve(u.Path, one)...))
		}
	}
}

// StarExports lists the imports that re-export all names, except those in namespaces outside of the API.
func (f *File) StarExports() (out []Import) {
	var aside []token.Span[int]
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Kind == Namespace && !TraitsOf(f.Language).Lists(s) {
			aside = append(aside, token.Span[int]{From: s.Line, To: s.End + 1})
		}
	}
	aside = token.Merge(aside)
	for _, imp := range f.Imports {
		after, _ := slices.BinarySearchFunc(aside, imp.Line, func(s token.Span[int], line int) int { return cmp.Compare(s.To, line+1) })
		if imp.Reexport && (after == len(aside) || imp.Line < aside[after].From) {
			out = append(out, imp)
		}
	}
	return out
}

type binding struct{ imp, name int }

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

func boundTo(bound map[string][]binding, refs []string) []binding {
	var out []binding
	for _, ref := range refs {
		out = append(out, bound[ref]...)
	}
	slices.SortFunc(out, func(a, b binding) int { return cmp.Or(cmp.Compare(a.imp, b.imp), cmp.Compare(a.name, b.name)) })
	return slices.CompactFunc(out, func(a, b binding) bool { return a.imp == b.imp })
}

// Linker resolves import targets to names, following re-exports.
type Linker struct {
	// Table returns the table of a module; false if the module does not exist.
	Table func(module string) (Table, bool)
	// Common reports whether much of the repository uses a name; nil if unknown.
	Common func(u Use) bool
}

// mostPassed limits the lookups in wildcard re-exports. A name without a declaration is looked up in each of them,
// which is quadratic in the size of a file. The largest index files of real projects need half of this.
const mostPassed = 1 << 18

// Uses lists the uses of other modules, sorted. Names that cannot be resolved become "*".
func (l Linker) Uses(module string, targets []Target) []Use {
	left := mostPassed
	return l.uses(module, targets, &left)
}

// uses is Uses with a lookup budget for wildcard re-exports. When it is spent, the remaining targets count as used as
// a whole.
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

type walk struct {
	linker Linker
	from   string
	uses   map[Use]bool
	seen   map[step]bool
	queue  []step
	left   *int
}

// step is a lookup of one name, or all names, in one place. An import for side effects looks up no name.
type step struct {
	dir, file, name string
	all             bool
}

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
		add("")
		return
	}
	name, found := table.find(prefix, s.name)
	add(name)
	member := strings.TrimPrefix(strings.TrimPrefix(prefix+s.name, name), ".")
	for _, f := range table.Forwards[name] {
		w.follow(f.member(member))
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

// member returns the target of a member of what t forwards, or t without a member.
func (t Target) member(name string) Target {
	switch {
	case name == "":
	case t.All:
		t.All, t.Names = false, []Name{{Name: name}}
	default:
		t.Names = slices.Clone(t.Names)
		for i := range t.Names {
			t.Names[i].Name += "." + name
		}
	}
	return t
}

// find returns the module-wide name of a name in a file, or the file's wildcard and false.
func (t Table) find(prefix, name string) (string, bool) {
	for candidate := name; candidate != ""; candidate = parent(candidate) {
		if _, ok := t.Names[prefix+candidate]; ok {
			return prefix + candidate, true
		}
		if member, ok := t.memberOf(prefix, candidate); ok {
			return member, true
		}
	}
	if prefix == "" && t.hasFile(name+".") {
		return name + ".*", true
	}
	return prefix + "*", false
}

// memberOf returns a member of the declaration that the owner of a name stands for, by default that of the file, or of
// a base of the owner.
func (t Table) memberOf(prefix, name string) (string, bool) {
	owner, member := parent(name), last(name)
	at := prefix + cmp.Or(owner, "default")
	if local := t.Local[at]; local != "" {
		at = local
	} else if owner == "" {
		return "", false
	}
	for range deepestBases {
		if _, ok := t.Names[at+"."+member]; ok {
			return at + "." + member, true
		}
		if at = t.Bases[at]; at == "" {
			break
		}
	}
	return "", false
}

// deepestBases limits the bases of a type that are searched for a member.
const deepestBases = 8

func (t Table) hasFile(prefix string) bool {
	for _, p := range t.Files {
		if p == prefix {
			return true
		}
	}
	return false
}

// Digest returns the current digest of a used name; empty if the name does not exist.
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
