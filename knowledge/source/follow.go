package source

import (
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/knowledge/source/control"
)

type follower struct {
	*References

	resolvers map[string]Resolver
	*fileScope
	scopes    map[string]*fileScope // of the module's files, by path
	selectors map[string]int
	bases     map[int][]destination
	name      []byte
	referrer  *referrer // the current declaration
}

// fileScope is the file whose names and imports give names their meaning.
type fileScope struct {
	leads  *Effects
	unit   *Unit
	prefix string
	rules  Resolution
	bound  bindings
	away   map[string][]destination
	left   int
}

// Resolution are the rules of a language's name resolution.
type Resolution struct {
	// Modules: an import binds a module as a whole, and none of its names.
	Modules bool
	// Members: code in a type can name the type's other members without a selector.
	Members bool
	// Closed: a struct's members are its own or those of embedded types, and cannot be overridden.
	Closed bool
	// Paths: a dotted name may be a path without an import; this is the separator of its elements in an import.
	Paths string
	// Lower is the minimum number of lowercase elements at the start of such a path. The extractor treats shorter
	// paths as selections and lists no import for them, so a change there would not invalidate the code.
	Lower int
	// Converts: a conversion to a type looks like a function call.
	Converts bool
	// Serves is the method with which a value handles requests.
	Serves string
}

func newFollower(m Module, declared []Declared, resolvers map[string]Resolver, linker Linker) *follower {
	f := &follower{
		References: &References{
			module: m.Path, declared: declared, byName: make(map[string]int, len(declared)), links: make([][]tie, len(declared)+1),
			linker: linker, handlers: map[int]bool{}, ends: map[int]bool{}, outlets: map[int][]control.Branch{}, effects: make([]Effect, len(declared)+1),
			elsewhere: map[string]bool{},
		},
		resolvers: resolvers, selectors: map[string]int{}, bases: map[int][]destination{}, scopes: map[string]*fileScope{},
	}
	for i := range m.Units {
		if m.Units[i].elsewhere() {
			f.elsewhere[m.Units[i].Path] = true
		}
	}
	f.runs = make([]bool, len(declared))
	for i := range declared {
		f.byName[declared[i].Name] = i
		if declared[i].Kind == Answer {
			f.handlers[i] = true
		}
		f.runs[i] = declared[i].runs()
	}
	f.graph.edges = make([][]int, len(f.links))
	for i := range declared {
		f.selectable(i)
		f.implementation(i)
		f.secondName(i)
	}
	return f
}

// secondName links a name exported by `export default function f() {}` to its declaration, because no code references
// it.
func (f *follower) secondName(i int) {
	if local, ok := f.standsFor(i); ok {
		d := &f.declared[i]
		f.add(i, tie{node: local, kind: RefValue, certain: true, referrer: &referrer{path: d.Path}, line: d.Line})
	}
}

func (r *References) standsFor(i int) (local int, ok bool) {
	d := &r.declared[i]
	if d.Kind != Reexport || len(d.Refs) != 1 {
		return 0, false
	}
	local, ok = r.byName[strings.TrimSuffix(d.Name, d.Symbol.Name)+d.Refs[0]]
	return local, ok && local != i
}

// implementation links a type to its trait implementation, which has no members to select by name.
func (f *follower) implementation(i int) {
	d := &f.declared[i]
	if owner, _, ok := implemented(d.Name); ok {
		if from, ok := f.byName[owner]; ok {
			f.add(from, tie{node: i, kind: RefType, referrer: &referrer{path: d.Path}, line: d.Line})
		}
	}
}

// Keys of the nodes of open selections: of any use, and of a value. A value in a literal may also be a constant or
// variable of the module.
func selected(name string) string      { return "." + name }
func selectedValue(name string) string { return "=" + name }

// selectable makes a declaration a candidate for open selections of its last name.
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

