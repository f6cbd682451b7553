// Package model is the port to language models. A Run asks the configured model, validates answers against their schema,
// caches them and enforces a token budget. Adapters exist for Anthropic's API, OpenAI-compatible APIs and commands;
// embedding models are supported too.
package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// DefaultTokens is the budget of a run if none is configured.
const DefaultTokens = 500_000

// Options configure a Run. The zero value is valid.
type Options struct {
	Dir    string       // directory of Dir/model, the answer cache; empty: no cache
	Use    []prompt.Use // allowed uses; nil: all
	Tokens int          // budget; 0: DefaultTokens
	Note   func(string) // receives one-line messages for the user; may be nil
	// Sleep waits between attempts; nil: the clock. Tests replace it.
	Sleep func(context.Context, time.Duration) error
}

// Run is one run's use of a model. It implements prompt.Model and sends one request at a time. All methods work on a nil
// Run.
type Run struct {
	settings Settings
	options  Options
	provider provider
	kept     *kept

	mu      sync.Mutex
	report  report.Model
	ended   *prompt.FailedError // set when the run makes no more requests
	refused int                 // consecutive refused requests
	omit    map[string]bool     // optional parameters that the server rejects
	noted   map[string]bool
}

// Open prepares a run without connecting; nil if no model is set.
func Open(s Settings, o Options) *Run {
	if s.Name == "" {
		return nil
	}
	return open(s, o, providers[s.Provider](s))
}

func open(s Settings, o Options, p provider) *Run {
	if o.Tokens <= 0 {
		o.Tokens = DefaultTokens
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return &Run{
		settings: s, options: o, provider: p, kept: keptIn(o.Dir), omit: map[string]bool{}, noted: map[string]bool{},
		report: report.Model{Provider: s.Provider, Name: s.Name, Dropped: []report.ModelDropped{}, Failed: []report.ModelFailed{}},
	}
}

// Allows reports whether requests for a use are possible: a model is set, the run is online, and the configuration
// allows the use.
func (r *Run) Allows(u prompt.Use) bool {
	return r != nil && !r.settings.Offline && r.uses(u)
}

func (r *Run) uses(u prompt.Use) bool {
	return r.options.Use == nil || slices.Contains(r.options.Use, u)
}

// Name returns the model's id; empty for a nil Run.
func (r *Run) Name() string {
	if r == nil {
		return ""
	}
	return r.settings.Name
}

// Drop reports unused parts of an answer.
func (r *Run) Drop(unit string, list ...prompt.Dropped) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range list {
		r.report.Dropped = append(r.report.Dropped, report.ModelDropped{Unit: unit, Text: plain.Line(d.Text, longestDropped), Reason: d.Reason})
	}
}

const longestDropped = 300

// Report returns the requests and outcomes of the run; nil for a nil Run.
func (r *Run) Report() *report.Model {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.report
	out.Dropped, out.Failed = slices.Clone(out.Dropped), slices.Clone(out.Failed)
	return &out
}

var errNone = errors.New("no model is set: set " + NameSetting)

// Complete implements prompt.Model. A cached answer costs no request, and an invalid one none for a day. Every failure
// is in the report.
func (r *Run) Complete(ctx context.Context, q prompt.Request) (prompt.Response, error) {
	if r == nil {
		return prompt.Response{}, &prompt.FailedError{Reason: prompt.Unavailable, Err: errNone}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := formOf(q, r.settings.Key)
	if err != nil {
		return prompt.Response{}, fmt.Errorf("request about %s: %w", q.Unit, err)
	}
	if !r.uses(q.Use) {
		return prompt.Response{}, r.fail(q.Unit, &prompt.FailedError{Reason: prompt.Refused, Err: fmt.Errorf("model.use in the configuration does not list %s", q.Use)})
	}
	q = outgoing(q)
	key := digest(r.settings, q)
	switch before, ok := r.kept.read(key); {
	case ok && before.Wrong != "":
		return prompt.Response{}, r.fail(q.Unit, wrongForm(before))
	case ok && f.holds(before.Response):
		r.report.Cached++
		return before.Response, nil
	}
	now, err := r.ask(ctx, q, f)
	if err != nil {
		return prompt.Response{}, r.fail(q.Unit, err)
	}
	if err := r.kept.write(key, now); err != nil {
		r.note(fmt.Sprintf("cannot keep the answers of %s: %v", r.settings.Name, err))
	}
	if now.Wrong != "" {
		return prompt.Response{}, r.fail(q.Unit, wrongForm(now))
	}
	return now.Response, nil
}

func wrongForm(o outcome) error {
	return &prompt.FailedError{Reason: prompt.NotTheForm, Err: errors.New(o.Wrong)}
}

// ask makes a request, and sends an invalid answer back once.
func (r *Run) ask(ctx context.Context, q prompt.Request, f *form) (outcome, error) {
	for again := false; ; again = true {
		said, err := r.exchange(ctx, q)
		if err != nil {
			return outcome{}, err
		}
		if said.refused {
			return outcome{}, &prompt.FailedError{Reason: prompt.Refused, Err: fmt.Errorf("%s refused to answer", r.settings.Name)}
		}
		answer, wrong := f.read(said)
		if wrong == nil {
			return outcome{Response: answer}, nil
		}
		if again {
			return outcome{Wrong: fmt.Sprintf("%s gave no answer of the requested form: %v", r.settings.Name, wrong)}, nil
		}
		q.Turns = append(slices.Clip(q.Turns), f.sendBack(said, wrong)...)
	}
}

// fail records a failed request. A cancelled run is not a failure of the model.
func (r *Run) fail(unit string, err error) error {
	var f *prompt.FailedError
	if !errors.As(err, &f) {
		return err
	}
	if one := (report.ModelFailed{Unit: unit, Reason: f.Reason}); !slices.Contains(r.report.Failed, one) {
		r.report.Failed = append(r.report.Failed, one)
	}
	return err
}

func (r *Run) note(text string) {
	if r.noted[text] || r.options.Note == nil {
		return
	}
	r.noted[text] = true
	r.options.Note(text)
}
