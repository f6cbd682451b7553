// Package model is the port to language models: one Run asks the model that the environment names, holds its answers to their schema,
// keeps them, and stays within a budget. The adapters are Anthropic's API, the API of OpenAI that many servers speak, and a command.
// The package also reaches models that turn texts into vectors.
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

// DefaultTokens is the budget of a run without a configured one.
const DefaultTokens = 500_000

// Options are the settings of one run. The zero value is valid.
type Options struct {
	Dir    string       // answers are kept below Dir/model; empty: nowhere
	Use    []prompt.Use // the allowed uses; nil: all
	Tokens int          // the budget; 0: DefaultTokens
	Note   func(string) // receives one-line messages for the user; may be nil
	// Sleep waits between attempts; nil: the clock. Tests replace it.
	Sleep func(context.Context, time.Duration) error
}

// Run is one run's use of a model. It implements prompt.Model, sends one request at a time, and all methods work on a nil Run.
type Run struct {
	settings Settings
	options  Options
	provider provider
	kept     *kept

	mu      sync.Mutex
	report  report.Model
	ended   *prompt.FailedError // set when the run makes no more requests
	refused int                 // refused requests in a row
	omit    map[string]bool     // optional parameters that the server does not accept
	noted   map[string]bool
}

// Open prepares a run; nil if no model is set. It connects to nothing.
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

// Allows reports whether requests may be made for a use: a model is set, the run is not offline, and the configuration allows the use.
func (r *Run) Allows(u prompt.Use) bool {
	return r != nil && !r.settings.Offline && r.uses(u)
}

func (r *Run) uses(u prompt.Use) bool {
	return r.options.Use == nil || slices.Contains(r.options.Use, u)
}

// Name is the model's id; empty for a nil Run.
func (r *Run) Name() string {
	if r == nil {
		return ""
	}
	return r.settings.Name
}

// Drop adds parts of an answer that are not used to the report.
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

// longestDropped is how many bytes of a dropped text the report shows.
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

// Complete implements prompt.Model. A kept answer costs no request, and a wrong one none for a day; every failure is in the report.
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

// ask makes a request, and sends a wrong answer back once.
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

// note sends a message to the user, once.
func (r *Run) note(text string) {
	if r.noted[text] || r.options.Note == nil {
		return
	}
	r.noted[text] = true
	r.options.Note(text)
}