func (f *follower) enter(u *Unit) {
	rules := TraitsOf(u.File.Language).Resolution
	f.fileScope = &fileScope{
		unit: u, prefix: Prefix(u.Path, u.File.Scoped), rules: rules, bound: bindingsOf(u, rules), away: map[string][]destination{}, left: mostPassed,
		leads: effectsOf(f.resolvers[u.File.Language]),
	}
}

func (f *follower) rest(u *Unit) {
	f.enter(u)
	f.scopes[u.Path] = f.fileScope
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if at, ok := f.byName[f.prefix+s.Name]; ok {
			for _, b := range basesOf(s) {
				f.bases[at] = append(f.bases[at], f.base(b)...)
			}
		}
	}
}

func (f *follower) follow(u *Unit) {
	f.fileScope = f.scopes[u.Path]
	for i := range u.File.Symbols {
		s := &u.File.Symbols[i]
		if from, ok := f.byName[f.prefix+s.Name]; ok {
			f.links[from] = slices.Grow(f.links[from], len(s.Body))
			f.referrer = &referrer{u.Path, s.Nests}
			other := u.File.Scoped && f.declared[from].Path != u.Path
			for j := range s.Body {
				r := &s.Body[j]
				if other { // code of a namesake: files with names like a.x.js and a.y.js share a namespace
					apart := *r
					apart.Branch, r = control.Apart, &apart
				}
				f.reference(from, s.Name, r)
			}
		}
	}
	for i := range u.File.Unnamed {
		s := &u.File.Unnamed[i]
		if from, ok := f.byName[f.prefix+s.Name]; ok && f.declared[from].Symbol == s {
			f.referrer = &referrer{u.Path, s.Nests}
			for j := range s.Body {
				f.reference(from, "", &s.Body[j])
			}
		}
	}
	f.referrer = &referrer{path: u.Path}
	for j := range u.File.Body {
		f.reference(len(f.declared), "", &u.File.Body[j])
	}
	for i := range u.File.Facts {
		if u.File.Facts[i].Kind == Route {
			f.handler(u.File.Facts[i].Value)
		}
	}
}

// handler records the function that handles a route: in a call such as "auth(list)" the innermost one. A member of a
// variable counts if its name is unique.
func (f *follower) handler(value string) {
	value = strings.ReplaceAll(value, "::", ".")
	found, called, given := -1, false, false
	for at := 0; at < len(value); at++ {
		end := at + strings.IndexAny(value[at:]+"(", "(), ")
		name, calls := value[at:end], strings.HasPrefix(value[end:], "(")
		node, ok := f.handles(name)
		if ok && name != "" && (found < 0 || called) {
			found, called, given = node, calls, false
		} else if called && (name == Anonymous || !calls && NamesHandler(name)) {
			given = true // the argument of the found function handles the route
		}
		at = end
	}
	if found >= 0 && !given {
		f.handlers[found] = true
	}
}

// NamesHandler reports whether a variable with this name may hold the handler of a route.
func NamesHandler(name string) bool {
	lower := strings.ToLower(last(name))
	return len(lower) == 1 && lower[0] == 'h' || lower == "next" || strings.HasSuffix(lower, "handler") || strings.HasSuffix(lower, "mux") || strings.HasSuffix(lower, "router")
}

// handles returns the function for a name in the handler of a route.
func (f *follower) handles(name string) (node int, ok bool) {
	i, rest, ok := f.within("", name)
	if !ok || rest != "" {
		list := []int(nil)
		if node, known := f.selectors[selected(last(name))]; known && strings.Contains(name, ".") {
			list = f.graph.edges[node]
		}
		if len(list) != 1 {
			return 0, false
		}
		i = list[0]
	}
	if method, ok := f.byName[f.declared[i].Server(f.rules)]; ok {
		i = method
	}
	return f.function(i)
}

