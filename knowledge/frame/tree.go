package frame

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/fact"
)

// Tree owns the frames of one session, and is also a View of them. It must not be read during a change.
type Tree struct {
	View
}

// NewTree returns an empty tree for a session.
func NewTree(sessionID string) *Tree {
	return &Tree{View{&forest{session: sessionID, frames: map[string]*node{}, users: map[string][]*node{}}}}
}

// Start asks the root question of a call tree and returns its frame. It copies the context slice, which may hold
// null, bool, int, float64, string, and lists and maps of them. Whole floats become int.
//
// The ID derives from the session, the parent, the query and the slice, so repeating the question returns the
// existing frame. A separate attempt needs a different slice, for example with an "attempt" number.
func (t *Tree) Start(query string, slice map[string]any) (string, error) {
	return t.f.ask("", "", query, slice)
}

// Spawn asks a child question, as in Start. The parent must be valid and not suspended.
func (t *Tree) Spawn(parentID, query string, slice map[string]any) (string, error) {
	if _, err := t.f.get(parentID); err != nil {
		return "", err
	}
	return t.f.ask(parentID, "", query, slice)
}

// Conclude records the conclusion of a frame with its evidence, confidence and invalidation condition. It removes
// duplicate evidence. A new conclusion replaces an earlier one and makes an invalidated frame valid, so neither its
// parent nor its cited frames may be invalidated. A suspended frame cannot conclude.
func (t *Tree) Conclude(id, conclusion string, evidence []fact.Observation, confidence float64, invalidationCondition string) error {
	n, err := t.f.get(id)
	if err != nil {
		return err
	}
	if n.Status == Suspended {
		return fmt.Errorf("frame %s is suspended: resume it before it concludes", id)
	}
	texts, cited, err := collect(evidence)
	if err == nil {
		err = checkConclusion(conclusion, confidence, invalidationCondition)
	}
	if err == nil {
		err = t.f.supported(n, cited)
	}
	if err != nil {
		return fmt.Errorf("conclude frame %s: %w", id, err)
	}
	n.Conclusion, n.Confidence, n.InvalidationCondition = conclusion, confidence, invalidationCondition
	n.Validity, n.ValidityReason = Valid, ""
	n.Evidence = texts
	t.f.cite(n, cited)
	return nil
}

// Complete ends an active frame with a conclusion. It is idempotent.
func (t *Tree) Complete(id string) error {
	n, err := t.f.get(id)
	if err != nil {
		return err
	}
	switch {
	case n.Status == Suspended:
		return fmt.Errorf("frame %s is suspended: resume it before it completes", id)
	case n.Conclusion == "":
		return fmt.Errorf("frame %s has no conclusion to complete with", id)
	}
	n.Status = Completed
	return nil
}

func checkConclusion(conclusion string, confidence float64, condition string) error {
	if err := checkText("conclusion", conclusion); err != nil {
		return err
	}
	if math.IsNaN(confidence) || confidence < 0 || confidence > 1 {
		return fmt.Errorf("confidence %v is not between 0 and 1", confidence)
	}
	return checkText("invalidation condition", condition)
}

func checkText(what, text string) error {
	if text == "" {
		return fmt.Errorf("the %s is empty", what)
	}
	if !utf8.ValidString(text) {
		return fmt.Errorf("the %s is not valid UTF-8", what)
	}
	return nil
}

func collect(evidence []fact.Observation) (texts, cited []string, err error) {
	seen := make(map[string]bool, len(evidence))
	for _, e := range evidence {
		if err := e.Check(); err != nil {
			return nil, nil, err
		}
		text := e.String()
		if seen[text] {
			continue
		}
		seen[text] = true
		texts = append(texts, text)
		if e.Family == fact.Frames {
			cited = append(cited, e.Name)
		}
	}
	slices.Sort(cited)
	return texts, slices.Compact(cited), nil
}

type forest struct {
	session string
	frames  map[string]*node
	roots   []string
	order   []*node            // in call order; nil after an addition
	sorting sync.Mutex         // guards order, which concurrent views compute on demand
	users   map[string][]*node // the frames that cite a frame, by its ID
}

type node struct {
	Frame
	cited []string // IDs of the frames in the evidence, sorted
	rank  int      // index in forest.order
}

func (f *forest) get(id string) (*node, error) {
	if n := f.frames[id]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("frame %q is not in session %q", id, f.session)
}

func (f *forest) ask(parentID, branchedFrom, query string, slice map[string]any) (string, error) {
	if err := checkText("query", query); err != nil {
		return "", err
	}
	copied, err := normalizeSlice(slice)
	if err != nil {
		return "", err
	}
	id, err := deriveID(f.session, parentID, query, copied)
	if err != nil {
		return "", err
	}
	if asked := f.frames[id]; asked != nil {
		if branchedFrom != "" && asked.BranchedFrom != branchedFrom {
			return "", fmt.Errorf("frame %s asks this already on another branch: resume it, or distinguish the attempts "+
				"in the context slice", id)
		}
		return id, nil
	}
	added := &node{Frame: Frame{
		ID: id, ParentID: parentID, Query: query, ContextSlice: copied,
		Status: Active, BranchedFrom: branchedFrom, Validity: Valid,
	}}
	if err := f.attach(added); err != nil {
		return "", err
	}
	return id, nil
}

func (f *forest) attach(n *node) error {
	if parent := f.frames[n.ParentID]; parent == nil {
		f.roots = append(f.roots, n.ID)
	} else {
		if parent.Status == Suspended {
			return fmt.Errorf("frame %s is suspended: resume it before it spawns", parent.ID)
		}
		if parent.Validity == Invalidated {
			return fmt.Errorf("frame %s is invalidated (%s): it cannot spawn", parent.ID, parent.ValidityReason)
		}
		n.Depth = parent.Depth + 1
		parent.Children = append(parent.Children, n.ID)
	}
	f.frames[n.ID] = n
	f.order = nil
	return nil
}

func (f *forest) supported(n *node, cited []string) error {
	if parent := f.frames[n.ParentID]; parent != nil && parent.Validity == Invalidated {
		return fmt.Errorf("its parent %s is invalidated: %s", parent.ID, parent.ValidityReason)
	}
	for _, id := range cited {
		from := f.frames[id]
		if from == n {
			return errors.New("it cites itself as evidence")
		}
		if from != nil && from.Validity == Invalidated {
			return fmt.Errorf("its evidence, frame %s, is invalidated: %s", id, from.ValidityReason)
		}
	}
	return nil
}

// ordered returns all frames in call order. It does not recurse, because trees may be deep.
func (f *forest) ordered() []*node {
	if f == nil {
		return nil
	}
	f.sorting.Lock()
	defer f.sorting.Unlock()
	if f.order != nil {
		return f.order
	}
	f.order = make([]*node, 0, len(f.frames))
	var stack []string
	for _, root := range slices.Backward(f.roots) {
		stack = append(stack, root)
	}
	for len(stack) > 0 {
		n := f.frames[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		n.rank = len(f.order)
		f.order = append(f.order, n)
		for _, child := range slices.Backward(n.Children) {
			stack = append(stack, child)
		}
	}
	return f.order
}
