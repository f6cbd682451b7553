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

// Comparison is what a session that starts learns from an earlier one. Lists of files are sorted; frames are in call
// order.
type Comparison struct {
	SessionID  string `json:"session"`     // of the earlier session
	Prompt     string `json:"prompt"`      // why that one started
	SamePrompt bool   `json:"same_prompt"` // the same task, whatever the white space
	// Of the files that the earlier session is about, those that are not what they were then.
	Changed []string `json:"changed,omitempty"`
	Added   []string `json:"added,omitempty"` // had been deleted then
	Deleted []string `json:"deleted,omitempty"`
	Fallen  []Fallen `json:"fallen,omitempty"`
	// Suspended are the ids of the frames that were set aside, Resumable those of them that are worth taking up again. They
	// are offered only when the task is the same.
	Suspended []string `json:"suspended,omitempty"`
	Resumable []string `json:"resumable,omitempty"`
}

// Fallen is a frame that was valid and rests on what is not there any more.
type Fallen struct {
	FrameID string `json:"frame"`
	Why     string `json:"why"`
}

// Compare compares a session that starts with an earlier one. The files of current must be all those in scope: one that is
// missing there counts as deleted.
//
// The observer re-checks what frames rest on, as frame.View.Verify has it, and the call tree's own cascades decide what
// falls with it: below a frame whose premise changed everything, and whatever cites a frame that fell. A suspended frame
// that fell in its own session stands again when nothing that it rests on differs and wrong, which evaluates its
// invalidation condition, says that it does not hold. The tree of the earlier session stays as it is.
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
	differs := map[string]string{} // by frame: what it rests on and is otherwise now
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

// difference says what a frame rests on by itself and is not as it saw it; empty when all is.
func difference(f frame.Frame, observer frame.Observer) (string, error) {
	var out []string
	for _, text := range f.Evidence {
		o, err := fact.Parse(text)
		if err != nil {
			return "", err
		}
		if o.Family == fact.Frames {
			continue // what falls with another frame is the cascade's to say
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

// fell lets the frames fall whose ground is another now, and what follows from them.
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

// offer lists the suspended frames, and those worth taking up again.
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
		if tree.Revalidate(f.ID, wrong) == nil { // what it stands on may have fallen
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
