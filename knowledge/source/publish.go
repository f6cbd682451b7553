package source

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
)

// Publisher is a Resolver of a language in which manifests and entry files define the importable files.
type Publisher interface {
	// Published lists the importable files, in any order.
	Published() []Entry
}

// Entry is a file that callers import.
type Entry struct {
	Import string `json:"i"` // import path: "click.testing", "date-fns/fp", "mio", "hiredis/hiredis.h"; empty if the names include it
	// Prefix precedes the file's exported names in callers' code: "click." or "mio::"; empty if callers import each
	// name.
	Prefix string `json:"p,omitempty"`
	// Default is the callers' name for the default export or the file itself: "express".
	Default string `json:"d,omitempty"`
	Dir     string `json:"f"`
	File    string `json:"b"` // base name
	// Root is the directory whose files are public only if an entry leads to them.
	Root string `json:"r"`
}

// HasEntries reports whether manifests and entry files define the public files of a language.
func HasEntries(language string) bool { return TraitsOf(language).Entries }

// Kin returns the language whose entries apply to a file; some packages mix two languages.
func Kin(language string) string { return cmp.Or(TraitsOf(language).Kin, language) }

// CompareEntries sorts entries by the length of the import path, then by the other fields.
func CompareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(len(a.Import), len(b.Import)), cmp.Compare(a.Import, b.Import), cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Prefix, b.Prefix), cmp.Compare(a.Root, b.Root))
}

// Typed holds the names of a declaration in callers' code, shortest first, and the import for the first.
type Typed struct {
	As     []string `json:"a"`
	Import string   `json:"i"`
}

// Separator returns the separator of qualified names in a file's language.
func Separator(file string) string {
	return cmp.Or(TraitsOfFile(file).Separator[path.Ext(file)], ".")
}

// mostTyped limits the names per declaration and the visits per file: re-export cycles would produce names without
// end.
const mostTyped = 4

// Reached maps a file's reachable declarations, by name in the module, to their public names.
type Reached map[string]Typed

// Place is a file.
type Place struct{ Dir, File string }

// Published follows the exports of entries, which must be sorted, to their declarations.
func (l Linker) Published(entries []Entry) map[Place]Reached {
	w := publishing{linker: l, found: map[Place]map[string][]typedBy{}, seen: map[Place]int{}, asked: map[asking]bool{}, members: map[string]map[string][]string{}}
	for _, e := range entries {
		w.seen[Place{e.Dir, e.File}] = 1
	}
	for _, e := range entries { // one entry at a time: names get the shortest import
		w.queue = append(w.queue, offer{Place{e.Dir, e.File}, e.Prefix, e.Default, e.Import, false})
		for len(w.queue) > 0 {
			next := w.queue[0]
			w.queue = w.queue[1:]
			w.file(next)
		}
	}
	out := make(map[Place]Reached, len(w.found))
	for at, names := range w.found {
		out[at] = make(Reached, len(names))
		for name, typed := range names {
			out[at][name] = typedOf(typed)
		}
	}
	return out
}

type publishing struct {
	linker Linker
	found  map[Place]map[string][]typedBy
	seen   map[Place]int
	asked  map[asking]bool
	queue  []offer
	// members holds, by directory and object, the re-exports that are members of an object.
	members map[string]map[string][]string
}

type typedBy struct {
	name, imported string
	second         bool // an alias of another declaration
}

type asking struct {
	Place
	name, typed string
}

type offer struct {
	Place
	prefix, whole, imported string
	behind                  bool // re-exported by names only
}

func (w *publishing) ask(o offer) {
	if w.seen[o.Place] < mostTyped {
		w.seen[o.Place]++
		w.queue = append(w.queue, o)
	}
}

func (w *publishing) file(o offer) {
	table, ok := w.linker.Table(o.Dir)
	if !ok {
		return
	}
	separator := Separator(o.File)
	for _, name := range table.Public[o.File] {
		typed := o.prefix + strings.ReplaceAll(name, ".", separator)
		if name == defaultName {
			typed = o.whole
			switch local := strings.TrimPrefix(table.Local[table.Files[o.File]+name], table.Files[o.File]); {
			case local == name && o.prefix != "":
				typed = o.prefix + name
			case local != "" && o.prefix == "": // callers choose the name
				typed = local
			}
			if typed == "" || o.behind {
				continue
			}
		}
		w.name(o.Place, name, typedBy{typed, o.imported, false})
	}
	prefix, scoped := table.Files[o.File]
	if !scoped { // an included header is public only if it is installed itself
		return
	}
	for _, star := range table.Stars[prefix] {
		w.ask(offer{Place{star.Dir, star.File}, o.prefix, o.whole, o.imported, o.prefix == ""})
	}
}

const defaultName = "default"

