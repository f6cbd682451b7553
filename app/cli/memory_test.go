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

// TestEmbeddings: a model finds what has no word of the question, is asked for each text once, and its vectors go into exports. Nothing of it is
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
		if out != "Initially, A cat sat upon the keyboard.\n" || talk != "" || asked.Load() != 3 {
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
	if out != "Initially, The dog slept in the hall.\n" || !strings.Contains(talk, "ask small: 127.0.0.1") || !strings.Contains(talk, "found by words alone") {
		t.Errorf("%q, %q", out, talk)
	}
}
