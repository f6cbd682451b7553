package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/prompt"
)

const schema = `{"title": "causal.test/v1", "type": "object", "properties": {"verdict": {"enum": ["yes", "no"]}}, "required": ["verdict"], "additionalProperties": false}`

func question() prompt.Request {
	return prompt.Request{
		Use: prompt.Docs, Unit: "module/money", Schema: json.RawMessage(schema), System: "Judge.",
		Turns: []prompt.Turn{{Role: prompt.User, Text: "Is it so?"}},
	}
}

func withTools() prompt.Request {
	q := question()
	q.Tools = []prompt.Tool{{Name: "read", Description: "Read a file.", Schema: json.RawMessage(`{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}`)}}
	return q
}

func call(name, arguments string) step {
	return step{calls: []prompt.Call{{ID: "c1", Name: name, Arguments: json.RawMessage(arguments)}}}
}

func status(code int, header ...string) step {
	s := step{status: code, body: `{"type": "error", "error": {"type": "x", "message": "not for ` + key + ` today"}}`, header: map[string]string{}}
	for i := 0; i < len(header); i += 2 {
		s.header[header[i]] = header[i+1]
	}
	return s
}

// world is a run and what it did.
type world struct {
	run   *model.Run
	notes []string
	slept []time.Duration
}

func open(s model.Settings, o model.Options) *world {
	w := &world{}
	o.Note = func(text string) { w.notes = append(w.notes, text) }
	if o.Sleep == nil {
		o.Sleep = func(_ context.Context, d time.Duration) error {
			w.slept = append(w.slept, d)
			return nil
		}
	}
	w.run = model.Open(s, o)
	return w
}

