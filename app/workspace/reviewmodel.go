package workspace

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/state"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review"
	"github.com/causaldocs/causal/review/change"
)

// ask asks a model for findings and for a summary of the change. The findings join those of linters. A model that fails
// is a failed check: the review continues and keeps earlier findings of the model.
func (r *reviewing) ask(ctx context.Context, head *survey.Survey, room *change.Room) ([]grounding.Sentence, error) {
	w := r.workspace
	if !r.Model.Allows(prompt.Review) || w.Config.Review.Off {
		return nil, nil
	}
	shown, err := r.Given.Show(changeReader{facts{ctx, head}, room}, func(file string) bool { return !w.Shows(file) })
	if err != nil || shown.Empty() {
		return nil, err
	}
	q := review.Question{Base: r.Base.ID, Head: r.Head, Shown: shown}
	if !w.Config.Review.Ignores(review.ModelRule) {
		if err := r.askFindings(ctx, q); err != nil {
			return nil, err
		}
	}
	done := r.asking("summary")
	overview, err := q.Summary(ctx, r.Model)
	done()
	_, err = answered(err)
	return overview, err
}

type askedStep struct {
	state.TraceStep
	state.Usage
}

func (r *reviewing) asking(what string) (done func()) {
	began, before := time.Now(), usageOf(r.Model)
	return func() {
		now := usageOf(r.Model)
		r.asked = append(r.asked, askedStep{
			state.TraceStep{
				StepID: what, CapabilityID: "model", Status: state.Completed, StartedAt: began, LatencyMS: time.Since(began).Milliseconds(),
				Reads: []string{"change"}, Writes: []string{what},
			}, state.Usage{LLMCalls: now.LLMCalls - before.LLMCalls, TokensIn: now.TokensIn - before.TokensIn, TokensOut: now.TokensOut - before.TokensOut},
		})
	}
}

func (r *reviewing) askFindings(ctx context.Context, q review.Question) error {
	done := r.asking("findings")
	results, err := q.Findings(ctx, r.Model)
	done()
	looked, err := answered(err)
	if err != nil {
		return err
	}
	r.Ran[review.ModelTool] = looked
	for _, one := range results {
		r.Given.Faults[one.Path] = append(r.Given.Faults[one.Path], one)
	}
	return nil
}

// answered reports whether a model gave an answer. A missing answer is in the report of its Run and is no error.
func answered(err error) (bool, error) {
	var failed *prompt.FailedError
	if errors.As(err, &failed) {
		return false, nil
	}
	return err == nil, err
}

type changeReader struct {
	facts
	room *change.Room
}

func (c changeReader) Read(f fact.Fact) (any, error) {
	if !slices.Contains(c.room.Families(), f.Family) {
		return c.facts.Read(f)
	}
	return c.room.Value(c.ctx, f)
}
