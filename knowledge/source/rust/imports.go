package rust

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// imports collects a file's dependencies: use declarations and paths through a module or crate.
type imports struct {
	o *outline
	// declared are the declared modules, dotted; true for inline modules.
	declared map[string]bool
	leaves   []use
	// bound maps lower-case local names to modules and functions; members are names used as a path prefix, called the
	// called ones.
	bound           map[string][]string
	members, called map[string]bool
	edges           map[string]*edge
	conditional     map[string]guards // the conditions of module declarations
	ranges          []guarded
	around          []guarded // ranges around the current token
	next            int
	attribute       int // the end of the last attribute
}

type use struct {
	leaf
	modules []string
	public  bool // re-exported to other files
	open    bool // re-exported to everyone
	all     bool // #[macro_use]
	guard   string
}

// edge collects the names imported from one path.
type edge struct {
	line          int
	all, reexport bool
	guards        guards
	names         map[source.Name]bool
}

func (o *outline) imports() []source.Import {
	im := &imports{
		o: o, declared: map[string]bool{}, bound: map[string][]string{}, members: map[string]bool{}, called: map[string]bool{},
		edges: map[string]*edge{}, conditional: map[string]guards{}, ranges: o.conditions(),
	}
	o.walk(im.declarations)
	for _, u := range im.leaves {
		if name := u.local(); !u.glob && name != "" && !capital(name) {
			im.bind(name, im.absolute(u.full(), u.modules, true))
		}
	}
	o.uses = make(map[string]string, len(im.leaves))
	for _, u := range im.leaves {
		o.uses[u.local()] = strings.ReplaceAll(u.full(), "::", ".")
		o.globs = o.globs || u.glob
	}
	im.next, im.around = 0, nil
	o.walk(im.paths)
	for _, u := range im.leaves {
		im.leaf(u)
	}
	return im.list()
}

// mostTargets bounds the alternatives of an imported name, because each of its uses counts for all of them.
const mostTargets = 16

// bind adds what a local name may stand for.
func (im *imports) bind(name string, targets []string) {
	for _, target := range targets {
		if known := im.bound[name]; len(known) < mostTargets && !slices.Contains(known, target) {
			im.bound[name] = append(known, target)
		}
	}
}

// walk calls visit with each significant word and its inline modules. visit returns the next index.
func (o *outline) walk(visit func(i int, modules []string) int) {
	slices.SortFunc(o.nested, func(a, b *scope) int { return a.start - b.start })
	next := 0
	around := []*scope{{end: len(o.toks)}}
	for i := 0; i < len(o.toks); {
		for len(around) > 1 && i >= around[len(around)-1].end {
			around = around[:len(around)-1]
		}
		for ; next < len(o.nested) && o.nested[next].start <= i; next++ {
			if i < o.nested[next].end {
				around = append(around, o.nested[next])
			}
		}
		if o.toks[i].skip || o.toks[i].class != word {
			i++
			continue
		}
		i = max(i+1, visit(i, around[len(around)-1].modules))
	}
}

func (im *imports) declarations(i int, modules []string) int {
	o := im.o
	switch string(o.text(i)) {
	case "mod":
		if o.class(i+1) == word && (o.is(i+2, ";") || o.is(i+2, "{")) {
			name := dotted(modules, o.validName(i+1))
			im.declared[name] = o.is(i+2, "{")
			conditions := im.conditional[name]
			conditions.add(im.guard(i))
			im.conditional[name] = conditions
		}
	case "use":
		leaves, end := o.useTree(i + 1)
		if !o.is(end, ";") {
			return i + 1
		}
		public, open := o.passesOn(i)
		for _, l := range leaves {
			im.leaves = append(im.leaves, use{leaf: l, modules: modules, public: public, open: open, guard: im.guard(i)})
		}
		return end
	case "extern":
		if o.is(i+1, "crate") {
			public, open := o.passesOn(i)
			im.leaves = append(im.leaves, use{leaf: o.crateLeaf(i), public: public, open: open, all: i > 0 && o.is(i-1, "]"), guard: im.guard(i)})
			return i + 3
		}
	}
	return i + 1
}

func (o *outline) passesOn(i int) (public, open bool) {
	if o.is(i-1, "pub") {
		return true, true
	}
	return i > 0 && o.class(i-1) == closer && o.is(int(o.toks[i-1].mate)-1, "pub"), false
}

func (im *imports) paths(i int, modules []string) int {
	o := im.o
	if o.is(i, "use") {
		if _, end := o.useTree(i + 1); o.is(end, ";") {
			return end
		}
		return i + 1
	}
	if next, _ := o.visibility(i); next > i {
		return next
	}
	if next := im.tool(i); next > i {
		return next
	}
	end := i + 1
	for o.is(end, "::") && o.class(end+1) == word {
		end += 2
	}
	first := o.text(i)
	if capital(string(first[:1])) || keywords[string(first)] || o.is(i-1, ".") {
		return end
	}
	global := o.is(i-1, "::")
	if global && (o.class(i-2) == word || o.is(i-2, ">")) {
		return end
	}
	if end == i+1 {
		if o.is(end, "(") || o.is(end, "!") || o.is(end, "::") {
			im.call(first)
		}
		return end
	}
	im.path(i, end, modules, global)
	return end
}