// TestConformance holds every adapter to the same behaviour.
func TestConformance(t *testing.T) {
	t.Parallel()
	yes := step{text: `{"verdict": "yes"}`}
	for name, test := range map[string]struct {
		steps    []step
		q        prompt.Request // the zero value: question
		answer   string
		calls    int
		reason   prompt.Reason
		requests int
		slept    []time.Duration
		note     string
		http     bool // the case is about HTTP
	}{
		"answer":                 {steps: []step{yes}, answer: `{"verdict":"yes"}`, requests: 1},
		"call of the answer":     {steps: []step{call(prompt.AnswerTool, `{"verdict": "no"}`)}, q: withTools(), answer: `{"verdict":"no"}`, requests: 1},
		"thoughts before":        {steps: []step{{text: "<think>{\"verdict\": \"no\"} or not\n</think>\n\n{\"verdict\": \"yes\"}"}}, answer: `{"verdict":"yes"}`, requests: 1},
		"end of thoughts before": {steps: []step{{text: "hm</think>{\"verdict\": \"yes\"}"}}, answer: `{"verdict":"yes"}`, requests: 1},
		"fence around":           {steps: []step{{text: "```json\n{\"verdict\": \"yes\"}\n```"}}, answer: `{"verdict":"yes"}`, requests: 1},
		"wrong, then right":      {steps: []step{{text: `{"foo": 1}`}, yes}, answer: `{"verdict":"yes"}`, requests: 2},
		"cut, then right":        {steps: []step{{text: `{"verdict": "y`}, yes}, answer: `{"verdict":"yes"}`, requests: 2},
		"nothing, then right":    {steps: []step{{}, yes}, answer: `{"verdict":"yes"}`, requests: 2},
		"wrong call, then right": {steps: []step{call("read", `{"file": 1}`), call("read", `{"path": "a"}`)}, q: withTools(), calls: 1, requests: 2},
		"unknown tool twice":     {steps: []step{call("delete", `{}`)}, q: withTools(), reason: prompt.NotTheForm, requests: 2},
		"wrong twice":            {steps: []step{{text: `{"verdict": "perhaps"}`}}, reason: prompt.NotTheForm, requests: 2},
		"apology":                {steps: []step{{text: "I'm sorry, but I can't help with that."}}, reason: prompt.NotTheForm, requests: 2},
		"form in a refusal":      {steps: []step{{text: `I would answer {"verdict": "yes"} if I could.`}}, reason: prompt.NotTheForm, requests: 2},
		"thoughts only":          {steps: []step{{text: `<think>{"verdict": "yes"}`}}, reason: prompt.NotTheForm, requests: 2},
		"refusal":                {steps: []step{{text: "No.", refusal: true}}, reason: prompt.Refused, requests: 1, http: true},
		"rate limit":             {steps: []step{status(429, "Retry-After", "7"), yes}, answer: `{"verdict":"yes"}`, requests: 2, slept: []time.Duration{7 * time.Second}, http: true},
		"longer rate limit":      {steps: []step{status(429, "Retry-After", "3600")}, reason: prompt.Unavailable, requests: 1, note: "429 Too Many Requests", http: true},
		"overloaded": {
			steps: []step{status(529), status(500), status(408), yes}, answer: `{"verdict":"yes"}`, requests: 4,
			slept: []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}, http: true,
		},
		"down": {
			steps: []step{status(500, "Retry-After", "0")}, reason: prompt.Unavailable, requests: 4, slept: []time.Duration{0, 0, 0},
			note: "500 Internal Server Error: not for [redacted] today; going on without a model", http: true,
		},
		"wrong key":      {steps: []step{status(401)}, reason: prompt.Refused, requests: 1, note: "401 Unauthorized: not for [redacted] today; check ", http: true},
		"forbidden":      {steps: []step{status(403)}, reason: prompt.Refused, requests: 1, note: "going on without a model", http: true},
		"bad request":    {steps: []step{status(400)}, reason: prompt.Refused, requests: 1, note: "400 Bad Request: not for", http: true},
		"no such model":  {steps: []step{status(404)}, reason: prompt.Refused, requests: 1, note: "check CAUSAL_MODEL and", http: true},
		"redirect":       {steps: []step{status(307, "Location", "/elsewhere")}, reason: prompt.Unavailable, requests: 1, note: "follows no redirect: set CAUSAL_MODEL_URL", http: true},
		"huge answer":    {steps: []step{{huge: true}}, reason: prompt.NotTheForm, requests: 1, note: "longer than", http: true},
		"another format": {steps: []step{{body: `<html>`}}, reason: prompt.NotTheForm, requests: 1, note: "does not have the format", http: true},
		"temperature": {
			steps:  []step{{status: 400, body: `{"error": {"message": "Unsupported parameter: 'temperature'"}}`}, yes},
			answer: `{"verdict":"yes"}`, requests: 2, http: true,
		},
	} {
		for _, a := range adapters {
			if test.http && !a.http {
				continue
			}
			t.Run(a.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				f := newFake(t, test.steps...)
				q := test.q
				if q.Use == "" {
					q = question()
				}
				dir := t.TempDir()
				w := open(a.settings(t, f), model.Options{Dir: dir})
				got, err := w.run.Complete(t.Context(), q)
				report := w.run.Report()
				if string(got.Answer) != test.answer || len(got.Calls) != test.calls || report.Requests != test.requests || !slices.Equal(w.slept, test.slept) {
					t.Errorf("%s, %d calls, %d requests, slept %v; %v", got.Answer, len(got.Calls), report.Requests, w.slept, err)
				}
				if test.reason != "" {
					var failed *prompt.FailedError
					if !errors.As(err, &failed) || failed.Reason != test.reason || len(report.Failed) != 1 || report.Failed[0].Reason != test.reason {
						t.Errorf("%v, %+v; want %s", err, report.Failed, test.reason)
					}
				} else if err != nil || len(report.Failed) > 0 {
					t.Errorf("%v, %+v", err, report.Failed)
				}
				if notes := strings.Join(w.notes, "\n"); !strings.Contains(notes, test.note) || strings.Contains(notes, key) || err != nil && strings.Contains(err.Error(), key) {
					t.Errorf("notes %q, error %v", notes, err)
				}
				again := open(a.settings(t, f), model.Options{Dir: dir})
				_, err = again.run.Complete(t.Context(), q)
				sentBack := test.reason == prompt.NotTheForm && test.requests == 2
				r := again.run.Report()
				switch {
				case test.reason == "" && (r.Cached != 1 || r.Requests != 0 || err != nil), test.reason != "" && (r.Cached != 0 || err == nil || sentBack != (r.Requests == 0)):
					t.Errorf("the second run: %+v, %v", r, err)
				}
			})
		}
	}
}

