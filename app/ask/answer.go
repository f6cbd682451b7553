package ask

import (
	"strings"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/grounding"
)

// Answer is the answer to a question.
type Answer struct {
	Question   string        `json:"question"`
	Sentences  []Sentence    `json:"answer"`
	Confidence float64       `json:"confidence"`
	Open       []string      `json:"open"`
	From       string        `json:"from"`
	Reused     bool          `json:"reused"`
	Frames     []Told        `json:"frames"`
	Evidence   []string      `json:"evidence"`
	Condition  string        `json:"invalidation_condition"`
	Session    string        `json:"session"`
	Suspended  []Suspended   `json:"suspended"`
	Kept       string        `json:"kept"`
	Model      *report.Model `json:"model"`

	found *stored
}

// Sentence is one sentence with its places.
type Sentence struct {
	Text  string `json:"text"`
	Cites []Cite `json:"cites"`
}

// Cite is a place: lines of a file, a node or an event.
type Cite struct {
	File  string `json:"file,omitempty"`
	From  int    `json:"from,omitempty"`
	To    int    `json:"to,omitempty"`
	Node  string `json:"node,omitempty"`
	Event string `json:"event,omitempty"`
}

// Told is a frame as a user sees it.
type Told struct {
	ID     string `json:"id"`
	Parent string `json:"parent"`
	Depth  int    `json:"depth"` // below the question
	Query  string `json:"query"`
	Status string `json:"status"`
	Asked  bool   `json:"asked"` // in this run; false if its answer was taken over
}

// answerOf returns a stored answer for the user. Its frames are in the session.
func (a *Asker) answerOf(question string, s *stored, l *line) *Answer {
	out := &Answer{
		Question: question, Sentences: []Sentence{}, Confidence: s.Root.Confidence, Open: append([]string{}, s.Root.Open...), Frames: []Told{}, Evidence: []string{},
		Suspended: []Suspended{}, Kept: s.Kept, found: s,
	}
	for _, sentence := range s.Root.Sentences {
		told := Sentence{Text: sentence.Text, Cites: []Cite{}}
		for _, c := range sentence.Cites {
			told.Cites = append(told.Cites, citeOf(c))
		}
		out.Sentences = append(out.Sentences, told)
	}
	var facts []fact.Fact
	for _, o := range s.Root.evidence() {
		facts = append(facts, o.Fact)
		out.Evidence = append(out.Evidence, inspect.Describe(o.Fact))
	}
	if len(facts) > 0 {
		out.Condition = a.Knowledge.Condition(facts)
	}
	out.frames(l.session.tree, s.Root, 0)
	return out
}

func citeOf(c grounding.Cite) Cite {
	kind, name, _ := strings.Cut(c.Ref, " ")
	switch {
	case c.Ref == "":
		return Cite{File: c.File, From: c.From, To: c.To}
	case kind == "event":
		return Cite{Event: name}
	}
	return Cite{Node: name}
}

func (c Cite) String() string {
	switch {
	case c.Node != "":
		return "node " + c.Node
	case c.Event != "":
		return "event " + c.Event
	}
	return grounding.Cite{File: c.File, From: c.From, To: c.To}.String()
}

// frames lists a frame and those below it.
func (out *Answer) frames(t *frame.Tree, f *Frame, depth int) {
	at, _ := t.Frame(f.id)
	out.Frames = append(out.Frames, Told{f.id, at.ParentID, depth, f.Query, string(at.Status), f.asked})
	for _, child := range f.Children {
		out.frames(t, child, depth+1)
	}
}

// Text is the answer for people.
func (out *Answer) Text() string {
	var b strings.Builder
	for _, s := range out.Sentences {
		var cites []string
		for _, c := range s.Cites {
			cites = append(cites, c.String())
		}
		plain.Add(&b, "%s\n    %s\n", s.Text, strings.Join(cites, ", "))
	}
	if len(out.Sentences) == 0 {
		plain.Add(&b, "no answer was found\n")
	}
	for _, open := range out.Open {
		plain.Add(&b, "open: %s\n", open)
	}
	switch {
	case len(out.Sentences) == 0:
	case out.From == report.FromIndex:
		plain.Add(&b, "\nquoted from the index, without a model\n")
	case out.Reused:
		plain.Add(&b, "\nconfidence %.2g; the stored answer still holds; invalid if %s\n", out.Confidence, plain.Line(out.Condition, 300))
	default:
		plain.Add(&b, "\nconfidence %.2g; invalid if %s\n", out.Confidence, plain.Line(out.Condition, 300))
	}
	if out.Kept != "" {
		plain.Add(&b, "kept in %s\n", out.Kept)
	}
	return b.String()
}

// tokensOf counts the tokens of a report.
func tokensOf(m *report.Model) int {
	if m == nil {
		return 0
	}
	return m.TokensIn + m.TokensOut
}
