package source

import (
	"slices"
	"strings"
)

// deepen sets each declaration's deep digest: its interface with the deep digests of the module's declarations that
// it reaches.
func (m Module) deepen(declared []Declared) {
	g := newGraph(m, declared)
	digests := g.closures(
		func(i int) string { return declared[i].Name },
		func(i int) Digest { return declared[i].Interface },
	)
	for i := range declared {
		declared[i].Deep = digests[i]
	}
}

type graph struct {
	digraph

	declared []Declared
	byName   map[string]int
	scopes   map[string]bool // the prefixes before a dot in other names
	name     []byte
}

func newGraph(m Module, declared []Declared) *graph {
	g := &graph{
		digraph: digraph{edges: make([][]int, len(declared))}, declared: declared,
		byName: make(map[string]int, len(declared)), scopes: map[string]bool{},
	}
	for i := range declared {
		if declared[i].Hidden {
			continue
		}
		g.byName[declared[i].Name] = i
		for scope := parent(declared[i].Name); scope != "" && !g.scopes[scope]; scope = parent(scope) {
			g.scopes[scope] = true
		}
	}
	bindings := m.bindings()
	for i := range declared {
		d := &declared[i]
		for _, ref := range d.Refs {
			if to, ok := g.lookup(d, ref, bindings[d.Path]); ok && to != i {
				g.edges[i] = append(g.edges[i], to)
			}
		}
		g.members(i)
		slices.Sort(g.edges[i])
		g.edges[i] = slices.Compact(g.edges[i])
	}
	return g
}

// members adds edges from a type to its selectable members. For an unexported type all members count, because the
// caller may select any of them. A file with the same name as the declaration contributes no members.
func (g *graph) members(i int) {
	d := &g.declared[i]
	if !g.scopes[d.Name] {
		return
	}
	for j := i + 1; j < len(g.declared) && strings.HasPrefix(g.declared[j].Name, d.Name); j++ {
		member := &g.declared[j]
		switch next := member.Name[len(d.Name)]; {
		case next > '.':
			return // sorted by name: no more members follow
		case next == '.' && inFile(member) == inFile(d) && !member.Hidden && (member.Exported || !d.Exported):
			g.edges[i] = append(g.edges[i], j)
		}
	}
}

func inFile(d *Declared) string { return strings.TrimSuffix(d.Name, d.Symbol.Name) }

// lookup resolves a reference in d: from the innermost scope outwards, then through the file's imports. Of a dotted
// reference it takes the longest known prefix.
func (g *graph) lookup(d *Declared, ref string, bound map[string]string) (int, bool) {
	prefix := inFile(d)
	for name := ref; name != ""; name = parent(name) {
		for scope := d.Symbol.Name; scope != ""; scope = parent(scope) {
			g.name = append(append(g.name[:0], prefix...), scope...)
			if !g.scopes[string(g.name)] {
				continue
			}
			g.name = append(append(g.name, '.'), name...)
			if i, ok := g.byName[string(g.name)]; ok {
				return i, true
			}
		}
		g.name = append(append(g.name[:0], prefix...), name...)
		if i, ok := g.byName[string(g.name)]; ok {
			return i, true
		}
		if target, ok := bound[name]; ok {
			if i, ok := g.byName[target]; ok {
				return i, true
			}
		}
		if i, ok := g.byName[name]; ok {
			return i, true
		}
	}
	return 0, false
}

func parent(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i]
	}
	return ""
}

// bindings maps, per file, the local names bound by imports to names of the same directory. It guesses the imported
// file from the last path element; a wrong guess matches nothing.
func (m Module) bindings() map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, u := range m.Units {
		if !u.File.Scoped {
			continue
		}
		local := map[string]string{}
		for _, imp := range u.File.Imports {
			stem := imp.Path[strings.LastIndexAny(imp.Path, "/.:")+1:]
			for _, n := range imp.Names {
				as := n.As
				if as == "" {
					as = n.Name
				}
				local[as] = Prefix(stem, true) + n.Name
			}
		}
		out[u.Path] = local
	}
	return out
}
