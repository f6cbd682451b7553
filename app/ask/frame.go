package ask

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// Frame is one question of a call tree, with its answer and its evidence.
type Frame struct {
	Query      string
	Context    string               `json:",omitempty"` // given by the caller
	Sentences  []grounding.Sentence // none if there is no answer
	Confidence float64
	Open       []string           `json:",omitempty"`
	Evidence   []fact.Observation // of its calls
	Condition  string             // follows from the evidence
	Children   []*Frame           `json:",omitempty"`
	Dropped    bool               `json:",omitempty"` // a sentence was dropped

	id       string // in the session
	outdated bool   // a fact of it, or of a frame below it, differs
	asked    bool   // in this run
}

// add adds a fact to the evidence.
func (f *Frame) add(o fact.Observation) {
	if !slices.Contains(f.Evidence, o) {
		f.Evidence = append(f.Evidence, o)
	}
}

// all are the frame and those below it, in call order.
func (f *Frame) all() []*Frame {
	out := []*Frame{f}
	for _, child := range f.Children {
		out = append(out, child.all()...)
	}
	return out
}

// evidence is the evidence of the frame and its descendants, without duplicates.
func (f *Frame) evidence() []fact.Observation {
	var out []fact.Observation
	for _, f := range f.all() {
		for _, o := range f.Evidence {
			if !slices.Contains(out, o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// conclusion is the answer as one text.
func (f *Frame) conclusion() string {
	text := ""
	for _, s := range f.Sentences {
		text += s.Text + " "
	}
	if text == "" {
		return "no answer was found"
	}
	return text[:len(text)-1]
}

// into adds the answer of a frame, and the frames below it, to a call tree. id is that of the frame, which was asked already. Frames
// below are complete.
func (f *Frame) into(t *frame.Tree, id string) error {
	f.id = id
	evidence := slices.Clone(f.Evidence)
	for _, child := range f.Children {
		below, err := t.Spawn(id, child.Query, child.slice())
		if err != nil {
			return err
		}
		if err := child.into(t, below); err != nil {
			return err
		}
		if err := t.Complete(below); err != nil {
			return err
		}
		evidence = append(evidence, fact.Frame(below))
	}
	if at, _ := t.Frame(id); at.Depth == 0 && len(f.Sentences) == 0 || at.Status == frame.Suspended {
		return nil
	}
	return t.Conclude(id, f.conclusion(), evidence, f.Confidence, f.Condition)
}

func (f *Frame) slice() map[string]any {
	if f.Context == "" {
		return nil
	}
	return map[string]any{"context": f.Context}
}

// outdated re-checks a stored answer from the leaves to the root, marks the invalid frames, and reports whether the root is one.
func (a *Asker) outdated(ctx context.Context, s *stored) (bool, error) {
	const session = "stored"
	t := frame.NewTree(session)
	root, err := t.Start(s.Question, nil)
	if err == nil {
		err = s.Root.into(t, root)
	}
	if err != nil { // it was damaged
		for _, f := range s.Root.all() {
			f.outdated = true
		}
		return true, nil
	}
	v, err := t.Verify(ctx, a.Knowledge.Observer(ctx))
	if err != nil {
		return false, err
	}
	outcome := map[string]bool{}
	for _, verdict := range v.Verdicts {
		outcome[verdict.FrameID] = verdict.Outcome == frame.Fell
	}
	list := t.Frames() // in call order, as all is
	for i, f := range s.Root.all() {
		f.outdated = outcome[list[i].ID]
	}
	return s.Root.outdated, nil
}
