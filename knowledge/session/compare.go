package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
)

// Comparison compares a new session with an earlier one. Lists of files are sorted, and frames are in call order.
type Comparison struct {
	SessionID  string `json:"session"`     // of the earlier session
	Prompt     string `json:"prompt"`      // its prompt
	SamePrompt bool   `json:"same_prompt"` // the prompts are equal except for white space
	// Files of the earlier session that changed since.
	Changed []string `json:"changed,omitempty"`
	Added   []string `json:"added,omitempty"` // deleted in the earlier session
	Deleted []string `json:"deleted,omitempty"`
	Fallen  []Fallen `json:"fallen,omitempty"`
	// Suspended lists the IDs of suspended frames, and Resumable the resumable ones for the same prompt.
	Suspended []string `json:"suspended,omitempty"`
	Resumable []string `json:"resumable,omitempty"`
}

// Fallen is an invalidated frame whose evidence changed.
type Fallen struct {
	FrameID string `json:"frame"`
	Why     string `json:"why"`
}

// Compare compares a new session with an earlier one. current must contain all files in scope, because a missing file
// counts as deleted.
//
// The observer re-checks the evidence of frames, as in frame.View.Verify, and the call tree propagates invalidations
// to child frames and citing frames. An invalidated suspended frame becomes valid again if its evidence is unchanged
// and its invalidation condition, which wrong evaluates, is false. The tree of the earlier session does not change.
func Compare(ctx context.Context, earlier Record, current Artifacts, observer frame.Observer, wrong frame.ConditionHolds) (Comparison, error) {
	c := Comparison{
		SessionID: earlier.SessionID, Prompt: earlier.InitialPrompt, SamePrompt: sameText(earlier.InitialPrompt, current.InitialPrompt),
	}
	c.compareFiles(earlier.Files, current.Files)
	if earlier.Tree.Len() == 0 {
		return c, nil
	}
	tree, err := frame.Load(earlier.SessionID, earlier.Tree.Frames())
	if err != nil {
		return Comparison{}, fmt.Errorf("compare with session %s: %w", earlier.SessionID, err)
	}
	differs := map[string]string{} // changed evidence by frame
	for _, f := range tree.Frames() {
		if err := ctx.Err(); err != nil {
			return Comparison{}, err
		}
		if differs[f.ID], err = difference(f, observer); err != nil {
			return Comparison{}, fmt.Errorf("compare with session %s: %w", earlier.SessionID, err)
		}
	}
	if err := c.fell(tree, differs); err != nil {
		return Comparison{}, err
	}
	return c, c.offer(tree, differs, wrong)
}

func difference(f frame.Frame, observer frame.Observer) (string, error) {
	var out []string
	for _, text := range f.Evidence {
		o, err := fact.Parse(text)
		if err != nil {
			return "", err
		}
		if o.Family == fact.Frames {
			continue // the cascade handles frames
		}
		holds, why, err := observer.Holds(o)
		if err != nil {
			return "", fmt.Errorf("frame %s: %s: %w", f.ID, text, err)
		}
		if !holds {
			out = append(out, why)
		}
	}
	return strings.Join(out, "; "), nil
}

// fell invalidates the frames with changed evidence, and the frames that depend on them.
func (c *Comparison) fell(tree *frame.Tree, differs map[string]string) error {
	for _, f := range tree.Frames() {
		why := differs[f.ID]
		if why == "" {
			continue
		}
		fallen, err := tree.InvalidatePremise(f.ID, why)
		if err != nil {
			return err
		}
		for _, id := range append([]string{f.ID}, fallen...) {
			more, err := tree.InvalidateConclusion(id, why)
			if err != nil {
				return err
			}
			fallen = append(fallen, more...)
		}
		for _, id := range fallen {
			f, _ := tree.Frame(id)
			c.Fallen = append(c.Fallen, Fallen{id, f.ValidityReason})
		}
	}
	return nil
}

func (c *Comparison) offer(tree *frame.Tree, differs map[string]string, wrong frame.ConditionHolds) error {
	for _, f := range tree.Suspended() {
		c.Suspended = append(c.Suspended, f.ID)
		if !c.SamePrompt || differs[f.ID] != "" {
			continue
		}
		if f.InvalidationCondition != "" {
			holds, _, err := wrong(f.InvalidationCondition)
			if err != nil {
				return fmt.Errorf("session %s: frame %s: %w", c.SessionID, f.ID, err)
			}
			if holds {
				continue
			}
		}
		if tree.Revalidate(f.ID, wrong) == nil { // a frame that it cites may be invalidated
			c.Resumable = append(c.Resumable, f.ID)
		}
	}
	return nil
}

func sameText(a, b string) bool {
	return slices.Equal(strings.Fields(a), strings.Fields(b))
}

func (c *Comparison) compareFiles(before, now map[string]FileRecord) {
	for _, p := range slices.Sorted(maps.Keys(before)) {
		record, there := now[p]
		switch {
		case before[p].Role == Deleted && there:
			c.Added = append(c.Added, p)
		case before[p].Role == Deleted:
		case !there:
			c.Deleted = append(c.Deleted, p)
		case record.Hash != before[p].Hash:
			c.Changed = append(c.Changed, p)
		}
	}
}
