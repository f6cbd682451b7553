package frame

import (
	"fmt"
	"slices"
)

// Refine asks a narrower question in the same direction: a child, while the parent stays as it is.
func (t *Tree) Refine(id, query string, slice map[string]any) (string, error) {
	return t.Spawn(id, query, slice)
}

// Pivot leaves a direction for another one: the prior frame is suspended with the branch below it, and the new frame
// is asked beside it, under the same parent, with branched_from naming the prior one.
func (t *Tree) Pivot(priorID, query string, slice map[string]any) (string, error) {
	prior, err := t.f.get(priorID)
	if err != nil {
		return "", err
	}
	id, err := t.f.ask(prior.ParentID, priorID, query, slice)
	if err != nil {
		return "", fmt.Errorf("pivot from frame %s: %w", priorID, err)
	}
	t.f.setAside(prior)
	return id, nil
}

// Backtrack starts over: the whole call tree that the prior frame belongs to is suspended, and a new root is asked.
// Starting over with the very question and context of that root or an earlier one would be the same frame again, and is
// an error.
func (t *Tree) Backtrack(priorID, query string, slice map[string]any) (string, error) {
	prior, err := t.f.get(priorID)
	if err != nil {
		return "", err
	}
	top := prior
	for top.ParentID != "" {
		top = t.f.frames[top.ParentID]
	}
	id, err := t.f.ask("", "", query, slice)
	if err != nil {
		return "", fmt.Errorf("backtrack from frame %s: %w", priorID, err)
	}
	if slices.Index(t.f.roots, id) <= slices.Index(t.f.roots, top.ID) {
		return "", fmt.Errorf("backtrack from frame %s: root %s asked the same with the same context before; resume it, "+
			"or distinguish the attempts in the context slice", priorID, id)
	}
	t.f.setAside(top)
	return id, nil
}

// Suspend sets a branch aside without another one taking its place: the frame and all below it that is active.
// A completed frame has nothing to suspend, which is an error.
func (t *Tree) Suspend(id string) error {
	n, err := t.f.get(id)
	if err != nil {
		return err
	}
	if n.Status == Completed {
		return fmt.Errorf("frame %s is completed: it cannot be suspended", id)
	}
	t.f.setAside(n)
	return nil
}

// Resume takes up a suspended frame again, and with it the suspended callers above it, since a call does not run
// without its caller. What else was set aside with the branch stays so and can be resumed by itself. A frame that is
// invalidated must pass Revalidate before.
func (t *Tree) Resume(id string) error {
	n, err := t.f.get(id)
	if err != nil {
		return err
	}
	if n.Status != Suspended {
		return fmt.Errorf("frame %s is %s: only a suspended frame can be resumed", id, n.Status)
	}
	branch, err := t.f.resumed(n)
	if err != nil {
		return fmt.Errorf("resume frame %s: %w", id, err)
	}
	for _, n := range branch {
		n.Status = Active
	}
	return nil
}

// resumed lists the frames that become active when n is resumed: itself and the suspended ones above it.
func (f *forest) resumed(n *node) ([]*node, error) {
	var branch []*node
	for n != nil && n.Status == Suspended {
		if n.Validity == Invalidated {
			return nil, fmt.Errorf("frame %s is invalidated (%s): revalidate it first", n.ID, n.ValidityReason)
		}
		branch = append(branch, n)
		n = f.frames[n.ParentID]
	}
	return branch, nil
}

// ConditionHolds says whether an invalidation condition holds now, and why.
type ConditionHolds func(condition string) (holds bool, why string, err error)

// Revalidate makes an invalidated frame valid again when its invalidation condition no longer holds. Its parent and
// the frames that it cites must be valid: what they stand on is revalidated first. Frames below it stay as they are.
// A frame that has not concluded has no condition, and nothing in it that could be wrong. The status does not change.
func (t *Tree) Revalidate(id string, holds ConditionHolds) error {
	n, err := t.f.get(id)
	if err != nil || n.Validity == Valid {
		return err
	}
	if err := t.f.supported(n, n.keys); err != nil {
		return fmt.Errorf("revalidate frame %s: %w", id, err)
	}
	if n.InvalidationCondition != "" {
		still, why, err := holds(n.InvalidationCondition)
		if err != nil {
			return fmt.Errorf("revalidate frame %s: %w", id, err)
		}
		if still {
			return fmt.Errorf("frame %s stays invalidated: %s holds: %s", id, n.InvalidationCondition, why)
		}
	}
	n.Validity, n.ValidityReason = Valid, ""
	return nil
}

// setAside suspends what is active in the branch that begins with n.
func (f *forest) setAside(n *node) {
	stack := []*node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.Status == Active {
			n.Status = Suspended
		}
		for _, child := range n.Children {
			stack = append(stack, f.frames[child])
		}
	}
}
