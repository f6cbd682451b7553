package frame

import "slices"

// View reads the frames of a session. It returns deep copies of the current state. The zero View is empty.
type View struct {
	f *forest
}

// SessionID returns the session of the frames.
func (v View) SessionID() string {
	if v.f == nil {
		return ""
	}
	return v.f.session
}

// Len returns the number of frames.
func (v View) Len() int { return len(v.f.ordered()) }

// Frame returns one frame.
func (v View) Frame(id string) (Frame, bool) {
	if v.f == nil || v.f.frames[id] == nil {
		return Frame{}, false
	}
	return v.f.frames[id].Clone(), true
}

// Asked returns the frame that Tree.Spawn would add or return, without changing the tree.
func (v View) Asked(parentID, query string, slice map[string]any) (Frame, error) {
	parent, err := v.f.get(parentID)
	if err != nil {
		return Frame{}, err
	}
	copied, err := normalizeSlice(slice)
	if err != nil {
		return Frame{}, err
	}
	id, err := deriveID(v.f.session, parentID, query, copied)
	if err != nil {
		return Frame{}, err
	}
	if f, ok := v.Frame(id); ok {
		return f, nil
	}
	return Frame{
		ID: id, Depth: parent.Depth + 1, ParentID: parentID, Query: query, ContextSlice: copied, Status: Active, Validity: Valid,
	}, nil
}

// Frames returns all frames.
func (v View) Frames() []Frame {
	return v.where(func(*node) bool { return true })
}

// Roots returns the IDs of the frames without a parent, the session's first root first.
func (v View) Roots() []string {
	if v.f == nil {
		return nil
	}
	return slices.Clone(v.f.roots)
}

// Active returns the active frames.
func (v View) Active() []Frame {
	return v.where(func(n *node) bool { return n.Status == Active })
}

// Suspended returns the suspended frames, including invalidated ones.
func (v View) Suspended() []Frame {
	return v.where(func(n *node) bool { return n.Status == Suspended })
}

func (v View) where(keep func(*node) bool) []Frame {
	var found []Frame
	for _, n := range v.f.ordered() {
		if keep(n) {
			found = append(found, n.Clone())
		}
	}
	return found
}
