package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/prompt"
)

// provider is an adapter to a model. omit has the optional parameters to leave out.
type provider interface {
	send(ctx context.Context, q prompt.Request, omit map[string]bool) (reply, error)
}

var providers = map[string]func(Settings) provider{Anthropic: newAnthropic, OpenAI: newOpenAI, Command: newCommand}

type reply struct {
	text    string
	calls   []prompt.Call
	refused bool // by the model or a filter
	cut     bool // at the length limit
	in, out int  // tokens; 0 if the provider does not count
	// relayed means that another process has counted; cached, that it had a stored answer.
	relayed, cached bool
}

// optional are the parameters that some servers reject, in the order in which an error is searched for them.
var optional = []string{"temperature", "tool_choice", "response_format"}

// Bounds of one exchange.
const (
	attempts    = 4
	longestWait = 60 * time.Second // maximum Retry-After
	mostRefused = 8                // consecutive requests
	outReserve  = 256              // estimated tokens of an answer
	tokenBytes  = 4                // estimated bytes of a token
	patience    = 5 * time.Minute  // of one attempt
)

// exchange makes one request, with retries if the server is busy.
func (r *Run) exchange(ctx context.Context, q prompt.Request) (reply, error) {
	switch used := r.report.TokensIn + r.report.TokensOut; {
	case r.settings.Offline:
		return reply{}, &prompt.FailedError{Reason: prompt.Offline}
	case r.ended != nil:
		return reply{}, r.ended
	case used > 0 && used+estimate(q) > r.options.Tokens:
		r.note(fmt.Sprintf("%s: the budget of %d tokens is used up (model.tokens_per_run); the next run continues", r.settings.Name, r.options.Tokens))
		return reply{}, &prompt.FailedError{Reason: prompt.Budget}
	}
	for attempt := 1; ; {
		r.report.Requests++
		said, err := r.attempt(ctx, q)
		if err == nil {
			r.count(q, said)
			return said, nil
		}
		if ctx.Err() != nil {
			return reply{}, context.Cause(ctx)
		}
		if parameter := r.unaccepted(err); parameter != "" {
			r.omit[parameter] = true
			continue
		}
		wait, again := r.retry(err, attempt)
		if !again {
			return reply{}, r.give(err)
		}
		if err := r.options.Sleep(ctx, wait); err != nil {
			return reply{}, err
		}
		attempt++
	}
}

func (r *Run) attempt(ctx context.Context, q prompt.Request) (reply, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %v", patience))
	defer cancel()
	said, err := r.provider.send(ctx, q, r.omit)
	if err != nil && ctx.Err() != nil {
		err = &answerError{err: context.Cause(ctx)}
	}
	return said, err
}

// unaccepted returns the optional parameter that a server rejected.
func (r *Run) unaccepted(err error) string {
	var s *statusError
	if !errors.As(err, &s) || s.code != http.StatusBadRequest && s.code != http.StatusUnprocessableEntity {
		return ""
	}
	for _, parameter := range optional {
		if !r.omit[parameter] && strings.Contains(s.words, parameter) {
			return parameter
		}
	}
	return ""
}

// retry reports whether to retry, and after how long. It gives up if the server asks for more than longestWait.
func (r *Run) retry(err error, attempt int) (time.Duration, bool) {
	wait := time.Second << (attempt - 1)
	var s *statusError
	var c *connectError
	switch {
	case attempt == attempts:
		return 0, false
	case errors.As(err, &s):
		if s.retryAfter >= 0 {
			wait = s.retryAfter
		}
		return wait, s.busy() && wait <= longestWait
	}
	return wait, errors.As(err, &c)
}

// give returns the error of a failed request. It ends the run's requests if others would fail alike.
func (r *Run) give(err error) error {
	var s *statusError
	var final *answerError
	told := fmt.Errorf("ask %s: %w", r.settings.Name, err)
	f := &prompt.FailedError{Reason: prompt.Unavailable, Err: told}
	ends := true
	switch {
	case errors.As(err, &final):
		f.Reason, ends = final.reason(), final.ends()
	case errors.As(err, &s) && !s.busy():
		f.Reason = prompt.Refused
		r.refused++
		ends = s.code == http.StatusUnauthorized || s.code == http.StatusForbidden || r.refused == mostRefused
		if hint := r.hint(s.code); hint != "" {
			told = fmt.Errorf("%w; %s", told, hint)
		}
	}
	if !ends {
		r.note(told.Error())
		return f
	}
	r.ended = f
	r.note(told.Error() + "; going on without a model")
	return f
}

// hint names the setting to check for a status code.
func (r *Run) hint(code int) string {
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		for _, name := range []string{KeySetting, services[r.settings.Provider].key} {
			for _, source := range r.settings.Sources {
				if name == source {
					return "check " + name
				}
			}
		}
		return "set " + KeySetting
	case http.StatusNotFound:
		return "check " + NameSetting + " and " + URLSetting
	}
	return ""
}

// count adds the tokens of an exchange, estimated if the provider did not count them.
func (r *Run) count(q prompt.Request, said reply) {
	r.refused = 0
	if said.cached {
		r.report.Requests--
		r.report.Cached++
	}
	if said.in+said.out == 0 && !said.relayed {
		said.in, said.out = size(q)/tokenBytes, len(said.text)/tokenBytes
	}
	r.report.TokensIn += said.in
	r.report.TokensOut += said.out
}

func estimate(q prompt.Request) int { return size(q)/tokenBytes + outReserve }

func size(q prompt.Request) int {
	n := len(q.System) + len(q.Schema)
	for _, t := range q.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for _, t := range q.Turns {
		n += len(t.Text)
		for _, c := range t.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
		for _, one := range t.Results {
			n += len(one.Text)
		}
	}
	return n
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