func (f *follower) reference(from int, scope string, r *Reference) {
	l := tie{kind: r.Kind, certain: true, line: r.Line, order: r.Order, branch: r.Branch, referrer: f.referrer}
	if r.Open {
		f.open(from, r.Name, l)
		return
	}
	f.resolve(from, scope, r, l)
}

func (f *follower) resolve(from int, scope string, r *Reference, l tie) {
	name := beginning(r.Name)
	if function, member, ok := strings.Cut(name, ")."); ok {
		f.ofResult(from, scope, strings.TrimSuffix(function, "("), first(member), l)
		return
	}
	if i, rest, ok := f.within(scope, name); ok {
		if f.rules.Closed && f.ofField(from, i, rest, r, l) {
			return
		}
		f.declaredHere(from, i, rest, l)
		kind := f.declared[i].Kind
		_, local := f.standsFor(i)
		if (kind != Reexport || local || r.Kind != RefCall) && (kind != Namespace || rest == "") { // another module declares the rest
			return
		}
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
			l.kind = RefType // the call is of a member
		}
		of := func(o destination) bool {
			return o.away.Module == to.away.Module && strings.HasPrefix(o.away.Name, to.away.Name+".")
		}
		l.passing = f.passes(to.away) || slices.ContainsFunc(found, of) // or a module with the function
		f.add(from, l)
		if to.rest != "" {
			l.kind = r.Kind
			f.ofInterface(from, Use{to.away.Module, to.away.Name + "." + to.rest}, l)
			f.open(from, first(to.rest), l)
		}
	}
}

// effect records a declaration's own external effects and program exits.
func (f *follower) effect(from int, imported, name string, r *Reference) {
	if f.leads == nil || r.Branch.IsApart() {
		return
	}
	if f.leads.Has(imported, name) {
		f.effects[from] = max(f.effects[from], nearEffect)
		if r.Kind == RefCall {
			f.effects[from] = directEffect
			for _, p := range control.Places(f.referrer.nests, r.Branch, r.Order) {
				for _, n := range control.Chain(f.referrer.nests, p.Branch) {
					f.outlets[from] = append(f.outlets[from], n.Branch)
				}
			}
		}
	}
	if r.Kind == RefCall && r.Branch == 0 && f.leads.end(imported, name) {
		f.ends[from] = true
	}
}

func (f *follower) passes(away Use) bool {
	table, _ := f.linker.Table(away.Module)
	_, forwards := table.Forwards[away.Name]
	return forwards || table.Modules[away.Name] || table.Types[away.Name]
}

// within finds the module's declaration for the longest known prefix of a name, from the innermost scope outwards,
// and returns the rest of the name.
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

func (f *follower) inScope(scope, name string) (int, bool) {
	owner, ok := f.lookup(f.prefix, scope)
	if !ok || !f.rules.Members && f.declared[owner].Kind != Namespace {
		return 0, false
	}
	return f.lookup(f.declared[owner].Name+".", name)
}

func (f *follower) lookup(before, name string) (int, bool) {
	f.name = append(append(f.name[:0], before...), name...)
	i, ok := f.byName[string(f.name)]
	return i, ok
}

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

var types = map[Kind]bool{Type: true, Struct: true, Class: true, Interface: true, Trait: true, Enum: true, Record: true, Union: true}

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

func (f *follower) addNear() {
	own := slices.Clone(f.effects)
	for from, links := range f.links[:len(f.declared)] {
		if owner, ok := f.byName[parent(f.declared[from].Name)]; ok && f.isAbstract(from) && f.effects[from] == 0 {
			f.effects[from] = min(own[owner], nearEffect)
		}
		for _, l := range links {
			var e Effect
			switch {
			case !l.certain || l.branch.IsApart() || l.kind == RefCall || f.effects[from] > 0:
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

const longestPath = 24

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

func first(name string) string {
	name, _, _ = strings.Cut(name, ".")
	return name
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// IsType reports whether k is a kind of type.
func IsType(k Kind) bool { return types[k] }
