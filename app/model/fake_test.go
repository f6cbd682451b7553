package model_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/knowledge/prompt"
)

// step is the reaction of a fake model to one request. The zero value of a field leaves it out.
type step struct {
	text    string
	calls   []prompt.Call
	refusal bool
	status  int
	header  map[string]string
	body    string // of the response, instead of one in the protocol
	huge    bool
	hang    bool // until the request is cancelled
}

// request is a request to a fake model.
type request struct {
	path, auth, raw string
	body            map[string]any
}

// fake is a model behind the protocols of both APIs, which follows a script: its last step is repeated.
type fake struct {
	*httptest.Server
	steps []step

	mu       sync.Mutex
	requests []request
	hanging  chan struct{} // closed by the first request that hangs
}

func newFake(t *testing.T, steps ...step) *fake {
	t.Helper()
	f := &fake{steps: steps, hanging: make(chan struct{})}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	got := request{path: r.URL.Path, auth: r.Header.Get("Authorization") + r.Header.Get("X-Api-Key"), raw: string(raw)}
	_ = json.Unmarshal(raw, &got.body)
	f.mu.Lock()
	s := f.steps[min(len(f.requests), len(f.steps)-1)]
	f.requests = append(f.requests, got)
	f.mu.Unlock()
	for name, value := range s.header {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Type", "application/json")
	switch {
	case s.hang:
		close(f.hanging)
		<-r.Context().Done()
	case s.huge:
		_, _ = io.WriteString(w, strings.Repeat(" ", 5<<20))
	case s.status != 0:
		w.WriteHeader(s.status)
		_, _ = io.WriteString(w, s.body)
	case s.body != "":
		_, _ = io.WriteString(w, s.body)
	default:
		_ = json.NewEncoder(w).Encode(answerOf[r.URL.Path](s))
	}
}

// got are the requests so far.
func (f *fake) got() []request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]request(nil), f.requests...)
}

// answerOf encodes an answer in the protocol of a path.
var answerOf = map[string]func(step) any{
	"/v1/messages": func(s step) any {
		content, stop := []any{}, "end_turn"
		if s.text != "" {
			content = append(content, map[string]any{"type": "text", "text": s.text})
		}
		for _, c := range s.calls {
			stop = "tool_use"
			content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Arguments})
		}
		if s.refusal {
			stop = "refusal"
		}
		return map[string]any{
			"id": "m", "type": "message", "role": "assistant", "model": "fake", "content": content, "stop_reason": stop, "stop_sequence": nil,
			"usage": map[string]int{"input_tokens": 100, "cache_read_input_tokens": 600, "cache_creation_input_tokens": 300, "output_tokens": 100},
		}
	},
	"/v1/chat/completions": func(s step) any {
		message, stop := map[string]any{"role": "assistant", "content": nil}, "stop"
		if s.text != "" {
			message["content"] = s.text
		}
		var calls []any
		for _, c := range s.calls {
			stop = "tool_calls"
			calls = append(calls, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": string(c.Arguments)}})
		}
		message["tool_calls"] = calls
		if s.refusal {
			message["refusal"] = "I cannot help with that."
		}
		return map[string]any{
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": stop}},
			"usage":   map[string]int{"prompt_tokens": 1000, "completion_tokens": 100},
		}
	},
}

// adapter is one way to reach the fake model.
type adapter struct {
	name     string
	http     bool
	settings func(t *testing.T, f *fake) model.Settings
}

var adapters = []adapter{
	{model.Anthropic, true, func(_ *testing.T, f *fake) model.Settings {
		return model.Settings{Provider: model.Anthropic, Name: "fake-1", URL: f.URL, Key: key, Sources: []string{model.NameSetting, "ANTHROPIC_API_KEY"}}
	}},
	{model.OpenAI, true, func(_ *testing.T, f *fake) model.Settings {
		return model.Settings{Provider: model.OpenAI, Name: "fake-1", URL: f.URL + "/v1", Key: key, Sources: []string{model.NameSetting, model.KeySetting}}
	}},
	{model.Command, false, func(t *testing.T, f *fake) model.Settings {
		t.Helper()
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for i, s := range f.steps {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(printed(s)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return model.Settings{Provider: model.Command, Name: "fake-1", Command: self + " " + asModel + " " + dir, Sources: []string{model.NameSetting, model.CommandSetting}}
	}},
}

const (
	key     = "k-secret-1"
	asModel = "answer-as-model" // the argument that makes this test a model
)

// printed is the output of a command.
func printed(s step) string {
	for _, c := range s.calls {
		return fmt.Sprintf(`{"tool": %q, "arguments": %s}`, c.Name, c.Arguments)
	}
	return s.text
}

// TestMain is the command model too: it prints the answers in a directory, one a run.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asModel {
		asked, _ := io.ReadAll(os.Stdin)
		dir := os.Args[2]
		before, _ := filepath.Glob(filepath.Join(dir, "asked-*"))
		_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("asked-%d", len(before))), asked, 0o600)
		all, _ := filepath.Glob(filepath.Join(dir, "[0-9]*"))
		answer, _ := os.ReadFile(filepath.Join(dir, fmt.Sprint(min(len(before), len(all)-1))))
		_, _ = os.Stdout.Write(answer)
		return
	}
	os.Exit(m.Run())
}
