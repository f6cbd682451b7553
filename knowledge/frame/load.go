package frame

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
)

// LoadError reports an invalid frame given to Load.
type LoadError struct {
	Position int // index in the list
	FrameID  string
	Err      error
}

// Error returns the message with the frame's ID.
func (e *LoadError) Error() string {
	if e.FrameID == "" {
		return fmt.Sprintf("frame %d of the list: %v", e.Position+1, e.Err)
	}
	return fmt.Sprintf("frame %s: %v", e.FrameID, e.Err)
}

// Unwrap returns the underlying error.
func (e *LoadError) Unwrap() error { return e.Err }

// Load builds a tree from the frames that View.Frames returned. Invalid frames, or frames that do not form trees, are
// a *LoadError. Citations of missing frames are valid here, and Verify reports them.
func Load(sessionID string, frames []Frame) (*Tree, error) {
	t := NewTree(sessionID)
	nodes := make([]*node, len(frames))
	for i := range frames {
		n, err := load(&frames[i])
		if err == nil && t.f.frames[n.ID] != nil {
			err = errors.New("there are two frames with this id")
		}
		if err != nil {
			return nil, &LoadError{i, frames[i].ID, err}
		}
		nodes[i] = n
		t.f.frames[n.ID] = n
		if n.ParentID == "" {
			t.f.roots = append(t.f.roots, n.ID)
		}
	}
	parents := make(map[string]string, len(nodes))
	for i, n := range nodes {
		if err := t.f.adopt(n, parents); err != nil {
			return nil, &LoadError{i, n.ID, err}
		}
	}
	for i, n := range nodes {
		if err := t.f.checkParent(n, parents); err != nil {
			return nil, &LoadError{i, n.ID, err}
		}
	}
	if err := t.f.checkCycles(nodes); err != nil {
		return nil, err
	}
	for _, n := range nodes {
		t.f.cite(n, n.cited)
	}
	return t, nil
}

func load(f *Frame) (*node, error) {
	if f.ID == "" || !utf8.ValidString(f.ID) {
		return nil, errors.New("frame_id is empty or not valid UTF-8")
	}
	if err := checkText("query", f.Query); err != nil {
		return nil, err
	}
	if err := f.checkStates(); err != nil {
		return nil, err
	}
	if err := f.checkConcluded(); err != nil {
		return nil, err
	}
	evidence := make([]fact.Observation, len(f.Evidence))
	for i, text := range f.Evidence {
		var err error
		if evidence[i], err = fact.Parse(text); err != nil {
			return nil, err
		}
	}
	n := &node{Frame: f.Clone()}
	var err error
	if n.Evidence, n.cited, err = collect(evidence); err != nil {
		return nil, err
	}
	n.ContextSlice, err = normalizeSlice(f.ContextSlice)
	return n, err
}

func (f *Frame) checkStates() error {
	if !slices.Contains([]Status{Active, Suspended, Completed}, f.Status) {
		return fmt.Errorf("unknown status %q: it is active, suspended or completed", f.Status)
	}
	if !slices.Contains([]Validity{Valid, Invalidated}, f.Validity) {
		return fmt.Errorf("unknown validity %q: it is valid or invalidated", f.Validity)
	}
	if (f.Validity == Invalidated) != (f.ValidityReason != "") {
		return errors.New("validity_reason must be given when the frame is invalidated, and only then")
	}
	return nil
}

func (f *Frame) checkConcluded() error {
	if f.Conclusion != "" {
		return checkConclusion(f.Conclusion, f.Confidence, f.InvalidationCondition)
	}
	switch {
	case f.Status == Completed:
		return errors.New("it is completed without a conclusion")
	case len(f.Evidence) > 0 || f.InvalidationCondition != "" || f.Confidence != 0 || math.Signbit(f.Confidence):
		return errors.New("it has evidence, a confidence or an invalidation_condition, but no conclusion")
	}
	return nil
}

func (f *forest) adopt(n *node, parents map[string]string) error {
	for _, id := range n.Children {
		child := f.frames[id]
		switch {
		case child == nil:
			return fmt.Errorf("its child %q is missing", id)
		case child.ParentID != n.ID:
			return fmt.Errorf("its child %s names %q as its parent", id, child.ParentID)
		case parents[id] != "":
			return fmt.Errorf("it names its child %s twice", id)
		}
		parents[id] = n.ID
	}
	return nil
}

func (f *forest) checkParent(n *node, parents map[string]string) error {
	if n.ParentID == "" {
		if n.Depth != 0 {
			return fmt.Errorf("its depth is %d, but it has no parent", n.Depth)
		}
		return nil
	}
	parent := f.frames[n.ParentID]
	switch {
	case parent == nil:
		return fmt.Errorf("its parent %q is missing", n.ParentID)
	case parents[n.ID] != n.ParentID:
		return fmt.Errorf("its parent %s does not name it as a child", n.ParentID)
	}
	return nil
}

// checkCycles finds frames that are unreachable from a root. In a cycle depths cannot be right, so they come last.
func (f *forest) checkCycles(nodes []*node) error {
	reached := make(map[*node]bool, len(nodes))
	for _, n := range f.ordered() {
		reached[n] = true
	}
	for i, n := range nodes {
		if !reached[n] {
			return &LoadError{i, n.ID, errors.New("its parents go round in a cycle: no root leads to it")}
		}
	}
	for i, n := range nodes {
		if parent := f.frames[n.ParentID]; parent != nil && n.Depth != parent.Depth+1 {
			return &LoadError{i, n.ID, fmt.Errorf("its depth is %d, but that of its parent is %d", n.Depth, parent.Depth)}
		}
	}
	return nil
}
