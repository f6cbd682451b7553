package workspace

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/state"
)

// WriteProse updates the workspace with an answer to a request of Requests, or to an earlier one. The report lists
// dropped sentences.
func (w *Workspace) WriteProse(ctx context.Context, unit string, answer json.RawMessage) (*report.Update, error) {
	u, err := engine.ParseUnit(unit)
	if err != nil {
		return nil, err
	}
	given := &givenAnswer{unit: unit, answer: answer}
	w.asks, w.again = given, []engine.Unit{u}
	k, err := w.Engine()
	if err != nil {
		return nil, err
	}
	r, err := k.Update(ctx)
	if err == nil && !given.asked {
		return nil, fmt.Errorf("%s has no slot for prose: a person wrote its documentation, or there is no such unit", unit)
	}
	return r, err
}

func (w *Workspace) asker() engine.Model {
	switch {
	case w.asks != nil:
		return w.asks
	case w.Model == nil || !w.Config.Model.Allows(prompt.Docs):
		return nil
	}
	return modelAnswers{w.Model, w.Spent}
}

// modelAnswers asks a model. If it fails, pages stay as they are without a model.
type modelAnswers struct {
	model prompt.Model
	spent func() state.Usage
}

// Spent returns the usage of the run so far.
func (m modelAnswers) Spent() state.Usage { return m.spent() }

func (m modelAnswers) Answer(ctx context.Context, q engine.Question) (string, error) {
	if q.Request == nil {
		return q.Draft()
	}
	r, err := m.model.Complete(ctx, *q.Request)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil: // the model's report has the error
		return q.Draft()
	}
	return string(r.Answer), nil
}

type givenAnswer struct {
	unit   string
	answer json.RawMessage
	asked  bool
}

func (g *givenAnswer) Answer(_ context.Context, q engine.Question) (string, error) {
	if q.Request == nil || q.Request.Unit != g.unit {
		return q.Draft()
	}
	g.asked = true
	return string(g.answer), nil
}
