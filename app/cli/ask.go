package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/ask"
	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/render/answers"
)

type askFlags struct {
	question               ask.Question
	branches, json, events bool
}

func newAsk(world IO) *cobra.Command {
	var flags askFlags
	q := &flags.question
	c := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Answer a question about the repository, with sources",
		Long: `Answer a question about the repository. A model looks around with tools; each sentence of the answer leads to the lines that it
rests on, and other sentences are dropped. The same question is answered from the store while everything that was shown for the
answer is unchanged. After a change, only the parts of the answer that rest on it are asked again.

Without a model, the answer quotes nodes, pages and recorded events.

A question in the same session refines the last one. --pivot, or a question that begins with "wait" or "instead", suspends the
last question and turns to another direction; --backtrack starts over. --branches lists suspended questions, and --resume
continues one.

The exit code is 1 when no answer was found, or when --keep kept none.`,
		Example: `  causal ask "How are amounts read?"
  causal ask --keep "Which commands write files?"
  causal ask --session fix-17 --pivot "Could it be the cache?"
  causal ask --branches`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Text = strings.Join(args, " ")
			ways := 0
			for _, name := range []string{"pivot", "backtrack", "resume", "branches"} {
				if cmd.Flags().Changed(name) {
					ways++
				}
			}
			if ways > 1 {
				return usage(errors.New("--pivot, --backtrack, --resume and --branches cannot be combined"))
			}
			return runAsk(cmd.Context(), world, flags)
		},
	}
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	c.Flags().BoolVar(&q.Fresh, "fresh", false, "ask again, although the stored answer holds")
	c.Flags().BoolVar(&q.Keep, "keep", false, "store the answer in the repository, on the page of answers")
	c.Flags().IntVar(&q.Depth, "depth", ask.MaxDepth, "the depth to which the model may divide the question, at most 3")
	c.Flags().StringVar(&q.Session, "session", "", "the session of the question (default: that of the coding agent, or a new one)")
	c.Flags().BoolVar(&q.Pivot, "pivot", false, "suspend the last question of the session and turn to another direction")
	c.Flags().BoolVar(&q.Backtrack, "backtrack", false, "suspend all questions of the session and start over")
	c.Flags().StringVar(&q.Resume, "resume", "", "continue this suspended frame")
	c.Flags().BoolVar(&flags.branches, "branches", false, "list suspended questions")
	c.Flags().BoolVar(&flags.events, "status-events", false, "print [RLM:…] lines about the progress on standard error")
	world.offlineFlag(c)
	return c
}

func runAsk(ctx context.Context, world IO, flags askFlags) error {
	q := flags.question
	if flags.branches && q.Text != "" {
		return usage(errors.New("--branches takes no question"))
	}
	return inPlace(ctx, world, ".", func(p *place) error {
		if flags.branches {
			return p.branches(q.Session, flags.json)
		}
		e, err := p.LookApart()
		if err != nil {
			return err
		}
		if err := p.openModel(false); err != nil {
			return err
		}
		a, err := p.asker(ctx, e)
		if err != nil {
			return err
		}
		a.Lock = p.lock
		if flags.events {
			a.Event = func(text string) { _, _ = plain.Fprintf(world.Err, "%s\n", text) }
		}
		q.Session = p.askSession(q.Session)
		out, err := a.Ask(ctx, q)
		if wrong, ok := errors.AsType[*ask.UsageError](err); ok {
			return usage(wrong)
		}
		if err != nil {
			return err
		}
		return p.tellAnswer(out, q.Keep, flags.json)
	})
}

func (p *place) asker(ctx context.Context, e *workspace.Knowledge) (*ask.Asker, error) {
	a, err := ask.New(ctx, p.Workspace, e)
	if err != nil {
		return nil, err
	}
	a.Now, a.Note = p.world.Now, func(text string) { _, _ = plain.Fprintf(p.world.Err, "causal: %s\n", text) }
	return a, nil
}

// renewAnswers re-asks outdated kept answers if a model is available. It opens the repository separately: an engine
// serves one run, and the update follows.
func (p *place) renewAnswers(ctx context.Context, from workspace.WorkTree) error {
	list, err := answers.All(p.Files)
	if len(list) == 0 || err != nil || !p.Model.Allows(prompt.Ask) {
		return err
	}
	return openAt(ctx, p.world, from, func(other *place) error {
		e, err := other.LookApart()
		if err != nil {
			return err
		}
		other.Model = p.Model
		a, err := other.asker(ctx, e)
		if err != nil {
			return err
		}
		return a.Renew(ctx)
	})
}

func (p *place) askSession(given string) string {
	if at, err := hooks.At(p.Repo); err == nil {
		defer func() { _ = at.Close() }()
		given = at.SessionID(given, p.world.Getenv, p.world.Now())
	}
	if given == "" {
		return ask.NewSession(p.world.Now())
	}
	return given
}

func (p *place) tellAnswer(out *ask.Answer, keep, asJSON bool) error {
	for _, s := range out.Suspended {
		_, _ = plain.Fprintf(p.world.Err, "a similar question is suspended: %s (causal ask --resume %s)\n", plain.Line(s.Query, 120), s.Frame)
	}
	if !asJSON {
		p.tellModel()
	}
	return orFindings(p.world.answer(asJSON, out, out.Text), len(out.Sentences) == 0 || keep && out.Kept == "")
}

func (p *place) branches(session string, asJSON bool) error {
	list := (&ask.Asker{Workspace: p.Workspace}).Branches(session)
	if len(list) == 0 && !asJSON {
		_, _ = plain.Fprintf(p.world.Err, "no question is suspended\n")
	}
	return p.world.answer(asJSON, map[string]any{"session": session, "suspended": list}, func() string {
		var b strings.Builder
		for _, s := range list {
			plain.Add(&b, "%s  %s\n", s.Frame, s.Query)
		}
		return b.String()
	})
}
