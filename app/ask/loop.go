package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/state"
)

// mostCalls is how many calls of tools one question may take, over all of its frames.
const mostCalls = 40

// run answers one question.
type run struct {
	*Asker
	unit    string
	depth   int // of child frames
	left    int // calls
	attempt int
	known   map[string]*Frame // frames that need not be asked, by question and context
}

// talk is the conversation of one frame.
type talk struct {
	*run
	frame *Frame
	level int
	shown grounding.Shown
	turns []prompt.Turn
}

// ask has the model answer the question of one frame.
func (r *run) ask(ctx context.Context, level int, question, context string, earlier *stored) (*Frame, error) {
	t := &talk{run: r, level: level, frame: &Frame{Query: question, Context: context, asked: true}}
	first, err := t.opening(ctx, earlier)
	if err != nil {
		return nil, err
	}
	t.turns = []prompt.Turn{{Role: prompt.User, Text: first}}
	for {
		answer, calls, err := t.request(ctx)
		if err != nil {
			return nil, err
		}
		if answer != nil {
			return t.frame, t.conclude(ctx, answer)
		}
		if r.left == 0 { // the model knows
			t.frame.Open = append(t.frame.Open, "no answer was given within the bound on calls")
			return t.frame, t.conclude(ctx, nil)
		}
		results, err := t.results(ctx, calls)
		if err != nil {
			return nil, err
		}
		t.turns = append(t.turns, prompt.Turn{Role: prompt.Assistant, Calls: calls}, prompt.Turn{Role: prompt.User, Results: results})
	}
}

// request makes one request. A child frame without a usable answer has none, and its parent goes on; for the question itself, that is an
// error.
func (t *talk) request(ctx context.Context) (answer json.RawMessage, calls []prompt.Call, err error) {
	t.requests++
	t.Event(fmt.Sprintf("[RLM:QUERY] Processing (%d chars)", size(t.turns[len(t.turns)-1])))
	var response prompt.Response
	err = t.step(fmt.Sprintf("%d request", t.requests), "model", "results", "calls", state.Usage{LLMCalls: 1}, func() (_ any, err error) {
		response, err = t.Model.Complete(ctx, prompt.Request{
			Use: prompt.Ask, Unit: t.unit, Schema: answerSchema, System: instructions, Turns: t.turns, Tools: t.tools(),
		})
		if err != nil {
			return nil, err
		}
		names := []any{}
		for _, c := range response.Calls {
			names = append(names, c.Name)
		}
		return names, nil
	})
	if err != nil {
		reason := prompt.ReasonOf(err)
		if ctx.Err() == nil && t.level > 0 && (reason == prompt.NotTheForm || reason == prompt.Refused) {
			t.frame.Open = append(t.frame.Open, "the model gave no usable answer ("+string(reason)+")")
			return []byte("{}"), nil, nil
		}
		return nil, nil, err
	}
	switch {
	case len(response.Calls) > 0:
		return nil, response.Calls, nil
	case response.Answer == nil:
		return []byte("{}"), nil, nil
	}
	return response.Answer, nil, nil
}

// step executes a request or a call on the state of the question: each reads the result of the other.
func (r *run) step(id, capability, reads, writes string, calls state.Usage, do func() (any, error)) error {
	step := state.Step{
		ID: id, Capability: capability, Input: map[string]any{reads: "vars." + reads}, Output: map[string]string{writes: "vars." + writes}, Merge: state.Replace,
	}
	return r.state.Execute(step, func(map[string]any) (any, state.Usage, error) {
		before := r.Workspace.Spent()
		produced, err := do()
		now := r.Workspace.Spent()
		calls.TokensIn, calls.TokensOut = now.TokensIn-before.TokensIn, now.TokensOut-before.TokensOut
		return map[string]any{writes: produced}, calls, err
	})
}

func size(t prompt.Turn) int {
	n := len(t.Text)
	for _, r := range t.Results {
		n += len(r.Text)
	}
	return n
}

