package frame

import (
	"fmt"
	"slices"
	"strings"
)

// InvalidatePremise is for when something that a frame set out from has changed: a file, a symbol, the interface of a
// dependency. The frame falls and all below it fall with it, top-down, since they were asked within its context.
// Frames that cite them are not touched: whether those conclusions come out differently is known once they are redone.
//
// It returns the frames that were valid until now. Statuses do not change, and a frame that had fallen before keeps
// its reason. The reason of each carries the chain that led to it.
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

// InvalidateConclusion is for when a frame now concludes something else. The frame itself, drawn anew, stands. The
// frames that hold it as evidence fall, and in turn those that hold these; never their other children, nor siblings.
// Evidence may go in circles: then the frame itself may fall too.
//
// It returns the frames that were valid until now, as InvalidatePremise does.
func (t *Tree) InvalidateConclusion(id, reason string) ([]string, error) {
	n, err := t.f.start(id, reason)
	if err != nil {
		return nil, err
	}
	citing := func(n *node) []*node { return t.f.resting(frameKey(n.ID)) }
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

// fall is a frame that falls and the fall that it follows from.
type fall struct {
	frame *node
	from  *fall
}

// cascade lets frames fall, and what follows from each. It goes on through frames that had fallen before, because what
// follows from those may not have.
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

// maxChain bounds the frames that a reason names: reasons must not grow with the depth of a tree.
const maxChain = 8

// chain names the frames by way of which a fall came, the origin first.
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
