package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// navigator is a model behind the protocol of OpenAI that takes these steps in each conversation: a call of a tool each.
func navigator(t *testing.T, steps ...[2]string) (asked func() int) {
	t.Helper()
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		raw, _ := io.ReadAll(r.Body)
		var body struct {
			Messages []struct {
				Role string `json:"role"`
			} `json:"messages"`
		}
		if err := json.Unmarshal(raw, &body); err != nil {
			t.Error(err)
		}
		done := 0
		for _, m := range body.Messages {
			if m.Role == "assistant" {
				done++
			}
		}
		s := steps[min(done, len(steps)-1)]
		call := map[string]any{"id": "t1", "type": "function", "function": map[string]string{"name": s[0], "arguments": s[1]}}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"finish_reason": "tool_calls", "message": map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}}},
			"usage":   map[string]int{"prompt_tokens": 100, "completion_tokens": 10},
		})
	}))
	t.Cleanup(server.Close)
	t.Setenv("CAUSAL_MODEL", "small")
	t.Setenv("CAUSAL_MODEL_PROVIDER", "openai")
	t.Setenv("CAUSAL_MODEL_KEY", "key")
	t.Setenv("CAUSAL_MODEL_URL", server.URL+"/v1")
	return func() int {
		n := requests
		requests = 0
		return n
	}
}

// aboutMoney is a repository with a model that answers how amounts are read.
func aboutMoney(t *testing.T) (*repo, func() int) {
	t.Helper()
	r := newRepo(t)
	r.write(".causal/config.yml", "version: 1\nmodel:\n  use: [ask]\n")
	r.write("go.mod", "module example.com/shop\n\ngo 1.22\n")
	r.write("money/money.go", "// Package money holds amounts.\npackage money\n\n// Parse reads an amount.\nfunc Parse(s string) int {\n\treturn len(s)\n}\n")
	r.update()
	r.commit("Begin")
	return r, navigator(t, [2]string{"read", `{"path": "money/money.go", "from": 1, "to": 7}`},
		[2]string{"answer", `{"answer": [{"text": "` + "`Parse`" + ` gives the length of the text.", "cites": ["money/money.go:5-7"]}], "confidence": 0.9, "open": ["who calls it"]}`})
}

// TestAsk: an answer for people and for programs, given again while it holds.
func TestAsk(t *testing.T) {
	r, asked := aboutMoney(t)
	got := r.causal(cli.ExitClean, "ask", "--status-events", "How are", "amounts read?")
	for _, want := range []string{"`Parse` gives the length of the text.\n    money/money.go:5-7\n", "open: who calls it", `confidence 0.9; invalid if modified("money/money.go")`} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	for _, want := range []string{"[RLM:START] ", "[RLM:QUERY] Processing (", "[RLM:DONE] Completed in 2 iterations", "[RLM:DONE] Tokens: 220, Time: "} {
		if !strings.Contains(got.err, want) {
			t.Errorf("%q is not in\n%s", want, got.err)
		}
	}
	if n := asked(); n != 2 {
		t.Errorf("%d requests", n)
	}
	if got := r.causal(cli.ExitClean, "ask", "how is an amount read"); !strings.Contains(got.out, "the stored answer still holds") || asked() != 0 {
		t.Errorf("asked again: %s", got)
	}
	var a map[string]any
	if err := json.Unmarshal([]byte(r.causal(cli.ExitClean, "ask", "--json", "how is an amount read").out), &a); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"question", "answer", "confidence", "open", "from", "reused", "frames", "evidence", "invalidation_condition", "session", "suspended", "kept", "model"} {
		if _, ok := a[key]; !ok {
			t.Errorf("the JSON has no %s: %v", key, a)
		}
	}
	if len(a) != 13 || a["from"] != "stored" || a["reused"] != true {
		t.Errorf("%v", a)
	}
	if got := r.causal(cli.ExitClean, "memory", "query", "amounts"); !strings.Contains(got.out, "gives the length of the text. (money/money.go:5-7)") {
		t.Errorf("not remembered: %s", got)
	}
	r.causal(cli.ExitFindings, "memory", "query", "zeppelins")
}

