package source

import (
	"slices"
	"strings"
	"sync"
)

// follower finds where the references of a module lead.
type follower struct {
	*References

	resolvers map[string]Resolver
	leads     *Effects // of the language of the unit, nil where it knows none
	unit      *Unit
	prefix    string // of the names that the unit declares
	rules     rules
	bound     bindings
	away      map[string][]destination // where names lead that the unit's imports bind, as far as they were asked for
	selectors map[string]int           // the nodes of open selections
	bases     map[int][]destination    // of each type
	name      []byte                   // that is being looked up
	left      int                      // how often a name of the unit is still looked for where names are not listed
}

// rules are what languages differ in when names are followed.
type rules struct {
	// modules: an import binds the module as a whole, and no name in it.
	modules bool
	// members: code in a type names the other members of it without a selection.
	members bool
	// closed: what is selected from a value of a struct is declared by it or by what it embeds, and cannot be overridden.
	closed bool
	// paths: a dotted name may be a path that no import stands for, whose elements are joined with this in an import.
	paths string
	// lower is how many elements in lower case such a path begins with at least: what has fewer, the language's reader takes for a
	// selection, and lists no import by which a change of what is there is found to concern the code.
	lower int
	// converts: what is written like a call of a function may lead to a type.
	converts bool
}

var rulesOf = map[string]rules{
	"go":   {modules: true, closed: true, converts: true},
	"java": {members: true, paths: ".", lower: 2, converts: true},
	"c++":  {members: true},
	"rust": {paths: "::"},
}

func newFollower(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) *follower {
	f := &follower{
		References: &References{
			module: m.Path, declared: declared, byName: make(map[string]int, len(declared)), links: make([][]tie, len(declared)+1),
			linker: linker, handlers: map[int]bool{}, ends: map[int]bool{}, effects: make([]Effect, len(declared)+1),
		},
		resolvers: resolvers, selectors: map[string]int{}, bases: map[int][]destination{},
	}
	for i := range declared {
		f.byName[declared[i].Name] = i
	}
	f.graph.edges = make([][]int, len(f.links))
	for i := range declared {
		f.selectable(i)
		f.implementation(i)
		f.secondName(i)
	}
	return f
}

// secondName makes what a file exports under another name, as by `export default function f() {}`, lead to what it is: no code of the file
// says so.
func (f *follower) secondName(i int) {
	if local, ok := f.standsFor(i); ok {
		d := &f.declared[i]
		f.add(i, tie{node: local, kind: RefValue, certain: true, path: d.Path, line: d.Line})
	}
}

// standsFor is the declaration of its file that a re-export passes on.
func (r *References) standsFor(i int) (local int, ok bool) {
	d := &r.declared[i]
	if d.Kind != Reexport || len(d.Refs) != 1 {
		return 0, false
	}
	local, ok = r.byName[strings.TrimSuffix(d.Name, d.Symbol.Name)+d.Refs[0]]
	return local, ok && local != i
}

// implementation makes a type lead to what it implements a trait with: that has no members to select by name.
func (f *follower) implementation(i int) {
	d := &f.declared[i]
	if owner, _, ok := implemented(d.Name); ok {
		if from, ok := f.byName[owner]; ok {
			f.add(from, tie{node: i, kind: RefType, path: d.Path, line: d.Line})
		}
	}
}

// Names under which nodes of open selections are kept: of any use, and of a value. What stands for a value in a literal
// may be a constant or variable of the module as well.
func selected(name string) string      { return "." + name }
func selectedValue(name string) string { return "=" + name }

// selectable makes a declaration one of those that an open selection of its last name may mean.
func (f *follower) selectable(i int) {
	d := &f.declared[i]
	owner := parent(d.Symbol.Name)
	switch {
	case owner != "":
		last := d.Symbol.Name[len(owner)+1:]
		f.addSelectable(selected(last), i)
		f.addSelectable(selectedValue(last), i)
	case d.Kind == Const || d.Kind == Var:
		f.addSelectable(selectedValue(d.Symbol.Name), i)
	}
}

func (f *follower) addSelectable(key string, i int) {
	node, ok := f.selectors[key]
	if !ok {
		node = len(f.links)
		f.selectors[key] = node
		f.links, f.graph.edges = append(f.links, nil), append(f.graph.edges, nil)
	}
	f.graph.edges[node] = append(f.graph.edges[node], i)
}

