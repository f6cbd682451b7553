package source

import (
	"slices"
	"strings"
)

// deepen computes the deep digests: each declaration's own interface with the deep digests of the module's
// declarations that it reaches. Declarations that reach each other share one digest of their strongly connected
// component, so that the work is linear in declarations and references.
func (m Module) deepen(declared []Declared) {
	g := newGraph(m, declared)
	h := NewHasher()
	var parts, below []string
	for _, component := range g.components() {
		parts, below = parts[:0], below[:0]
		for _, i := range component {
			parts = append(parts, declared[i].Name+" "+string(declared[i].Interface))
			for _, to := range g.edges[i] {
				if g.component[to] != g.component[i] {
					below = append(below, string(declared[to].Deep))
				}
			}
		}
		slices.Sort(parts)
		slices.Sort(below)
		h.Reset()
		for _, p := range parts {
			h.Add(p)
		}
		h.Add("reaches")
		for _, b := range slices.Compact(below) {
			h.Add(b)
		}
		shared := h.Sum()
		for _, i := range component {
			declared[i].Deep = shared
			if len(component) > 1 {
				declared[i].Deep = DigestOf(declared[i].Name, string(shared))
			}
		}
	}
}

// graph holds, for each declaration by its number, the declarations that it reaches at one step.
type graph struct {
	declared []Declared // sorted by name
	byName   map[string]int
	scopes   map[string]bool // the names that stand before a dot in others
	edges    [][]int
	// component is the number of each declaration's component, once components has run.
	component []int
	name      []byte // that is being looked up
}

func newGraph(m Module, declared []Declared) *graph {
	g := &graph{
		declared: declared, byName: make(map[string]int, len(declared)), scopes: map[string]bool{},
		edges: make([][]int, len(declared)), component: make([]int, len(declared)),
	}
	for i := range declared {
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

// members adds the edges from a type to what can be selected from a value of it. Of a type that is not exported but
// reached, all members count: whether they can be selected is not known here. The names of a file that is called like the
// declaration are none.
func (g *graph) members(i int) {
	d := &g.declared[i]
	if !g.scopes[d.Name] {
		return
	}
	for j := i + 1; j < len(g.declared) && strings.HasPrefix(g.declared[j].Name, d.Name); j++ {
		member := &g.declared[j]
		switch next := member.Name[len(d.Name)]; {
		case next > '.':
			return // sorted by name: the members are behind
		case next == '.' && inFile(member) == inFile(d) && (member.Exported || !d.Exported):
			g.edges[i] = append(g.edges[i], j)
		}
	}
}

// inFile is what a declaration's name has before it in the module: the name of its file, where files have scopes.
func inFile(d *Declared) string { return strings.TrimSuffix(d.Name, d.Symbol.Name) }

// lookup finds the declaration that a reference in d means: from the innermost scope outwards, then through the
// file's imports; of a dotted reference the longest known beginning.
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

// bindings maps, per file, the local names that its imports bind to names of the same directory. Which file an
// import means is guessed from the last element of its path; a wrong guess names nothing.
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

// components lists the strongly connected components, those that are reached before those that reach them
// (Tarjan's algorithm with its own stack: chains of references can be long).
func (g *graph) components() [][]int {
	n := len(g.edges)
	index, low, onStack := make([]int, n), make([]int, n), make([]bool, n)
	members := make([]int, 0, n)
	var stack []int
	var out [][]int
	next := 1
	type call struct{ node, edge int }
	var calls []call
	for root := range n {
		if index[root] != 0 {
			continue
		}
		calls = append(calls, call{root, 0})
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.node
			if c.edge == 0 {
				index[v], low[v] = next, next
				next++
				stack, onStack[v] = append(stack, v), true
			}
			if c.edge < len(g.edges[v]) {
				w := g.edges[v][c.edge]
				c.edge++
				if index[w] == 0 {
					calls = append(calls, call{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			if low[v] == index[v] {
				first := len(members)
				for {
					w := stack[len(stack)-1]
					stack, onStack[w] = stack[:len(stack)-1], false
					members = append(members, w)
					g.component[w] = len(out)
					if w == v {
						break
					}
				}
				out = append(out, members[first:])
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].node
				low[p] = min(low[p], low[v])
			}
		}
	}
	return out
}