// TestAskKeep: a kept answer is checked like every page, and asked again by an update with a model.
func TestAskKeep(t *testing.T) {
	r, asked := aboutMoney(t)
	got := r.causal(cli.ExitClean, "ask", "--keep", "How are amounts read?")
	if !strings.Contains(got.out, "kept in .causal/answers/how-are-amounts-read-") {
		t.Fatal(got)
	}
	r.causal(cli.ExitFindings, "check")
	r.causal(cli.ExitClean, "update", "--offline")
	page := func() string { return r.read("docs/causal/answers.md") }
	if text := page(); !strings.Contains(text, "gives the length") || strings.Contains(text, "WARNING") {
		t.Errorf("the page is\n%s", text)
	}
	if !strings.Contains(r.read("docs/causal/index.md"), "[Answers](answers.md)") {
		t.Error("the entry page does not lead to the answers")
	}
	r.commit("Keep an answer")
	r.causal(cli.ExitClean, "check")
	r.replace("money/money.go", "len(s)", "len(s) + 1")
	if got := r.causal(cli.ExitFindings, "check"); !strings.Contains(got.out, "the answer no longer holds") {
		t.Error(got)
	}
	if asked(); r.causal(cli.ExitClean, "update", "--offline").code != 0 || asked() != 0 || !strings.Contains(page(), "> This answer may be wrong now: money/money.go changed.") {
		t.Errorf("the page is\n%s", page())
	}
	r.causal(cli.ExitClean, "check")
	_, after, _ := strings.Cut(got.out, "kept in ")
	file := strings.TrimSpace(after)
	slug := strings.TrimSuffix(strings.TrimPrefix(file, ".causal/answers/"), ".yml")
	for target, want := range map[string]string{
		file: "is stale", "answer/" + slug: "money/money.go changed", "docs/causal/answers.md": "the page of answers is fresh", "answers/page": "the page of answers is fresh",
	} {
		if got := r.causal(cli.ExitClean, "why", target); !strings.Contains(got.out, want) {
			t.Errorf("%s: %q is not in\n%s", target, want, got)
		}
	}
	r.causal(cli.ExitUsage, "why", "answer/nope")
	r.causal(cli.ExitClean, "update")
	if n := asked(); n == 0 || strings.Contains(page(), "WARNING") {
		t.Errorf("%d requests; the page is\n%s", n, page())
	}
	r.causal(cli.ExitClean, "check")
	r.causal(cli.ExitClean, "update")
	if n := asked(); n > 0 {
		t.Errorf("%d requests about an answer that holds", n)
	}
}

// TestAskBranches: a question in a session, and suspended ones.
func TestAskBranches(t *testing.T) {
	r, _ := aboutMoney(t)
	r.causal(cli.ExitClean, "ask", "--session", "s1", "Why are amounts wrong?")
	r.causal(cli.ExitClean, "ask", "--session", "s1", "wait, could it be the tax?")
	if got := r.causal(cli.ExitClean, "trace", "s1"); !strings.Contains(got.out, "Why are amounts wrong?") || !strings.Contains(got.out, "gives the length") {
		t.Error(got)
	}
	list := r.causal(cli.ExitClean, "ask", "--branches")
	id, query, _ := strings.Cut(strings.TrimSpace(list.out), "  ")
	if query != "Why are amounts wrong?" {
		t.Fatal(list)
	}
	if got := r.causal(cli.ExitClean, "ask", "Which amounts are wrong?"); !strings.Contains(got.err, "a similar question is suspended: Why are amounts wrong? (causal ask --resume "+id+")") {
		t.Error(got)
	}
	r.causal(cli.ExitClean, "ask", "--resume", id)
	if got := r.causal(cli.ExitClean, "ask", "--branches", "--session", "s1"); strings.Contains(got.out, "amounts") || !strings.Contains(got.out, "tax") {
		t.Error(got)
	}
	if got := r.causal(cli.ExitClean, "ask", "--branches", "--session", "s2"); got.out != "" || !strings.Contains(got.err, "no question is suspended") {
		t.Error(got)
	}
	for _, wrong := range [][]string{
		{}, {" "}, {"--depth", "4", "Why?"}, {"--pivot", "--backtrack", "Why?"}, {"--branches", "Why?"}, {"--resume", "nope"}, {"--resume", id}, {"--nope"},
	} {
		r.causal(cli.ExitUsage, append([]string{"ask"}, wrong...)...)
	}
}