// TestRequests: what an adapter sends.
func TestRequests(t *testing.T) {
	t.Parallel()
	for _, a := range adapters[:2] {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, call("read", `{"path": "a.go"}`), call(prompt.AnswerTool, `{"verdict": "yes"}`))
			w := open(a.settings(t, f), model.Options{})
			q := withTools()
			q.Turns[0].Text = "The token is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB."
			got, err := w.run.Complete(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			q.Turns = append(q.Turns, prompt.Turn{Role: prompt.Assistant, Calls: got.Calls},
				prompt.Turn{Role: prompt.User, Results: []prompt.Result{{ID: got.Calls[0].ID, Text: "AKIAIOSFODNN7EXAMPLE"}}})
			if _, err := w.run.Complete(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			all := f.got()
			if len(all) != 2 || all[0].auth == "" || !strings.Contains(all[0].auth, key) {
				t.Fatalf("%+v", all)
			}
			for _, r := range all {
				if r.body["temperature"] != 0.0 || r.body["model"] != "fake-1" || r.body["stream"] == true || !strings.Contains(r.raw, `"causal.test/v1"`) ||
					!strings.Contains(r.raw, `"unit: module/money\nThe token is [redacted]`) || strings.Contains(r.raw, "ghp_") || strings.Contains(r.raw, "AKIA") {
					t.Errorf("%s", r.raw)
				}
			}
			if a.name == model.Anthropic && strings.Count(all[1].raw, "cache_control") != 2 {
				t.Errorf("not marked for caching: %s", all[1].raw)
			}
			if r := w.run.Report(); r.TokensIn != 2000 || r.TokensOut != 200 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestCancel: cancelling ends the request, and is no failure of the model.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, a := range adapters[:2] {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, step{hang: true})
			w := open(a.settings(t, f), model.Options{})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-f.hanging
				cancel()
			}()
			_, err := w.run.Complete(ctx, question())
			if !errors.Is(err, context.Canceled) || len(w.run.Report().Failed) != 0 {
				t.Errorf("%v, %+v", err, w.run.Report())
			}
		})
	}
}

