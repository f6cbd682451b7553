package source

import "slices"

type digraph struct {
	edges [][]int
	// component is the number of each node's strongly connected component, set by components.
	component []int
}

// closures digests each node with everything reachable from it. The nodes of a cycle combine the digest of their
// strongly connected component with their names, which keeps the work linear in nodes and edges.
func (g *digraph) closures(name func(i int) string, own func(i int) Digest) []Digest {
	out := make([]Digest, len(g.edges))
	h := NewHasher()
	var parts, below []string
	for _, component := range g.components() {
		parts, below = parts[:0], below[:0]
		for _, i := range component {
			parts = append(parts, name(i)+" "+string(own(i)))
			for _, to := range g.edges[i] {
				if g.component[to] != g.component[i] {
					below = append(below, string(out[to]))
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
			out[i] = shared
			if len(component) > 1 {
				out[i] = DigestOf(name(i), string(shared))
			}
		}
	}
	return out
}

// components lists the strongly connected components in reverse topological order. It is Tarjan's algorithm with an
// explicit stack, because reference chains can be long.
func (g *digraph) components() [][]int {
	n := len(g.edges)
	g.component = make([]int, n)
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
