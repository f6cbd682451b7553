package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Publisher is a Resolver of a language in which manifests and entry files decide what callers can import.
type Publisher interface {
	// Published lists the files that callers import, in any order.
	Published() []Entry
}

// Entry is a file that callers import.
type Entry struct {
	Import string `json:"i"` // as they name it: "click.testing", "date-fns/fp", "mio", "hiredis/hiredis.h"; empty where names say it
	// Prefix is what they type before the names that it exports, "click." or "mio::"; empty where they import each name.
	Prefix string `json:"p,omitempty"`
	// Default is what they call that which it exports without a name, or is itself: "express".
	Default string `json:"d,omitempty"`
	Dir     string `json:"f"`
	File    string `json:"b"` // base name
	// Root is the directory whose files are for callers only as far as entries lead to them.
	Root string `json:"r"`
}

// entryLanguages are those whose Resolver is a Publisher.
var entryLanguages = map[string]bool{"python": true, "typescript": true, "javascript": true, "rust": true, "c": true, "c++": true, "java": true}

// HasEntries reports whether manifests and entry files decide what callers reach of a language's files.
func HasEntries(language string) bool { return entryLanguages[language] }

// Kin is the language by whose entries callers reach a file: packages of some hold files of two.
func Kin(language string) string {
	switch language {
	case "javascript":
		return "typescript"
	case "c++":
		return "c"
	}
	return language
}

// CompareEntries orders entries: what is imported by the shorter name is nearer to callers.
func CompareEntries(a, b Entry) int {
	return cmp.Or(cmp.Compare(len(a.Import), len(b.Import)), cmp.Compare(a.Import, b.Import), cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Prefix, b.Prefix), cmp.Compare(a.Root, b.Root))
}

// Typed are the names by which callers know a declaration, the shortest first, and what they import for the first.
type Typed struct {
	As     []string `json:"a"`
	Import string   `json:"i"`
}

// Separator stands between the elements of a name that people type.
func Separator(file string) string {
	switch path.Ext(file) {
	case ".rs", ".h", ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".cppm", ".cc", ".cpp", ".cxx":
		return "::"
	}
	return "."
}

// mostTyped bounds the names that are kept of one declaration, and under how many a file is looked at: files that pass each
// other on in circles would have names without end.
const mostTyped = 4

// Reached are the declarations of one file that callers reach, by their names in the module.
type Reached map[string]Typed

// Place is a file, by its directory and its base name.
type Place struct{ Dir, File string }

// Published follows what entries, sorted, export to where it is declared.
func (l Linker) Published(entries []Entry) map[Place]Reached {
	w := publishing{linker: l, found: map[Place]map[string][]typedBy{}, seen: map[Place]int{}, asked: map[asking]bool{}}
	for _, e := range entries {
		w.seen[Place{e.Dir, e.File}] = 1
	}
	for _, e := range entries { // each with all behind it, so that names are imported by the shortest
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

// publishing is a walk from entries to declarations, the nearest first.
type publishing struct {
	linker Linker
	found  map[Place]map[string][]typedBy
	seen   map[Place]int // how often a file was asked
	asked  map[asking]bool
	queue  []offer
}

type typedBy struct {
	name, imported string
	second         bool // a declaration with another name is given it
}

// asking is a name that a file was asked for, and what callers type for it.
type asking struct {
	Place
	name, typed string
}

// offer is a file whose names callers type behind a prefix.
type offer struct {
	Place
	prefix, whole, imported string
	behind                  bool // it is passed on by names alone
}

func (w *publishing) ask(o offer) {
	if w.seen[o.Place] < mostTyped {
		w.seen[o.Place]++
		w.queue = append(w.queue, o)
	}
}

// file takes all that a file exports. What it passes on as a whole is typed like its own.
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
			case local != "" && o.prefix == "": // callers may call it anything
				typed = local
			}
			if typed == "" || o.behind {
				continue
			}
		}
		w.name(o.Place, name, typedBy{typed, o.imported, false})
	}
	prefix, scoped := table.Files[o.File]
	if !scoped { // what a header includes is for callers where it is installed itself
		return
	}
	for _, star := range table.Stars[prefix] {
		w.ask(offer{Place{star.Dir, star.File}, o.prefix, o.whole, o.imported, o.prefix == ""})
	}
}

// defaultName is what a file exports without a name, in languages that have that.
const defaultName = "default"

