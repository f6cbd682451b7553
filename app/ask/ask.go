// Package ask answers questions about a repository. A language model navigates: it gets the question, an index of the modules, and
// tools. Each call of a tool is a fact, and a call of ask within it is a child frame (seed 000). An answer is reused while its evidence is
// unchanged; after a change, only the frames with changed evidence are asked again.
//
// Without a model, the answer quotes search results.
package ask

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/state"
)

// MaxDepth is the greatest depth of child frames.
const MaxDepth = 3

// LongestQuestion is how many bytes a question may have.
const LongestQuestion = 2000

// Question is a question with its options.
type Question struct {
	Text      string
	Session   string
	Fresh     bool   // ask again although the stored answer holds
	Keep      bool   // store the answer in the repository
	Depth     int    // of child frames; MaxDepth at most
	Pivot     bool   // in another direction than the last question of the session
	Backtrack bool   // from the start
	Resume    string // the frame to resume; Text may be empty then

	renew bool // only a model's answer is wanted
}

// Asker answers questions about one state of a repository. The engine has looked.
type Asker struct {
	Workspace *workspace.Workspace
	Knowledge *workspace.Knowledge
	Ledger    *workspace.Ledger
	Model     prompt.Model // nil to answer without a model
	// Lock keeps other runs out before something is written to the repository; nil if the caller does.
	Lock func(ctx context.Context) error
	// Drop receives the dropped sentences of a model.
	Drop func(unit string, list ...prompt.Dropped)
	// Now measures how long a question took; it may be nil.
	Now func() time.Time
	// Tokens counts those of the run so far; nil if unknown.
	Tokens func() int
	// Note receives messages for the user, and Event status events.
	Note, Event func(text string)

	requests int
	state    *state.State // of the question, with its trace
}

// New prepares the answering of questions. The engine looks.
func New(ctx context.Context, w *workspace.Workspace, e *workspace.Knowledge) (*Asker, error) {
	if err := e.Look(ctx); err != nil {
		return nil, err
	}
	log, err := w.Ledger(ctx, false)
	if err != nil {
		return nil, err
	}
	a := &Asker{
		Workspace: w, Knowledge: e, Ledger: log, Drop: w.Model.Drop, Note: func(string) {}, Event: func(string) {},
		Tokens: func() int { return tokensOf(w.Model.Report()) },
	}
	if w.Model != nil && w.Config.Model.Allows(prompt.Ask) { // offline, it gives the answers that it has
		a.Model = w.Model
	}
	return a, nil
}

// NewSession is the id of a session for a question that belongs to none.
func NewSession(now time.Time) string {
	return "q-" + strings.ToLower(fact.Digest(strconv.FormatInt(now.UnixNano(), 36))[:8])
}

// UsageError is the error of an invalid question.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func usage(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// Ask answers a question.
func (a *Asker) Ask(ctx context.Context, q Question) (*Answer, error) {
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	switch {
	case len(q.Text) > LongestQuestion:
		return nil, usage("the question has more than %d bytes", LongestQuestion)
	case q.Depth < 0 || q.Depth > MaxDepth:
		return nil, usage("--depth must be from 0 to %d", MaxDepth)
	}
	line, err := a.follow(&q)
	if err != nil {
		return nil, err
	}
	suspended := a.similar(q.Text, line.frame)
	out, err := a.answer(ctx, q, line)
	if err != nil {
		return nil, err
	}
	out.Session, out.Suspended, out.Model = line.session.id, suspended, a.Workspace.Model.Report()
	if q.Keep {
		if err := a.keep(ctx, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// answer finds the stored answer that holds, asks the model, or searches the index.
func (a *Asker) answer(ctx context.Context, q Question, line *line) (*Answer, error) {
	a.Event("[RLM:START] Initializing RLAPH loop")
	defer a.done(a.clock())
	before, holds, err := a.stored(ctx, q.Text)
	if err != nil {
		return nil, err
	}
	if holds && !q.Fresh {
		if err := a.record(line, before.Root); err != nil {
			return nil, err
		}
		out := a.answerOf(q.Text, before, line)
		out.From, out.Reused = report.FromStored, true
		return out, nil
	}
	if a.Model == nil {
		return a.search(ctx, q.Text, line, before.answers() && !holds)
	}
	a.state = state.New(state.Options{TraceID: line.session.id, Inputs: map[string]any{"question": q.Text}, Frame: map[string]any{"goal": q.Text}, Clock: a.Now})
	a.state.Load(state.Vars, map[string]any{"results": ""})
	a.state.Start()
	found, err := a.navigate(ctx, q, line, before)
	if err == nil {
		a.state.Conclude(map[string]any{"answer": found.Root.conclusion(), "confidence": found.Root.Confidence}, "answer", fmt.Sprintf("%d sentences", len(found.Root.Sentences)))
	}
	a.state.End(err)
	a.Workspace.Trace("ask", q.Text, a.state)
	if failed := new(prompt.FailedError); errors.As(err, &failed) && !q.renew {
		a.Note("the model did not answer (" + failed.Error() + "): this answer is from the index")
		return a.search(ctx, q.Text, line, false)
	}
	if err == nil {
		err = a.record(line, found.Root)
	}
	if err != nil {
		return nil, err
	}
	a.save(found)
	out := a.answerOf(q.Text, found, line)
	out.From = report.FromModel
	return out, nil
}

// navigate has the model answer: invalid frames of the stored answer first, children before their parents, and the root last.
func (a *Asker) navigate(ctx context.Context, q Question, line *line, before *stored) (*stored, error) {
	r := &run{Asker: a, unit: "answer/" + Slug(q.Text), depth: q.Depth, left: mostCalls, known: map[string]*Frame{}}
	out := &stored{Question: q.Text}
	if before != nil {
		out.Attempt = before.Attempt
	}
	if q.Fresh {
		out.Attempt++
	}
	r.attempt = out.Attempt
	if before.answers() && !q.Fresh {
		if err := r.again(ctx, before.Root.Children, 1); err != nil {
			return nil, err
		}
	}
	earlier, err := a.earlier(ctx, line)
	if err != nil {
		return nil, err
	}
	if out.Root, err = r.ask(ctx, 0, q.Text, "", earlier); err != nil {
		return nil, err
	}
	out.Sure = out.answers() && out.Root.Confidence >= sure && !out.Root.Dropped
	return out, nil
}

// sure is the confidence from which an answer is remembered.
const sure = 0.8

// again re-asks the invalid frames, children first, and reuses the valid ones.
func (r *run) again(ctx context.Context, frames []*Frame, depth int) error {
	for _, f := range frames {
		if !f.outdated {
			r.know(f)
			continue
		}
		if err := r.again(ctx, f.Children, depth+1); err != nil {
			return err
		}
		now, err := r.ask(ctx, depth, f.Query, f.Context, nil)
		if err != nil {
			return err
		}
		r.known[frameKey(f.Query, f.Context)] = now
	}
	return nil
}

// know takes over a frame that holds, and those below it.
func (r *run) know(f *Frame) {
	r.known[frameKey(f.Query, f.Context)] = f
	for _, child := range f.Children {
		r.know(child)
	}
}

func frameKey(question, context string) string { return question + "\x00" + context }