func (im *imports) call(name []byte) {
	if _, ok := im.bound[string(name)]; ok {
		im.called[string(name)] = true
	}
}

func (im *imports) path(i, end int, modules []string, global bool) {
	o := im.o
	first := o.text(i)
	_, declared := im.declared[string(first)]
	if builtin[string(first)] && len(im.bound[string(first)]) == 0 && !declared {
		return
	}
	raw := o.src[o.toks[i].start:o.toks[end-1].end]
	guard := im.guard(i)
	if len(raw) > maxPath {
		return
	}
	segments := make([]string, 0, (end-i)/2+1)
	for ; i < end; i += 2 {
		segments = append(segments, o.validName(i))
	}
	path := strings.Join(segments, "::")
	line := int(o.toks[end-1].line)
	if global {
		im.add(path, "", line, guard)
		return
	}
	im.members[segments[0]] = true
	for _, full := range im.absolute(path, modules, false) {
		im.add(full, "", line, guard)
	}
}

// absolute resolves a path's inline modules and local names of modules. ofUse prevents a use declaration from
// resolving to itself.
func (im *imports) absolute(path string, modules []string, ofUse bool) []string {
	first, rest, _ := strings.Cut(path, "::")
	switch first {
	case "crate":
		return []string{path}
	case "self", "super":
		return []string{upward(path, modules)}
	}
	if _, ok := im.declared[dotted(modules, first)]; ok {
		return []string{join(inside(modules), path)}
	}
	var out []string
	for _, target := range im.bound[first] {
		if head, _, _ := strings.Cut(target, "::"); !ofUse || head != first {
			out = append(out, clip(join(target, rest)))
		}
	}
	if len(out) == 0 {
		return []string{path}
	}
	return out
}

// upward resolves leading self and super against the inline modules.
func upward(path string, modules []string) string {
	rest, in, inner := climb(strings.Split(path, "::"), modules)
	if path = strings.Join(rest, "::"); !inner {
		return path
	}
	return join(inside(in), path)
}

func inside(modules []string) string {
	if len(modules) == 0 {
		return "self"
	}
	return "self::" + strings.Join(modules, "::")
}

func dotted(modules []string, name string) string {
	if len(modules) == 0 {
		return name
	}
	return strings.Join(modules, ".") + "." + name
}

// capital recognizes names of types, traits, variants and constants.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

func (im *imports) leaf(u use) {
	line := int(im.o.toks[min(u.at, len(im.o.toks)-1)].line)
	for _, full := range im.absolute(u.full(), u.modules, true) {
		switch {
		case u.glob:
			im.glob(full, u, line)
		case u.all || u.path == "" && u.name != "" && !im.members[u.local()]:
			im.edge(full, line, u.guard).all = true
		case capital(u.name) || capital(u.local()) || u.public || !im.members[u.local()] || im.called[u.local()]:
			im.add(full, u.local(), line, u.guard)
		}
	}
}

func (im *imports) glob(path string, u use, line int) {
	if module, name := cutItem(path); capital(name) {
		im.add(join(module, name), "", line, u.guard)
		return
	}
	e := im.edge(path, line, u.guard)
	e.all = true
	e.reexport = e.reexport || u.open
}

func (im *imports) add(full, local string, line int, guard string) {
	module, name := cutItem(full)
	if module == "" || len(full) > maxPath {
		return
	}
	n := source.Name{Name: name}
	if local != "" && local != name {
		n.As = local
	}
	im.edge(module, line, guard).names[n] = true
}

// cutItem splits a path into module and item. The item is the first capitalized segment, otherwise the last one.
func cutItem(full string) (module, name string) {
	start := 0
	for {
		segment, _, found := strings.Cut(full[start:], "::")
		if !found || capital(segment) {
			return strings.TrimSuffix(full[:start], "::"), segment
		}
		start += len(segment) + 2
	}
}

// own reports whether a path leads to the file itself.
func (im *imports) own(path string) bool {
	inner, found := strings.CutPrefix(path, "self::")
	return path == "self" || found && im.declared[strings.ReplaceAll(inner, "::", ".")]
}

func (im *imports) edge(path string, line int, guard string) *edge {
	e := im.edges[path]
	if e == nil {
		e = &edge{line: line, names: map[source.Name]bool{}}
		im.edges[path] = e
	}
	e.line = min(e.line, line)
	e.guards.add(guard)
	return e
}

func (im *imports) list() []source.Import {
	var out []source.Import
	for _, path := range slices.Sorted(maps.Keys(im.edges)) {
		e := im.edges[path]
		own := im.own(path)
		imp := source.Import{Path: path, All: e.all && !own, Reexport: e.reexport && !own, Line: e.line, Guard: im.through(path, e)}
		for n := range e.names {
			if !own || n.As != "" {
				imp.Names = append(imp.Names, n)
			}
		}
		if own && len(imp.Names) == 0 {
			continue
		}
		slices.SortFunc(imp.Names, func(a, b source.Name) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.As, b.As))
		})
		out = append(out, imp)
	}
	return out
}