// name adds one exported name and its target. An undeclared name may belong to a wildcard re-export.
func (w *publishing) name(at Place, name string, typed typedBy) {
	table, ok := w.linker.Table(at.Dir)
	one := asking{at, name, typed.name}
	if !ok || w.asked[one] || len(w.asked) >= mostPassed {
		return
	}
	w.asked[one] = true
	prefix := table.Files[at.File]
	full := prefix + name
	if _, declared := table.Names[full]; !declared {
		for _, star := range table.Stars[prefix] {
			w.name(Place{star.Dir, star.File}, name, typed)
		}
		return
	}
	if !w.add(at, full, typed) {
		return
	}
	if local := table.Local[full]; local != "" {
		own := typed
		own.second = typed.second || TraitsOfFile(at.File).Second
		w.name(at, strings.TrimPrefix(local, prefix), own)
	}
	if table.Modules[full] {
		w.module(at, name, typed)
	}
	for _, member := range w.held(at.Dir, table)[full] {
		w.name(at, strings.TrimPrefix(member, prefix), typedBy{typed.name + Separator(at.File) + last(member), typed.imported, true})
	}
	for _, t := range table.Forwards[full] {
		to := Place{t.Dir, t.File}
		switch {
		case t.All && w.seen[to] == 0:
			w.ask(offer{to, typed.name + Separator(at.File), typed.name, typed.imported, false})
		case t.All: // files that callers can import directly are not offered through others, except for a function that is all
			w.name(to, defaultName, typed)
		}
		for _, n := range t.Names {
			w.name(to, n.Name, typed)
		}
	}
}

// held lists the re-exports of a module that are members of an object, by the object.
func (w *publishing) held(dir string, table Table) map[string][]string {
	if w.members[dir] == nil {
		files := map[string]bool{}
		for _, prefix := range table.Files {
			files[prefix] = true
		}
		w.members[dir] = map[string][]string{}
		for _, name := range slices.Sorted(maps.Keys(table.Forwards)) {
			if owner := parent(name); table.Names[owner] != "" && !files[owner+"."] {
				w.members[dir][owner] = append(w.members[dir][owner], name)
			}
		}
	}
	return w.members[dir]
}

func (w *publishing) module(at Place, name string, typed typedBy) {
	for _, to := range TraitsOfFile(at.File).Modules(at, name) {
		table, _ := w.linker.Table(to.Dir)
		if _, there := table.Files[to.File]; there {
			w.ask(offer{to, typed.name + Separator(at.File), "", typed.imported, false})
			return
		}
	}
}

func (w *publishing) add(at Place, full string, typed typedBy) bool {
	names := w.found[at]
	if names == nil {
		names = map[string][]typedBy{}
		w.found[at] = names
	}
	if len(names[full]) >= mostTyped || slices.ContainsFunc(names[full], func(t typedBy) bool { return t.name == typed.name }) {
		return false
	}
	names[full] = append(names[full], typed)
	return true
}

func typedOf(names []typedBy) Typed {
	slices.SortStableFunc(names, func(a, b typedBy) int {
		if a.second != b.second {
			if b.second {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	out := Typed{Import: names[0].imported}
	for _, n := range names {
		out.As = append(out.As, n.name)
	}
	return out
}

func (t *Table) addPublic(u Unit) {
	if u.File.Strict || u.File.Test {
		return
	}
	kinds := make(map[string]Kind, len(u.File.Symbols))
	for i := range u.File.Symbols {
		kinds[u.File.Symbols[i].Name] = u.File.Symbols[i].Kind
	}
	prefix, file := Prefix(u.Path, u.File.Scoped), path.Base(u.Path)
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if local := passedHere(u.File.Language, s); local != "" && local != s.Name {
			if kind, ok := kinds[local]; ok && kind != Reexport {
				set(&t.Local, prefix+s.Name, prefix+local)
			}
		}
	}
	if full := prefix + defaultName; keyed(u.File.Symbols) {
		set(&t.Local, full, full)
	}
	t.addModules(u, prefix)
	var names []string
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if s.Exported && !s.Renamed && inNamespaces(u.File.Language, s.Name, kinds) && TraitsOf(u.File.Language).Lists(s) {
			names = append(names, s.Name)
		}
	}
	if names == nil {
		return
	}
	slices.Sort(names)
	set(&t.Public, file, names)
}

// keyed reports whether a file exports an object with a literal "default" key, which callers write out.
func keyed(symbols []Symbol) bool {
	i := slices.IndexFunc(symbols, func(s Symbol) bool { return s.Name == defaultName })
	return i >= 0 && (strings.HasPrefix(symbols[i].Signature, "'"+defaultName+"'") || strings.HasPrefix(symbols[i].Signature, `"`+defaultName+`"`))
}

// passedHere returns the name in the same file that a re-export or an assignment may stand for.
func passedHere(language string, s *Symbol) string {
	if alias := TraitsOf(language).Alias; alias != nil {
		if name := alias(s); name != "" {
			return name
		}
	}
	if s.Kind != Reexport || len(s.Refs) != 1 {
		return ""
	}
	return s.Refs[0]
}

func (t *Table) addModules(u Unit, prefix string) {
	if TraitsOf(u.File.Language).Modules == nil {
		return
	}
	holds := map[string]bool{}
	for i := range u.File.Symbols {
		holds[parent(u.File.Symbols[i].Name)] = true
	}
	for i := range u.File.Symbols {
		if s := &u.File.Symbols[i]; s.Kind == Namespace && s.Exported && !holds[s.Name] {
			set(&t.Modules, prefix+s.Name, true)
		}
	}
}

// inNamespaces reports whether all owners of a name are namespaces. A namespace may have no
// declaration.
func inNamespaces(language, name string, kinds map[string]Kind) bool {
	for owner := parent(name); owner != ""; owner = parent(owner) {
		if kind, declared := kinds[owner]; kind != Namespace && (declared || !TraitsOf(language).OpenNamespaces) {
			return false
		}
	}
	return true
}
