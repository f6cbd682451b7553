package sandbox

import (
	"context"
	"fmt"

	questions "github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
)

func (a *analysis) answers(ctx context.Context) (*Result, error) {
	w := a.workspace
	r := &Result{Bot: w.Config.Bot, Docs: w.Layout.Docs}
	if !w.Config.Bot.Comments || w.Config.Bot.DryRun {
		return r, nil
	}
	k, err := w.Look()
	if err != nil {
		return nil, err
	}
	asker, err := questions.New(ctx, w, k)
	if err != nil {
		return nil, err
	}
	for _, question := range a.task.Questions {
		out, err := asker.Ask(ctx, questions.Question{Text: question, Depth: questions.MaxDepth})
		if err != nil {
			return nil, err
		}
		told := answerOf(out)
		told.Failed = told.From == report.FromIndex && w.Model.Allows(prompt.Ask) && w.Config.Model.Allows(prompt.Ask)
		r.Answers = append(r.Answers, told)
	}
	return r, nil
}

func answerOf(out *questions.Answer) report.Answer {
	told := report.Answer{Confidence: out.Confidence, From: out.From, Open: out.Open[:min(len(out.Open), report.MostOpen)]}
	for _, s := range out.Sentences[:min(len(out.Sentences), report.MostAnswered)] {
		one := grounding.Sentence{Text: s.Text}
		for _, c := range s.Cites {
			cite := grounding.Cite{File: c.File, From: c.From, To: c.To}
			if c.File == "" {
				cite.Ref = c.String()
			}
			one.Cites = append(one.Cites, cite)
		}
		told.Sentences = append(told.Sentences, one)
	}
	return told
}

func (r *Result) checkAnswers(t Task) error {
	if len(r.Answers) > 0 && len(r.Answers) != len(t.Questions) {
		return fmt.Errorf("%w: %d answers to %d questions", errMessage, len(r.Answers), len(t.Questions))
	}
	for _, a := range r.Answers {
		sound := len(a.Sentences) <= report.MostAnswered && len(a.Open) <= report.MostOpen && a.Confidence >= 0 && a.Confidence <= 1
		for _, s := range a.Sentences {
			sound = sound && len(s.Text) <= longestProblem
		}
		if known := a.From == report.FromModel || a.From == report.FromIndex || a.From == report.FromStored; !sound || !known {
			return fmt.Errorf("%w: an answer from %q with %d sentences", errMessage, a.From, len(a.Sentences))
		}
	}
	return nil
}
