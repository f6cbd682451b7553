package frame

import "slices"

// citing returns the frames that cite a frame, in call order.
func (f *forest) citing(id string) []*node {
	found := slices.Clone(f.users[id])
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

// cite replaces the frames that a frame cites.
func (f *forest) cite(n *node, cited []string) {
	for _, id := range n.cited {
		left := slices.DeleteFunc(f.users[id], func(user *node) bool { return user == n })
		if f.users[id] = left; len(left) == 0 {
			delete(f.users, id)
		}
	}
	n.cited = cited
	for _, id := range cited {
		f.users[id] = append(f.users[id], n)
	}
}
