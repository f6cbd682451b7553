package hooks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/session"
	"github.com/causaldocs/causal/knowledge/survey"
)

const (
	// mostEvidence is how many files a turn is said to rest on: the last ones.
	mostEvidence = 200
	// longestSaid is how many bytes of an answer are taken for its conclusion.
	longestSaid = 600
	// mostNamed is how many files a line names.
	mostNamed = 6
)

// turn is what happened from one prompt to the next.
type turn struct {
	prompt string
	at     time.Time
	files  []touched // as they were left, those touched last at the end
	ended  bool      // the agent stopped by itself
	said   string    // last
}

// unasked stands for the prompt of what happened before any was heard.
const unasked = "(the prompt was not recorded)"

// turns are those of a session.
func turns(list []entry) []turn {
	var out []turn
	for _, e := range list {
		if e.Event == userPrompt {
			out = append(out, turn{prompt: e.Prompt, at: e.At})
			continue
		}
		if e.Event != postToolUse && e.Event != stop {
			continue
		}
		if len(out) == 0 {
			out = append(out, turn{at: e.At})
		}
		t := &out[len(out)-1]
		for _, f := range e.Files {
			t.touch(f)
		}
		if e.Event == stop {
			t.ended = true
			t.prompt = firstOf(t.prompt, e.Prompt)
			t.said = firstOf(e.Message, t.said)
		}
	}
	return out
}

func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// touch notes a file. What was made or changed stays so when it is read again.
func (t *turn) touch(f touched) {
	if i := slices.IndexFunc(t.files, func(g touched) bool { return g.Path == f.Path }); i >= 0 {
		f.Role = roleOf(t.files[i].Role, f.Role)
		t.files = slices.Delete(t.files, i, i+1)
	}
	t.files = append(t.files, f)
}

// roleOf is what was done with a file, of two things that were.
func roleOf(before, now session.Role) session.Role {
	if now == session.Read && before != session.Deleted || before == session.Created && now == session.Modified {
		return before
	}
	return now
}

// changed are the files that the turn made or changed, as far as they are there.
func (t *turn) changed() []touched {
	return slices.DeleteFunc(slices.Clone(t.files), func(f touched) bool { return f.Role == session.Read })
}

// evidence is what the turn rests on: the bytes of files.
func (t *turn) evidence() []fact.Observation {
	var out []fact.Observation
	for _, f := range t.files[max(len(t.files)-mostEvidence, 0):] {
		out = append(out, blob(f.Path).As(f.Hash))
	}
	return out
}

func blob(path string) fact.Fact { return fact.New(fact.Blobs, path) }

// vocabulary is what conditions of frames can say here.
var vocabulary = lazy.Value[*condition.Vocabulary]{Make: func() *condition.Vocabulary { return condition.NewVocabulary(survey.Words...) }}

// wrong is what would make a conclusion from files wrong.
func wrong(evidence []fact.Observation) string {
	var terms []condition.Condition
	for _, o := range evidence {
		if glob, err := condition.PathGlob(o.Name); err == nil {
			terms = append(terms, vocabulary.Get().Call("modified", glob.String()))
		}
	}
	return condition.Any(terms...).String()
}

// conclusion is what the agent said in the end, and otherwise no more than what is known of the turn.
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

// named lists a few, and counts the rest.
func named(list []string) string {
	text := strings.Join(list[:min(len(list), mostNamed)], ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// grow makes the call tree of a session: below what was asked first one frame for each turn that did something with files, which
// rests on these. A turn that another prompt cut short was left for that one, and one that nobody heard the end of was set aside.
// What a later turn changed does not stand as an earlier one saw it.
func grow(id string, all []turn) (*frame.Tree, error) {
	tree := frame.NewTree(id)
	if len(all) == 0 {
		return tree, nil
	}
	root, err := tree.Start(firstOf(all[0].prompt, unasked), nil)
	if err != nil {
		return nil, err
	}
	frames := make([]string, len(all))
	left := "" // the frame that the next turn branches from
	for i := range all {
		t := &all[i]
		if t.ended && len(t.files) == 0 {
			continue // what rests on no file nobody can check
		}
		query, slice := firstOf(t.prompt, unasked), map[string]any{"turn": i + 1}
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

// conclude ends the frame of a turn; of one that did not end the frame is returned. How sure an agent is nobody knows.
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

// overtake lets the frames fall of which later turns changed a file.
func overtake(tree *frame.Tree, frames []string, all []turn) error {
	changed := map[string]int{} // by path, the last turn that did
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