// results runs calls in their order.
func (t *talk) results(ctx context.Context, calls []prompt.Call) ([]prompt.Result, error) {
	var out []prompt.Result
	for i, c := range calls {
		text := "no calls are left"
		if t.left > 0 {
			t.left--
			err := t.step(fmt.Sprintf("%d.%d %s", t.requests, i+1, c.Name), c.Name, "calls", "results", state.Usage{ToolCalls: 1}, func() (_ any, err error) {
				text, err = t.call(ctx, c)
				return text, err
			})
			if err != nil {
				return nil, err
			}
		}
		out = append(out, prompt.Result{ID: c.ID, Text: text})
	}
	if t.left == 0 {
		out[len(out)-1].Text += "\nNo calls are left. Answer now, from the results above."
	}
	return out, nil
}

// answered is the answer of a model.
type answered struct {
	Answer     []grounding.Claim `json:"answer"`
	Confidence float64           `json:"confidence"`
	Open       []string          `json:"open"`
}

// mostOpen is how many open points are kept.
const mostOpen = 10

// conclude ends a frame: the valid sentences are its answer, and the cited lines are added to its evidence.
func (t *talk) conclude(ctx context.Context, raw json.RawMessage) error {
	var a answered
	if raw != nil && json.Unmarshal(raw, &a) != nil {
		a = answered{}
	}
	f := t.frame
	var dropped []prompt.Dropped
	f.Sentences, dropped = t.shown.Hold(a.Answer)
	if f.Dropped = len(dropped) > 0; f.Dropped && t.Drop != nil {
		t.Drop(t.unit, dropped...)
	}
	if f.Confidence = max(0, min(1, a.Confidence)); len(f.Sentences) == 0 || math.IsNaN(f.Confidence) {
		f.Confidence = 0
	}
	for _, text := range a.Open {
		if text, ok := grounding.CleanSentence(text); ok && len(f.Open) < mostOpen {
			f.Open = append(f.Open, text)
		}
	}
	for _, s := range f.Sentences {
		for i := range s.Cites {
			if err := t.rest(ctx, &s.Cites[i]); err != nil {
				return err
			}
		}
	}
	var facts []fact.Fact
	for _, o := range f.Evidence {
		facts = append(facts, o.Fact)
	}
	f.Condition = t.Knowledge.Condition(facts)
	return nil
}

// rest makes the lines of a cite part of the evidence. A cite of a whole file is one of all of its lines.
func (t *talk) rest(ctx context.Context, c *grounding.Cite) error {
	if c.File == "" {
		return nil
	}
	whole := c.From == 0
	if whole {
		c.From, c.To = 1, mostLines
	}
	for _, o := range t.frame.Evidence {
		if read, err := inspect.ParseCall(o.Fact); err == nil && read.Tool == inspect.Read && read.About == c.File && read.From <= c.From && c.To <= read.To {
			return nil
		}
	}
	call := inspect.Call{Tool: inspect.Read, About: c.File, From: c.From, To: c.To}
	out, err := t.Knowledge.Shown().Run(ctx, call)
	if err != nil {
		return err
	}
	for _, p := range out.Places {
		if whole {
			c.To = p.From + len(p.Lines) - 1
		}
	}
	return t.observe(ctx, call.Pinned(out).Fact())
}

// observe makes a fact part of the evidence.
func (t *talk) observe(ctx context.Context, f fact.Fact) error {
	digest, err := t.Knowledge.Observe(ctx, f)
	if err != nil {
		return err
	}
	t.frame.add(f.As(digest))
	return nil
}

// done says that a question is answered.
func (a *Asker) done(since time.Time) {
	a.Event(fmt.Sprintf("[RLM:DONE] Completed in %d iterations", a.requests))
	tokens := 0
	if a.Tokens != nil {
		tokens = a.Tokens()
	}
	a.Event(fmt.Sprintf("[RLM:DONE] Tokens: %d, Time: %dms", tokens, a.clock().Sub(since).Milliseconds()))
}

func (a *Asker) clock() time.Time {
	if a.Now == nil {
		return time.Time{}
	}
	return a.Now()
}
