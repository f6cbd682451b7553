package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/survey"
)

const (
	// mostEvidence bounds the files in a turn's evidence; the last ones are kept.
	mostEvidence = 200
	// longestSaid bounds a conclusion taken from the agent's answer, in bytes.
	longestSaid = 600
	mostNamed   = 6
)

// turn is the work between two prompts.
type turn struct {
	prompt string
	files  []touched // final states, most recently touched last
	ended  bool      // by a Stop event
	said   string    // last message
}

// unasked replaces a missing first prompt.
const unasked = "(the prompt was not recorded)"

func turns(list []entry) []turn {
	var out []turn
	for _, e := range list {
		if e.Event == userPrompt {
			out = append(out, turn{prompt: e.Prompt})
			continue
		}
		if e.Event != postToolUse && e.Event != stop {
			continue
		}
		if len(out) == 0 {
			out = append(out, turn{})
		}
		t := &out[len(out)-1]
		for _, f := range e.Files {
			t.touch(f)
		}
		if e.Event == stop {
			t.ended = true
			t.prompt = cmp.Or(t.prompt, e.Prompt)
			t.said = cmp.Or(e.Message, t.said)
		}
	}
	return out
}

// touch records a file. A created or modified file keeps its role when read again.
func (t *turn) touch(f touched) {
	if i := slices.IndexFunc(t.files, func(g touched) bool { return g.Path == f.Path }); i >= 0 {
		f.Role = roleOf(t.files[i].Role, f.Role)
		t.files = slices.Delete(t.files, i, i+1)
	}
	t.files = append(t.files, f)
}

func roleOf(before, now session.Role) session.Role {
	if now == session.Read && before != session.Deleted || before == session.Created && now == session.Modified {
		return before
	}
	return now
}

func (t *turn) changed() []touched {
	return slices.DeleteFunc(slices.Clone(t.files), func(f touched) bool { return f.Role == session.Read })
}

func (t *turn) evidence() []fact.Observation {
	var out []fact.Observation
	for _, f := range t.files[max(len(t.files)-mostEvidence, 0):] {
		out = append(out, blob(f.Path).As(f.Hash))
	}
	return out
}

func blob(path string) fact.Fact { return fact.New(fact.Blobs, path) }

// vocabulary has the words for conditions of frames.
var vocabulary = lazy.Value[*condition.Vocabulary]{Make: func() *condition.Vocabulary { return condition.NewVocabulary(survey.Words...) }}

// wrong returns the condition that invalidates a conclusion from files.
func wrong(evidence []fact.Observation) string {
	var terms []condition.Condition
	for _, o := range evidence {
		if glob, err := condition.PathGlob(o.Name); err == nil {
			terms = append(terms, vocabulary.Get().Call("modified", glob.String()))
		}
	}
	return condition.Any(terms...).String()
}

// conclusion returns the agent's last message, or a list of the files if the turn did not end.
func (t *turn) conclusion() string {
	if t.ended && t.said != "" {
		return plain.Cut(t.said, longestSaid)
	}
	var read, wrote []string
	for _, f := range t.files {
		if f.Role == session.Read {
			read = append(read, f.Path)
		} else {
			wrote = append(wrote, f.Path)
		}
	}
	var parts []string
	if !t.ended {
		parts = append(parts, "not finished")
	}
	if len(read) > 0 {
		parts = append(parts, "read "+named(read))
	}
	if len(wrote) > 0 {
		parts = append(parts, "changed "+named(wrote))
	}
	return strings.Join(parts, "; ")
}

// named joins at most mostNamed names and counts the rest.
func named(list []string) string {
	text := strings.Join(list[:min(len(list), mostNamed)], ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// grow builds a session's call tree: below the first prompt, one frame per turn that used files, with these as evidence.
// A turn interrupted by another prompt branches to it; an unfinished last turn is suspended. A frame is invalidated if a
// later turn changed its files.
func grow(id string, all []turn) (*frame.Tree, error) {
	tree := frame.NewTree(id)
	if len(all) == 0 {
		return tree, nil
	}
	root, err := tree.Start(cmp.Or(all[0].prompt, unasked), nil)
	if err != nil {
		return nil, err
	}
	frames := make([]string, len(all))
	left := "" // the frame that the next turn branches from
	for i := range all {
		t := &all[i]
		if t.ended && len(t.files) == 0 {
			continue // without files there is nothing to verify
		}
		query, slice := cmp.Or(t.prompt, unasked), map[string]any{"turn": i + 1}
		if left != "" {
			frames[i], err = tree.Pivot(left, query, slice)
		} else {
			frames[i], err = tree.Spawn(root, query, slice)
		}
		if err == nil {
			left, err = conclude(tree, frames[i], t)
		}
		if err != nil {
			return nil, err
		}
	}
	if left != "" {
		if err := tree.Suspend(left); err != nil {
			return nil, err
		}
	}
	return tree, overtake(tree, frames, all)
}

// conclude ends a turn's frame, and returns the id of an unfinished one. The confidence is unknown, thus 0.
func conclude(tree *frame.Tree, id string, t *turn) (left string, err error) {
	if e := t.evidence(); len(e) > 0 {
		if err := tree.Conclude(id, t.conclusion(), e, 0, wrong(e)); err != nil {
			return "", err
		}
	}
	if !t.ended {
		return id, nil
	}
	return "", tree.Complete(id)
}

// overtake invalidates frames whose files a later turn changed.
func overtake(tree *frame.Tree, frames []string, all []turn) error {
	changed := map[string]int{} // last turn that changed a path
	for i := len(all) - 1; i >= 0; i-- {
		for _, f := range all[i].files {
			if by, ok := changed[f.Path]; ok && frames[i] != "" {
				if _, err := tree.InvalidatePremise(frames[i], fmt.Sprintf("turn %d changed %s", by+1, f.Path)); err != nil {
					return err
				}
			}
		}
		for _, f := range all[i].changed() {
			if _, later := changed[f.Path]; !later {
				changed[f.Path] = i
			}
		}
	}
	return nil
}