// enter takes up a file.
func (f *follower) enter(u *Unit) {
	f.unit, f.prefix, f.rules = u, Prefix(u.Path, u.File.Scoped), rulesOf[u.File.Language]
	f.bound, f.away, f.left = bindingsOf(u, f.rules), map[string][]destination{}, mostPassed
	f.leads = effectsOf(f.resolvers[u.File.Language])
}

// rest finds what the types of a file rest on.
func (f *follower) rest(u *Unit) {
	f.enter(u)
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if at, ok := f.byName[f.prefix+s.Name]; ok {
			for _, b := range s.Bases {
				f.bases[at] = append(f.bases[at], f.base(b)...)
			}
		}
	}
}

// follow finds where the names lead that a file uses.
func (f *follower) follow(u *Unit) {
	f.enter(u)
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if from, ok := f.byName[f.prefix+s.Name]; ok {
			f.links[from] = slices.Grow(f.links[from], len(s.Body))
			for j := range s.Body {
				f.reference(from, s.Name, &s.Body[j])
			}
		}
	}
	for j := range u.File.Body {
		f.reference(len(f.declared), "", &u.File.Body[j])
	}
	for i := range u.File.Facts {
		if u.File.Facts[i].Kind == Route {
			f.handler(u.File.Facts[i].Value)
		}
	}
}

// handler notes the functions of the module that the handler of a route names, itself or in a call: "auth(list)". What is selected from a
// variable is the only member of its name.
func (f *follower) handler(value string) {
	for name := range strings.FieldsFuncSeq(strings.ReplaceAll(value, "::", "."), func(r rune) bool { return strings.ContainsRune("(), ", r) }) {
		i, rest, ok := f.within("", name)
		if !ok || rest != "" {
			list := []int(nil)
			if node, known := f.selectors[selected(last(name))]; known && strings.Contains(name, ".") {
				list = f.graph.edges[node]
			}
			if len(list) != 1 {
				continue
			}
			i = list[0]
		}
		if node, is := f.function(i); is {
			f.handlers[node] = true
		}
	}
}

// reference follows one name that a node uses.
func (f *follower) reference(from int, scope string, r *Reference) {
	l := tie{kind: r.Kind, certain: true, path: f.unit.Path, line: r.Line, order: r.Order, apart: r.Apart}
	if r.Open {
		f.open(from, r.Name, l)
		return
	}
	name := beginning(r.Name)
	if i, rest, ok := f.within(scope, name); ok {
		f.declaredHere(from, i, rest, l)
		return
	}
	found := f.through(name)
	if found == nil {
		f.effect(from, "", name, r)
	}
	for _, to := range found {
		l := l
		if to.outside {
			f.effect(from, to.away.Module, to.away.Name, r)
		}
		l.node, l.away, l.outside, l.certain = to.node, to.away, to.outside, to.certain
		switch {
		case to.node >= len(f.declared):
			f.add(from, l)
			continue
		case to.node >= 0:
			f.declaredHere(from, to.node, to.rest, l)
			continue
		}
		if to.rest != "" && l.kind == RefCall {
			l.kind = RefType // it is a member that is called
		}
		l.passing = f.passes(to.away)
		f.add(from, l)
		if to.rest != "" {
			l.kind = r.Kind
			f.open(from, first(to.rest), l)
		}
	}
}

// effect notes what a declaration uses in its course that leads out of the program, or ends it.
func (f *follower) effect(from int, imported, name string, r *Reference) {
	if f.leads == nil || r.Apart {
		return
	}
	if f.leads.has(imported, name) {
		f.effects[from] = max(f.effects[from], nearEffect)
		if r.Kind == RefCall {
			f.effects[from] = directEffect
		}
	}
	if r.Kind == RefCall && f.leads.end(imported, name) {
		f.ends[from] = true
	}
}

// passes reports whether another module only passes a name on, or has a module or a type of that name.
func (f *follower) passes(away Use) bool {
	table, ok := f.linker.Table(away.Module)
	return ok && (table.Forwards[away.Name] != nil || table.Modules[away.Name] || table.Types[away.Name])
}

// within finds the declaration of the module that a name means, and what of the name goes beyond it: from the innermost
// scope outwards the longest known beginning.
func (f *follower) within(scope, name string) (int, string, bool) {
	for known := name; known != ""; known = parent(known) {
		rest := strings.TrimPrefix(name[len(known):], ".")
		for s := scope; s != ""; s = parent(s) {
			if i, ok := f.inScope(s, known); ok {
				return i, rest, true
			}
		}
		if i, ok := f.lookup(f.prefix, known); ok {
			return i, rest, true
		}
	}
	return 0, "", false
}