// name takes one name of a file, and what it stands for. A name that the file does not declare may be among those that it
// passes on without naming them.
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
		own.second = typed.second || strings.HasPrefix(path.Ext(at.File), ".py")
		w.name(at, strings.TrimPrefix(local, prefix), own)
	}
	if table.Modules[full] {
		w.module(at, name, typed)
	}
	for _, t := range table.Forwards[full] {
		to := Place{t.Dir, t.File}
		if t.All && w.seen[to] == 0 { // callers who can import a file do not go through others for it
			w.ask(offer{to, typed.name + Separator(at.File), typed.name, typed.imported, false})
		}
		for _, n := range t.Names {
			w.name(to, n.Name, typed)
		}
	}
}

// module takes the file that a module of Rust is declared to be.
func (w *publishing) module(at Place, name string, typed typedBy) {
	dir := at.Dir
	if stem := strings.TrimSuffix(at.File, ".rs"); !heads[stem] {
		dir = path.Join(dir, stem)
	}
	inner := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
	for _, to := range []Place{{path.Dir(inner), path.Base(inner) + ".rs"}, {inner, "mod.rs"}} {
		table, _ := w.linker.Table(to.Dir)
		if _, there := table.Files[to.File]; there {
			w.ask(offer{to, typed.name + "::", "", typed.imported, false})
			return
		}
	}
}

// add notes a name of a declaration, and reports whether it is one more.
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

// addPublic notes what a file exports: names, but no members of types, which go with these.
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
				if t.Local == nil {
					t.Local = map[string]string{}
				}
				t.Local[prefix+s.Name] = prefix + local
			}
		}
	}
	if full := prefix + defaultName; keyed(u.File.Symbols) {
		if t.Local == nil {
			t.Local = map[string]string{}
		}
		t.Local[full] = full
	}
	t.addModules(u, prefix)
	var names []string
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if s.Exported && !s.Renamed && inNamespaces(u.File.Language, s.Name, kinds) && !strings.Contains(s.Signature, docHidden) {
			names = append(names, s.Name)
		}
	}
	if names == nil {
		return
	}
	if t.Public == nil {
		t.Public = map[string][]string{}
	}
	slices.Sort(names)
	t.Public[file] = names
}

// keyed reports whether a file exports an object with a key that it writes as the name of what has none: callers type it.
func keyed(symbols []Symbol) bool {
	i := slices.IndexFunc(symbols, func(s Symbol) bool { return s.Name == defaultName })
	return i >= 0 && (strings.HasPrefix(symbols[i].Signature, "'"+defaultName+"'") || strings.HasPrefix(symbols[i].Signature, `"`+defaultName+`"`))
}

// docHidden is among the attributes of what Rust code has to export and does not offer.
const docHidden = "#[doc(hidden)]"

// passedHere is what a re-export may pass on of its own file. Rust writes the way to it. Python gives a second name by an assignment.
func passedHere(language string, s *Symbol) string {
	switch {
	case language == "python" && (s.Kind == Var || s.Kind == Const):
		_, value, _ := strings.Cut(s.Signature, " = ")
		return value
	case s.Kind != Reexport:
		return ""
	case language == "rust":
		_, used, _ := strings.Cut(s.Signature, "use ")
		used, _, _ = strings.Cut(used, " as ")
		return strings.ReplaceAll(strings.TrimPrefix(used, "self::"), "::", ".")
	case len(s.Refs) != 1:
		return ""
	}
	return s.Refs[0]
}

// addModules notes the public modules of Rust that are files of their own: nothing is declared in them where they are.
func (t *Table) addModules(u Unit, prefix string) {
	if u.File.Language != "rust" {
		return
	}
	holds := map[string]bool{}
	for i := range u.File.Symbols {
		holds[parent(u.File.Symbols[i].Name)] = true
	}
	for i := range u.File.Symbols {
		if s := &u.File.Symbols[i]; s.Kind == Namespace && s.Exported && !holds[s.Name] {
			if t.Modules == nil {
				t.Modules = map[string]bool{}
			}
			t.Modules[prefix+s.Name] = true
		}
	}
}

// inNamespaces reports whether a name is that of no member. Namespaces of C++ are no declarations.
func inNamespaces(language, name string, kinds map[string]Kind) bool {
	for owner := parent(name); owner != ""; owner = parent(owner) {
		if kind, declared := kinds[owner]; kind != Namespace && (declared || language != "c++") {
			return false
		}
	}
	return true
}
