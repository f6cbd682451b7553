package frame

import "slices"

// View reads the frames of a session. Whatever it returns is a deep copy: nothing that is done to it reaches the
// tree. It shows the tree as it is at each call. The zero View is empty.
type View struct {
	f *forest
}

// SessionID is the session that the frames belong to.
func (v View) SessionID() string {
	if v.f == nil {
		return ""
	}
	return v.f.session
}

// Len is the number of frames.
func (v View) Len() int { return len(v.f.ordered()) }

// Frame returns one frame.
func (v View) Frame(id string) (Frame, bool) {
	if v.f == nil || v.f.frames[id] == nil {
		return Frame{}, false
	}
	return v.f.frames[id].Clone(), true
}

// Asked is the frame that Tree.Spawn would add for a child question, or has added for it already. Nothing changes, so that
// many questions can be prepared at once.
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

// Roots are the ids of the frames without a parent, the first one being where the session began.
func (v View) Roots() []string {
	if v.f == nil {
		return nil
	}
	return slices.Clone(v.f.roots)
}

// Active are the frames that are being followed now.
func (v View) Active() []Frame {
	return v.where(func(n *node) bool { return n.Status == Active })
}

// Suspended are the frames that were set aside, invalidated ones included.
func (v View) Suspended() []Frame {
	return v.where(func(n *node) bool { return n.Status == Suspended })
}

// Pivots are the frames that another one was set aside for.
func (v View) Pivots() []Frame {
	return v.where(func(n *node) bool { return n.BranchedFrom != "" })
}

// Resumable are the suspended frames that Resume would take up as they are: neither they nor a caller of theirs that
// would have to be resumed with them is invalidated.
func (v View) Resumable() []Frame {
	return v.where(func(n *node) bool {
		_, err := v.f.resumed(n)
		return n.Status == Suspended && err == nil
	})
}

// Invalidated are the frames that have fallen.
func (v View) Invalidated() []Frame {
	return v.where(func(n *node) bool { return n.Validity == Invalidated })
}

// FramesResting are the frames with evidence about the file itself: that they read it, or that it was absent.
func (v View) FramesResting(path string) []Frame { return copies(v.f.resting(pathKey(path))) }

// FramesListing are the frames that rest on the listing of a directory, which a file added to it or deleted from it
// changes.
func (v View) FramesListing(dir string) []Frame { return copies(v.f.resting(dirKey(dir))) }

// FramesCiting are the frames that hold a frame's conclusion as evidence.
func (v View) FramesCiting(id string) []Frame { return copies(v.f.resting(frameKey(id))) }

func (v View) where(keep func(*node) bool) []Frame {
	var found []Frame
	for _, n := range v.f.ordered() {
		if keep(n) {
			found = append(found, n.Clone())
		}
	}
	return found
}

func copies(nodes []*node) []Frame {
	var frames []Frame
	for _, n := range nodes {
		frames = append(frames, n.Clone())
	}
	return frames
}
