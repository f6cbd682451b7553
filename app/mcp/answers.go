package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
)

type givenAnswer struct {
	Question   string            `json:"question"       jsonschema:"the question, in one sentence that needs no context"`
	Answer     []grounding.Claim `json:"answer"         jsonschema:"plain sentences, each with the places that show it: FILE:FROM-TO, FILE:LINE, FILE, a module, a symbol such as money.Parse, or the id of an event"`
	Confidence float64           `json:"confidence"     jsonschema:"how sure you are that the answer is right and complete, from 0 to 1"`
	Open       []string          `json:"open,omitempty" jsonschema:"what you could not find out"`
}

// keptAnswer is the result of answer_keep.
type keptAnswer struct {
	Question  string                `json:"question"`
	Sentences []ask.Sentence        `json:"answer"`
	Dropped   []report.ModelDropped `json:"dropped"`
	Kept      string                `json:"kept"`
	Replaced  bool                  `json:"replaced"`
	Condition string                `json:"invalidation_condition"`
	Pages     []string              `json:"pages_written"`
}

func (s *Server) addAnswers() {
	add(s, tool[givenAnswer]{
		name: "answer_keep", title: "Keep an answer", adds: true, result: keptAnswer{},
		about: "Stores an answer that you found in the code, with its question, in the repository and on the page of answers. Each sentence needs cites of places as they are now: these are the evidence, and causal marks the answer when they change. A sentence that cites another place, names code that does not occur in the cited places, or has markup is dropped with the reason. Replaces an earlier answer to the question.",
		run:   s.answerKeep,
	})
}

func (s *Server) answerKeep(ctx context.Context, _ string, in givenAnswer) (*answered, error) {
	var kept *ask.Kept
	var r *report.Update
	err := s.locked(ctx, s.looking, func(*workspace.Workspace) error {
		err := s.open(ctx, func(w *workspace.Workspace) (err error) {
			kept, err = s.keep(ctx, w, in)
			return err
		})
		if err != nil || kept.Kept == "" {
			return err
		}
		return s.open(ctx, func(w *workspace.Workspace) (err error) { // reopen to see the new file
			r, err = w.Update(ctx, workspace.SpecsRun{})
			return err
		})
	})
	if wrong, ok := errors.AsType[*ask.UsageError](err); ok {
		return nil, fmt.Errorf("%w; nothing was stored", wrong)
	}
	if err != nil {
		return nil, err
	}
	out := keptAnswer{
		Question: kept.Question, Sentences: kept.Sentences, Dropped: []report.ModelDropped{}, Kept: kept.Kept, Replaced: kept.Replaced && kept.Kept != "",
		Condition: kept.Condition, Pages: []string{},
	}
	for _, d := range kept.Dropped {
		out.Dropped = append(out.Dropped, report.ModelDropped{Unit: "answer/" + ask.Slug(kept.Question), Text: plain.Line(d.Text, plain.Longest), Reason: d.Reason})
	}
	if r != nil {
		out.Pages = append(out.Pages, r.PagesWritten...)
	}
	return &answered{text: out.text(len(in.Answer)), value: out, failed: out.Kept == ""}, nil
}

// keep stores an answer with the state of the work tree as evidence.
func (s *Server) keep(ctx context.Context, w *workspace.Workspace, in givenAnswer) (*ask.Kept, error) {
	e, err := w.LookApart()
	if err != nil {
		return nil, err
	}
	asker, err := ask.New(ctx, w, e)
	if err != nil {
		return nil, err
	}
	return asker.Keep(ctx, ask.Given{Question: in.Question, Sentences: in.Answer, Confidence: in.Confidence, Open: in.Open})
}

func (k keptAnswer) text(given int) string {
	var b strings.Builder
	switch {
	case k.Kept == "":
		b.WriteString("nothing was stored: no sentence is valid\n")
	case k.Replaced:
		plain.Add(&b, "replaced %s: %d of %d sentences\n", k.Kept, len(k.Sentences), given)
	default:
		plain.Add(&b, "kept in %s: %d of %d sentences\n", k.Kept, len(k.Sentences), given)
	}
	for _, d := range k.Dropped {
		why := d.Why()
		if d.Reason == prompt.NoSuchPlace {
			why = "cites a place that does not exist or may not be shown"
		}
		plain.Add(&b, "dropped: %s: %q\n", why, d.Text)
	}
	if k.Kept != "" {
		plain.Add(&b, "invalid if %s\n", plain.Line(k.Condition, plain.Longest))
	}
	return b.String()
}