// inScope finds a name among the members of a declaration, where they can be named without it.
func (f *follower) inScope(scope, name string) (int, bool) {
	owner, ok := f.lookup(f.prefix, scope)
	if !ok || !f.rules.members && f.declared[owner].Kind != Namespace {
		return 0, false
	}
	return f.lookup(f.declared[owner].Name+".", name)
}

func (f *follower) lookup(before, name string) (int, bool) {
	f.name = append(append(f.name[:0], before...), name...)
	i, ok := f.byName[string(f.name)]
	return i, ok
}

// declaredHere links to a declaration of the module, and to what is selected from it.
func (f *follower) declaredHere(from, i int, rest string, l tie) {
	use := l
	l.node = i
	switch {
	case types[f.declared[i].Kind]:
		l.kind = RefType
	case rest != "":
		l.kind = RefValue
	}
	f.add(from, l)
	switch {
	case rest != "":
		f.member(from, i, first(rest), use)
	case f.overridable(i):
		f.open(from, last(f.declared[i].Symbol.Name), use)
	}
}

// types are the kinds of declarations that are types.
var types = map[Kind]bool{Type: true, Struct: true, Class: true, Interface: true, Trait: true, Enum: true, Record: true, Union: true}

// overridable reports whether a member may be another one at run time.
func (f *follower) overridable(i int) bool {
	if f.declared[i].Kind != Method {
		return false
	}
	owner, ok := f.byName[parent(f.declared[i].Name)]
	if !ok {
		return true
	}
	switch f.declared[owner].Kind {
	case Class, Interface, Trait:
		return true
	}
	return false
}

// open links to all members of a name. They may be those of another module as well.
func (f *follower) open(from int, name string, l tie) {
	l.certain, l.outside = false, false
	key := selected(name)
	if l.kind == RefValue {
		key = selectedValue(name)
	}
	if node, ok := f.selectors[key]; ok {
		l.node, l.away = node, Use{}
		f.add(from, l)
	}
	l.node, l.away, l.open = -1, Use{Name: name}, true
	f.add(from, l)
}

func (f *follower) add(from int, l tie) {
	f.links[from] = append(f.links[from], l)
	if l.node >= 0 {
		f.graph.edges[from] = append(f.graph.edges[from], l.node)
	}
}

// addNear notes which declarations use a value or a type that leads out of the program: a client, a connection.
func (f *follower) addNear() {
	own := slices.Clone(f.effects)
	for from, links := range f.links[:len(f.declared)] {
		if owner, ok := f.byName[parent(f.declared[from].Name)]; ok && f.isAbstract(from) && f.effects[from] == 0 {
			f.effects[from] = min(own[owner], nearEffect)
		}
		for _, l := range links {
			var e Effect
			switch {
			case !l.certain || l.apart || l.kind == RefCall || f.effects[from] > 0:
			case l.node < 0 && !l.outside && l.kind == RefValue:
				if t, _ := f.linker.Table(l.away.Module); t.Effects[l.away.Name] > 0 || t.Effects[first(l.away.Name)+"."+wholeFile] == directEffect {
					e = nearEffect
				}
			case l.node >= 0 && l.node < len(f.declared) && !isFunction(f.declared[l.node].Kind):
				e = own[l.node]
			}
			f.effects[from] = max(f.effects[from], min(e, nearEffect))
		}
	}
}

// finish digests what is reached.
func (f *follower) finish() *References {
	f.addNear()
	for i := range f.graph.edges {
		slices.Sort(f.graph.edges[i])
		f.graph.edges[i] = slices.Compact(f.graph.edges[i])
	}
	names := make([]string, len(f.links))
	for key, node := range f.selectors {
		names[node] = key
	}
	r := f.References
	r.digests = sync.OnceValue(func() []Digest {
		return r.graph.closures(func(i int) string {
			if i < len(r.declared) {
				return r.declared[i].Name
			}
			return names[i]
		}, func(i int) Digest {
			if i < len(r.declared) {
				return r.declared[i].code()
			}
			return ""
		})
	})
	f.incoming = sync.OnceValue(f.reverse)
	return f.References
}

// longestPath is how many elements of a dotted name are looked at: more than any that leads somewhere has.
const longestPath = 24

// beginning cuts a name that no person wrote.
func beginning(name string) string {
	elements := 0
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if elements++; elements == longestPath {
			return name[:i]
		}
	}
	return name
}

// first and last are the elements of a dotted name at its ends.
func first(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// IsType reports whether a declaration of a kind is a type.
func IsType(k Kind) bool { return types[k] }
