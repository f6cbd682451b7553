package source

import (
	"cmp"
	"slices"
	"strings"
)

type bindings struct {
	names map[string][]boundName
	whole map[string]*members // imports of a whole module
	wild  []*Import           // wildcard imports
}

// members holds the import numbers of one module: all for whole-module imports, named for single names. An import of
// single names does not bind the module, but its names show that a changed member concerns it.
type members struct {
	all   []int
	named map[string][]int
}

func (m *members) of(name string) []int {
	if m == nil {
		return nil
	}
	return slices.Sorted(slices.Values(slices.Concat(m.all, m.named[name])))
}

func (b *bindings) bind(local string, number int, imp *Import) {
	m := b.whole[local]
	if m == nil {
		m = &members{named: map[string][]int{}}
		b.whole[local] = m
	}
	if imp.All {
		m.all = append(m.all, number)
		return
	}
	for _, n := range imp.Names {
		name := first(n.Name)
		if list := m.named[name]; len(list) == 0 || list[len(list)-1] != number {
			m.named[name] = append(list, number)
		}
	}
}

type boundName struct {
	imp  *Import
	name string
}

var separators = strings.NewReplacer("::", ".", "/", ".")

func bindingsOf(u *Unit, r Resolution) bindings {
	b := bindings{names: map[string][]boundName{}, whole: map[string]*members{}}
	for i := range u.File.Imports {
		imp := &u.File.Imports[i]
		if !r.Modules && imp.As == "" {
			for _, n := range imp.Names {
				local := cmp.Or(n.As, n.Name)
				b.names[local] = append(b.names[local], boundName{imp, n.Name})
			}
		}
		if imp.All && (imp.As == "." || imp.As == "") {
			b.wild = append(b.wild, imp)
		}
		if imp.As == "." {
			continue
		}
		local := cmp.Or(imp.As, imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:])
		b.bind(local, i, imp)
		if dotted := separators.Replace(imp.Path); imp.As == "" && dotted != local && !r.Modules {
			b.bind(dotted, i, imp)
		}
	}
	return b
}

// destination is the target of a name behind an import: a node of this module, or a name in another one. rest is the
// remainder of the name.
type destination struct {
	node    int
	away    Use
	rest    string
	outside bool
	certain bool
}

// through resolves an imported name: first as the name itself, then by its module prefix, then through wildcard
// imports.
func (f *follower) through(name string) []destination {
	if found, ok := f.away[name]; ok {
		return found
	}
	found := f.throughName(name)
	if found == nil {
		found = f.throughModule(name)
	}
	if found == nil {
		found = f.throughAny(name)
	}
	if found == nil && f.rules.Paths != "" {
		found = f.throughPath(name)
	}
	f.away[name] = found
	return found
}

// throughPath resolves a dotted name as an import path plus a member. An import of a member may resolve only to its
// type, so a shorter path can be more exact.
func (f *follower) throughPath(name string) []destination {
	var nearest []destination
	if !lower(name, f.rules.Lower) {
		return nil
	}
	for before := parent(name); before != ""; before = parent(before) {
		imp := Import{Path: strings.ReplaceAll(before, ".", f.rules.Paths)}
		found := named(f.ask(&imp, name[len(before)+1:]))
		if slices.ContainsFunc(found, func(d destination) bool { return last(d.away.Name) == last(name) }) {
			return found
		}
		if nearest == nil {
			nearest = found
		}
	}
	return nearest
}

func lower(name string, n int) bool {
	for ; n > 0; n-- {
		if name == "" || name[0] < 'a' || name[0] > 'z' {
			return false
		}
		_, name, _ = strings.Cut(name, ".")
	}
	return true
}

// askedPlaces is the number of forwarding places that cost as much time as one query of an import.
const askedPlaces = 8

// throughAny queries the wildcard imports and, if imports bind whole modules, those with an unknown local name.
func (f *follower) throughAny(name string) []destination {
	var found []destination
	for _, imp := range f.bound.wild {
		if f.left -= askedPlaces; f.left < 0 {
			return nil
		}
		asked := name
		if f.rules.Modules && imp.As != "." {
			_, asked, _ = strings.Cut(name, ".")
		}
		if asked != "" {
			for _, d := range named(f.ask(imp, asked)) {
				if own := last(d.away.Name); own == first(asked) || !strings.HasSuffix(imp.Path, own) { // the imported module itself is not what it has
					found = append(found, d)
				}
			}
		}
	}
	return found
}

func (f *follower) throughName(name string) []destination {
	var found []destination
	list := f.bound.names[first(name)]
	for _, b := range list {
		if f.rules.Paths != "" && b.imp.Guard == "" && b.imp.Line > list[0].imp.Line { // of a path in the code, which binds no name
			continue
		}
		found = append(found, f.lead(b.imp, b.name+name[len(first(name)):])...)
	}
	return found
}

func (f *follower) throughModule(name string) []destination {
	var found []destination
	for before := name; before != ""; before = parent(before) {
		member := strings.TrimPrefix(name[len(before):], ".")
		for _, i := range f.bound.whole[before].of(first(member)) {
			found = append(found, f.lead(&f.unit.File.Imports[i], member)...)
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// lead resolves a name in the import's target. An empty name means the whole target.
func (f *follower) lead(imp *Import, name string) []destination {
	found := f.ask(imp, name)
	if found == nil {
		d := destination{node: -1, away: Use{imp.Path, cmp.Or(name, "*")}, outside: true, certain: true}
		if _, rest, ok := strings.Cut(name, "."); ok {
			d.away.Name, d.rest = first(name), rest
		}
		return []destination{d}
	}
	if exact := named(found); exact != nil {
		return exact
	}
	return found
}

// ask resolves a name in the repository modules that an import leads to. It finds nothing once the budget for lookups
// in forwarding places is spent.
func (f *follower) ask(imp *Import, name string) []destination {
	r := f.resolvers[f.unit.File.Language]
	if r == nil || f.left < 0 {
		return nil
	}
	one := *imp
	one.Names, one.All = []Name{{Name: name}}, name == ""
	if one.All {
		one.Names = nil
	}
	var found []destination
	for _, use := range f.linker.uses("", r.Resolve(f.unit.Path, one), &f.left) {
		if use.Name != "" {
			found = append(found, f.arrive(use, name))
		}
	}
	return found
}

// arrive makes a destination of a use, which may lead back into this module.
func (f *follower) arrive(use Use, name string) destination {
	d := destination{node: -1, away: use, certain: !unnamed(use.Name)}
	_, member, _ := strings.Cut(name, ".")
	for rest := ""; d.certain; {
		if use.Name == name || strings.HasSuffix(use.Name, "."+name) {
			d.rest = rest
			break
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 { // forwarded under another name
			if !strings.HasSuffix(use.Name, "."+member) {
				d.rest = member
			}
			break
		}
		rest = strings.TrimSuffix(name[at+1:]+"."+rest, ".")
		name = name[:at]
	}
	if use.Module != f.module {
		return d
	}
	if !d.certain {
		d.node = f.all(use.Name)
	} else if i, ok := f.byName[use.Name]; ok {
		d.node = i
	}
	return d
}

func unnamed(name string) bool { return name == "*" || strings.HasSuffix(name, ".*") }

func named(list []destination) []destination {
	var out []destination
	for _, d := range list {
		if d.certain {
			out = append(out, d)
		}
	}
	return out
}