// TestEnds: after failures that concern all requests the run makes no more.
func TestEnds(t *testing.T) {
	t.Parallel()
	for code, requests := range map[int]int{http.StatusUnauthorized: 1, http.StatusForbidden: 1, http.StatusInternalServerError: 4, http.StatusBadRequest: 3} {
		f := newFake(t, status(code))
		w := open(adapters[1].settings(t, f), model.Options{})
		for _, unit := range []string{"module/a", "module/b", "module/c"} {
			q := question()
			q.Unit = unit
			if _, err := w.run.Complete(t.Context(), q); err == nil {
				t.Errorf("%d: an answer", code)
			}
		}
		if r := w.run.Report(); r.Requests != requests || len(f.got()) != requests || len(r.Failed) != 3 || len(w.notes) != 1 {
			t.Errorf("%d: %+v, %q", code, r, w.notes)
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	f := newFake(t, step{text: `{"verdict": "yes"}`})
	dir := t.TempDir()
	complete := func(w *world, units ...string) (failed int) {
		for _, unit := range units {
			q := question()
			q.Unit = unit
			if _, err := w.run.Complete(t.Context(), q); err != nil {
				if prompt.ReasonOf(err) != prompt.Budget {
					t.Error(err)
				}
				failed++
			}
		}
		return failed
	}
	for run := 1; run <= 3; run++ { // each run gets one further answer: 1,100 tokens
		w := open(adapters[1].settings(t, f), model.Options{Dir: dir, Tokens: 1200})
		if failed := complete(w, "module/a", "module/b", "module/c"); failed != 3-run || len(f.got()) != run || w.run.Report().Cached != run-1 {
			t.Errorf("run %d: %d failed, %+v", run, failed, w.run.Report())
		}
	}
	if w := open(adapters[1].settings(t, f), model.Options{Tokens: 1}); complete(w, "module/a") != 0 {
		t.Error("the first request of a run is not sent")
	}
}

// TestNoRequest: without a model, offline, or for another use nothing is sent.
func TestNoRequest(t *testing.T) {
	t.Parallel()
	var none *model.Run
	if _, err := none.Complete(t.Context(), question()); prompt.ReasonOf(err) != prompt.Unavailable || none.Allows(prompt.Docs) || none.Report() != nil || none.Name() != "" {
		t.Errorf("%v", err)
	}
	none.Drop("module/a", prompt.Dropped{Text: "x"})
	if model.Open(model.Settings{}, model.Options{}) != nil {
		t.Error("a run without a model")
	}
	f := newFake(t, step{text: `{"verdict": "yes"}`})
	s := adapters[1].settings(t, f)
	other := open(s, model.Options{Use: []prompt.Use{prompt.Ask}})
	if _, err := other.run.Complete(t.Context(), question()); err == nil || other.run.Allows(prompt.Docs) || !other.run.Allows(prompt.Ask) {
		t.Errorf("%v", err)
	}
	s.Offline = true
	offline := open(s, model.Options{})
	if _, err := offline.run.Complete(t.Context(), question()); prompt.ReasonOf(err) != prompt.Offline || offline.run.Allows(prompt.Docs) {
		t.Errorf("%v", err)
	}
	if n := len(f.got()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// TestNoKey: a server of one's own needs no key.
func TestNoKey(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "of another")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "of another")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Api-Key: of another")
	for _, a := range adapters[:2] {
		f := newFake(t, step{text: `{"verdict": "yes"}`})
		s := a.settings(t, f)
		s.Key = ""
		if _, err := open(s, model.Options{}).run.Complete(t.Context(), question()); err != nil || len(f.got()) != 1 || f.got()[0].auth != "" {
			t.Errorf("%s: %v, %+v", a.name, err, f.got())
		}
	}
}

// TestUnreachable: a server that is not there is asked once.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, a := range adapters[:2] {
		f := newFake(t, step{})
		f.Close()
		w := open(a.settings(t, f), model.Options{})
		if _, err := w.run.Complete(t.Context(), question()); prompt.ReasonOf(err) != prompt.Unavailable || len(w.slept) > 0 || w.run.Report().Requests != 1 || len(w.notes) != 1 {
			t.Errorf("%s: %v, %+v, %q", a.name, err, w.run.Report(), w.notes)
		}
	}
}

// TestReport: the JSON has lists and never null, and a dropped text is one short line.
func TestReport(t *testing.T) {
	t.Parallel()
	w := open(model.Settings{Provider: model.OpenAI, Name: "fake-1"}, model.Options{})
	data, err := json.Marshal(w.run.Report())
	if want := `{"provider":"openai","name":"fake-1","requests":0,"cached":0,"tokens_in":0,"tokens_out":0,"dropped":[],"failed":[]}`; string(data) != want || err != nil {
		t.Errorf("%s, %v", data, err)
	}
	w.run.Drop("module/a", prompt.Dropped{Text: "x\n" + strings.Repeat("y", 1000), Reason: prompt.NotCited})
	if d := w.run.Report().Dropped; len(d) != 1 || len(d[0].Text) > 300 || strings.Contains(d[0].Text, "\n") || !strings.Contains(w.run.Report().Text(), "cites nothing") {
		t.Errorf("%+v", d)
	}
}
