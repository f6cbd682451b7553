package frame

import (
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
)

// scanLimit is the tree size up to which lookups scan all frames. A session has 10 to 20, too few for an index.
const scanLimit = 100

func (f *forest) resting(key string) []*node {
	if f == nil {
		return nil
	}
	if f.index == nil {
		return f.scan(key)
	}
	return f.lookup(key)
}

func (f *forest) scan(key string) []*node {
	var found []*node
	for _, n := range f.ordered() {
		if _, ok := slices.BinarySearch(n.keys, key); ok {
			found = append(found, n)
		}
	}
	return found
}

func (f *forest) lookup(key string) []*node {
	found := slices.Clone(f.index[key])
	f.sort(found)
	return found
}

// sort sorts nodes in call order. A single node needs no order, which costs time linear in the tree.
func (f *forest) sort(nodes []*node) {
	if len(nodes) < 2 {
		return
	}
	f.ordered()
	slices.SortFunc(nodes, func(a, b *node) int { return a.rank - b.rank })
}

func (f *forest) grow() {
	if f.index != nil || len(f.frames) <= scanLimit {
		return
	}
	f.index = map[string][]*node{}
	for _, n := range f.ordered() {
		f.enter(n)
	}
}

func (f *forest) enter(n *node) {
	for _, key := range n.keys {
		f.index[key] = append(f.index[key], n)
	}
}

func (f *forest) rekey(n *node, keys []string) {
	if f.index == nil {
		n.keys = keys
		return
	}
	for _, key := range n.keys {
		left := slices.DeleteFunc(f.index[key], func(other *node) bool { return other == n })
		if f.index[key] = left; len(left) == 0 {
			delete(f.index, key)
		}
	}
	n.keys = keys
	f.enter(n)
}

func citedFrame(key string) string {
	id, ok := strings.CutPrefix(key, frameKey(""))
	if !ok {
		return ""
	}
	return id
}

func keyOf(o fact.Observation) string {
	switch o.Family {
	case fact.Files, fact.Absences:
		return pathKey(o.Name)
	case fact.Listings:
		return dirKey(o.Name)
	case fact.Frames:
		return frameKey(o.Name)
	}
	return ""
}

func pathKey(path string) string { return "path " + path }
func dirKey(dir string) string   { return "dir " + dir }
func frameKey(id string) string  { return "frame " + id }
