package cli_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
)

// TestEmbeddings checks that a model finds events without common words, gets each text once, and that its vectors are in exports and not
// in the repository.
func TestEmbeddings(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	var down atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if down.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		var got struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		type vector struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []vector
		for i, text := range got.Input {
			asked.Add(1)
			v := []float32{0, 0, 1}
			if strings.Contains(text, "cat") || strings.Contains(text, "feline") {
				v = []float32{1, 0, 0}
			}
			data = append(data, vector{i, v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer server.Close()
	r := newRepo(t)
	r.write("go.mod", "module example.com/m\n")
	r.commit("start")
	r.causal(cli.ExitClean, "memory", "add", "The dog slept in the hall")
	r.causal(cli.ExitClean, "memory", "add", "A cat sat upon the keyboard")
	run := func(url string, args ...string) (out, talk string) {
		var stdout, stderr bytes.Buffer
		env := map[string]string{"CAUSAL_EMBEDDINGS": "small", "CAUSAL_EMBEDDINGS_URL": url}
		world := cli.IO{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Getenv: func(name string) string { return env[name] }, Now: time.Now, Dir: r.dir}
		if code := cli.Run(t.Context(), args, world); code != cli.ExitClean {
			t.Fatalf("%v: exit code %d: %s", args, code, &stderr)
		}
		return stdout.String(), stderr.String()
	}
	const question = "which feline caused this?"
	for range 2 {
		out, talk := run(server.URL, "memory", "query", question)
		if !strings.HasPrefix(out, "Initially, A cat sat upon the keyboard.\n") || talk != "" || asked.Load() != 3 {
			t.Errorf("%q, %q, asked for %d", out, talk, asked.Load())
		}
	}
	out, _ := run(server.URL, "memory", "export", "--jsonl", "-")
	if strings.Count(out, `"embedding":[1,0,0]`) != 1 || strings.Count(out, `"embedding":[0,0,1]`) != 1 || asked.Load() != 3 {
		t.Errorf("%s, asked for %d", out, asked.Load())
	}
	if status := r.git("status", "--porcelain", "--", ".", ":!.causal/log"); status != "" {
		t.Errorf("the repository has %s", status)
	}
	down.Store(true)
	out, talk := run(server.URL, "memory", "query", "where did the dog sleep?")
	if !strings.HasPrefix(out, "Initially, The dog slept in the hall.\n") || !strings.Contains(talk, "ask small: 127.0.0.1") || !strings.Contains(talk, "searched by words only") {
		t.Errorf("%q, %q", out, talk)
	}
}

// TestJudge checks that a model judges each candidate cause once, and that the log has its judgement under its name.
func TestJudge(t *testing.T) {
	t.Parallel()
	var asked []string
	const no = `{"verdict": "did_not_lead", "how": ""}`
	answer := no
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got struct{ Messages []struct{ Content string } }
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		asked = append(asked, got.Messages[1].Content)
		says := no
		if strings.Contains(got.Messages[1].Content, " first>\nA bug report named a crash in the invoice export\n") {
			says = answer
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": says}}}})
	}))
	defer server.Close()
	r := newRepo(t)
	r.write("go.mod", "module example.com/m\n")
	r.commit("start")
	r.causal(cli.ExitClean, "memory", "add", "The export was translated")
	r.causal(cli.ExitClean, "memory", "add", "A bug report named a crash in the invoice export")
	add := func(url string, args ...string) (code int, talk string) {
		asked = nil
		var stdout, stderr bytes.Buffer
		env := map[string]string{"CAUSAL_MODEL": "small", "CAUSAL_MODEL_URL": url}
		world := cli.IO{In: strings.NewReader("The export was mended again"), Out: &stdout, Err: &stderr, Getenv: func(name string) string { return env[name] }, Now: time.Now, Dir: r.dir}
		code = cli.Run(t.Context(), append([]string{"memory", "add"}, args...), world)
		return code, stderr.String()
	}
	if code, talk := add(server.URL, "The crash of the invoice export was mended"); code != cli.ExitClean || len(asked) > 0 {
		t.Errorf("%d, %s: a model was asked for nothing: %q", code, talk, asked)
	}
	if code, talk := add(server.URL, "--judge", "The invoice was sent by the export"); code != cli.ExitClean || len(asked) != 3 || !strings.Contains(talk, "small found no cause among 3 events") {
		t.Errorf("%d, %q, %q", code, talk, asked)
	}
	answer = "I'm sorry, but I can't help with that."
	if code, talk := add(server.URL, "--judge", "The invoice was sent to the bug"); code != cli.ExitClean || !strings.Contains(talk, "warning: small gave no usable answer for 1 of 3 events; recorded without a cause") || len(asked) != 4 {
		t.Errorf("%d, %q, %q", code, talk, asked)
	}
	if got := r.causal(cli.ExitClean, "log", "--json").out; strings.Contains(got, "sorry") || strings.Contains(got, `"cause"`) {
		t.Errorf("a refusal is in the log: %s", got)
	}
	answer = `{"verdict": "led", "how": "the report had the stack of it."}`
	if code, talk := add(server.URL, "--judge", "A nil customer was found by the crash report"); code != cli.ExitClean || !strings.Contains(talk, "A bug report named a crash in the invoice export\n  the report had the stack of it.\n") {
		t.Errorf("%d, %q, %q", code, talk, asked)
	}
	want := "Initially, A bug report named a crash in the invoice export. This led to A nil customer was found by the crash report (the report had the stack of it (judged by small)).\n"
	if got := r.causal(cli.ExitClean, "memory", "query", "nil customer").out; !strings.HasPrefix(got, want) {
		t.Errorf("%q", got)
	}
	if code, _ := add(server.URL, "--judge", "-"); code != cli.ExitClean || len(asked) == 0 || !strings.Contains(asked[0], " then>\nThe export was mended again\n") {
		t.Errorf("%d, asked %q", code, asked)
	}
	if code, talk := add(server.URL+"/none\x00", "--judge", "The export again"); code != cli.ExitUsage {
		t.Errorf("%d, %q", code, talk)
	}
	if code, talk := add("http://127.0.0.1:1", "--judge", "The export failed"); code != cli.ExitClean || !strings.Contains(talk, "recorded without a cause") {
		t.Errorf("%d, %q", code, talk)
	}
	if code, talk := add("", "--judge", "The export failed"); code != cli.ExitUsage || !strings.Contains(talk, "memory add: --judge: CAUSAL_MODEL is set, and openai has no key") {
		t.Errorf("%d, %q", code, talk)
	}
	if code, talk := add(server.URL, "--judge", "--cause", "x", "The export failed"); code != cli.ExitUsage || !strings.Contains(talk, "use either --cause or --judge") {
		t.Errorf("%d, %q", code, talk)
	}
}
