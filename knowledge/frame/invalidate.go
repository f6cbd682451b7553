package frame

import (
	"fmt"
	"slices"
	"strings"
)

// InvalidatePremise invalidates a frame whose premise changed, and all frames below it, which were asked in its
// context. Citing frames are unaffected, because new conclusions may be the same.
//
// It returns the frames that were valid until now. Statuses do not change.
func (t *Tree) InvalidatePremise(id, reason string) ([]string, error) {
	n, err := t.f.start(id, reason)
	if err != nil {
		return nil, err
	}
	fallen := t.f.cascade(reason, []fall{{frame: n}}, func(n *node) []*node {
		children := make([]*node, len(n.Children))
		for i, child := range n.Children {
			children[i] = t.f.frames[child]
		}
		return children
	})
	return fallen, nil
}

// InvalidateConclusion invalidates the frames that cite a changed conclusion, directly or indirectly, but not their
// children. The frame itself becomes invalid only if citations form a cycle. It returns the frames that were valid
// until now.
func (t *Tree) InvalidateConclusion(id, reason string) ([]string, error) {
	n, err := t.f.start(id, reason)
	if err != nil {
		return nil, err
	}
	citing := func(n *node) []*node { return t.f.citing(n.ID) }
	origin := &fall{frame: n}
	var first []fall
	for _, user := range citing(n) {
		first = append(first, fall{user, origin})
	}
	return t.f.cascade(reason, first, citing), nil
}

func (f *forest) start(id, reason string) (*node, error) {
	n, err := f.get(id)
	if err != nil {
		return nil, err
	}
	if err := checkText("reason", reason); err != nil {
		return nil, fmt.Errorf("invalidate frame %s: %w", id, err)
	}
	return n, nil
}

type fall struct {
	frame *node
	from  *fall
}

// cascade invalidates frames transitively. It also follows invalidated ones, whose dependents may still be valid.
func (f *forest) cascade(reason string, queue []fall, follow func(*node) []*node) []string {
	var fallen []*node
	seen := make(map[*node]bool)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if seen[next.frame] {
			continue
		}
		seen[next.frame] = true
		if next.frame.Validity == Valid {
			next.frame.Validity = Invalidated
			next.frame.ValidityReason = reason + next.chain()
			fallen = append(fallen, next.frame)
		}
		for _, n := range follow(next.frame) {
			if !seen[n] {
				queue = append(queue, fall{n, &next})
			}
		}
	}
	f.sort(fallen)
	ids := make([]string, len(fallen))
	for i, n := range fallen {
		ids[i] = n.ID
	}
	return ids
}

// maxChain limits the frames in a reason, which must not grow with the depth of a tree.
const maxChain = 8

func (l fall) chain() string {
	var ids []string
	for from := l.from; from != nil; from = from.from {
		if len(ids) == maxChain {
			ids = append(ids, "…")
			break
		}
		ids = append(ids, from.frame.ID)
	}
	if ids == nil {
		return ""
	}
	slices.Reverse(ids)
	return "; by way of frame " + strings.Join(ids, " → ")
}
