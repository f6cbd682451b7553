package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/inspect"
	"github.com/causaldocs/causal/app/plain"
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

// instructions are the same for all questions and frames.
const instructions = `You answer questions about a repository. Navigate with the tools: begin with the index below the question, search or grep to find places, read only the lines that matter. Give a part of the question that needs much reading to the tool ask.

End with the tool answer. Rules for it:
- Few plain sentences in the language of the question. No markup except backticks around code names.
- Each sentence cites at least one place that a tool showed in this conversation: FILE:LINE, FILE:FROM-TO, a module as node showed it, or the id of an event.
- Code names must occur in what the sentence cites, or be names that node showed. A sentence that breaks a rule is dropped.
- confidence is from 0 to 1: how sure you are that the answer is right and complete.
- open lists what could not be found out. If nothing was found, the answer is an empty list.

` + prompt.DataRule

// answerSchema is the form of an answer.
var answerSchema = json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"causal.answer/v1","type":"object",` +
	`"properties":{"answer":{"type":"array","maxItems":60,"items":{"type":"object","properties":{"text":{"type":"string"},"cites":{"type":"array","items":{"type":"string"}}},` +
	`"required":["text","cites"],"additionalProperties":false}},"confidence":{"type":"number","minimum":0,"maximum":1},"open":{"type":"array","items":{"type":"string"}}},` +
	`"required":["answer","confidence","open"],"additionalProperties":false}`)

// The bounds of the index.
const (
	mostIndex    = 8 << 10 // bytes
	longestEntry = 120
)

// index lists the modules with their purposes. It is no evidence: sentences cannot cite it.
func (r *run) index() string {
	var b strings.Builder
	list := r.Knowledge.Modules()
	for i, m := range list {
		purpose := m.Purpose
		if r.Knowledge.Conceals(m.Path) {
			purpose = ""
		}
		line := strings.TrimSpace(m.Path + "  " + strings.Join(strings.Fields(plain.Cut(purpose, longestEntry)), " "))
		if b.Len()+len(line) > mostIndex {
			fmt.Fprintf(&b, "and %d more modules\n", len(list)-i)
			break
		}
		b.WriteString(line + "\n")
	}
	return prompt.Data("index of modules", b.String())
}

// opening is the first message of a frame.
func (t *talk) opening(ctx context.Context, earlier *stored) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "Question: %s\n", t.frame.Query)
	if t.attempt > 0 {
		fmt.Fprintf(&b, "Attempt: %d\n", t.attempt+1)
	}
	if t.frame.Context != "" {
		b.WriteString(prompt.Data("context from the frame that asks", t.frame.Context))
	}
	if earlier != nil {
		text, err := t.told(ctx, earlier.Root)
		if err != nil {
			return "", err
		}
		for _, o := range earlier.Root.evidence() {
			t.frame.add(o)
		}
		b.WriteString(prompt.Data("earlier in this session", earlier.Question+"\n"+text))
	}
	if t.level > 0 {
		b.WriteString("This is a part of a larger question. Answer only this part.\n")
	}
	return b.String() + "\n" + t.index(), nil
}
