package frame

import (
	"fmt"
	"slices"
)

// Refine asks a narrower question in the same direction, as a child of the frame.
func (t *Tree) Refine(id, query string, slice map[string]any) (string, error) {
	return t.Spawn(id, query, slice)
}

// Pivot suspends a frame and the branch below it, and asks a new frame under the same parent.
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

// Backtrack starts over: it suspends the prior frame's whole call tree and asks a new root. Repeating the question
// and context of that root or an earlier one is an error, because it would be the same frame.
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

// Suspend suspends a frame and all active frames below it. A completed frame cannot be suspended.
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

// Resume resumes a suspended frame and its suspended callers. An invalidated frame must pass Revalidate first.
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

// ConditionHolds reports whether an invalidation condition holds, and why.
type ConditionHolds func(condition string) (holds bool, why string, err error)

// Revalidate makes an invalidated frame valid if its invalidation condition no longer holds. Its parent and cited
// frames must be valid. Frames below it and its status do not change. A frame without a conclusion has no condition.
func (t *Tree) Revalidate(id string, holds ConditionHolds) error {
	n, err := t.f.get(id)
	if err != nil || n.Validity == Valid {
		return err
	}
	if err := t.f.supported(n, n.cited); err != nil {
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
