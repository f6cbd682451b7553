package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestProposed checks that drafts from a discussion are printed and not recorded, and can be recorded as printed.
func TestProposed(t *testing.T) {
	says := `{"statements": [{"type": "proposition", "quote": "we store sessions in a cookie", "about": []},
		{"type": "contradiction", "quote": "Cookies are far too small", "about": ["store sessions in a cookie"]},
		{"type": "proposition", "quote": "Nobody ever said this", "about": []}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": says}}}})
	}))
	t.Cleanup(server.Close)
	t.Setenv("CAUSAL_MODEL", "small")
	t.Setenv("CAUSAL_MODEL_URL", server.URL)
	r := newShop(t)
	r.write("notes.md", "# Notes\n\nAda: we store sessions in a cookie\n\nBob: Cookies are far too small\n")
	got := r.causal(cli.ExitClean, "record", "--propose", "notes.md")
	want := `{"type":"proposition","text":"we store sessions in a cookie","source":"notes.md#L3","key":"s1"}
{"type":"contradiction","text":"Cookies are far too small","targets":["s1"],"source":"notes.md#L5","key":"s2"}
`
	if got.out != want || !strings.Contains(got.err, `left out: "Nobody ever said this"`) || !strings.Contains(got.err, "2 events proposed by small") {
		t.Fatalf("%s", got)
	}
	if r.has(".causal") {
		t.Error("something was recorded")
	}
	r.write("notes.jsonl", got.out)
	r.causal(cli.ExitClean, "record", "--from", "notes.jsonl")
	if d := r.causal(cli.ExitClean, "decisions", "--all").out; !strings.Contains(d, "was contradicted by") {
		t.Error(d)
	}
	r.write("session.jsonl", `{"type":"user","sessionId":"1","message":{"content":"we store sessions in a cookie"}}`+"\n")
	if got := r.causal(cli.ExitClean, "record", "--propose", "session.jsonl"); !strings.Contains(got.out, `"source":"session.jsonl#L1"`) {
		t.Errorf("a transcript: %s", got)
	}
	for _, wrong := range [][]string{{"--propose", "notes.md", "proposition"}, {"--propose", "gone.md"}, {"--propose", "notes.md", "--from", "notes.jsonl"}} {
		r.causal(cli.ExitUsage, append([]string{"record"}, wrong...)...)
	}
	says = "I would rather not."
	if got := r.causal(cli.ExitClean, "record", "--propose", "notes.md"); got.out != want {
		t.Errorf("the same question was asked again: %s", got)
	}
	r.write("notes.md", "We keep every record for a year.\n")
	if got := r.causal(cli.ExitClean, "record", "--propose", "notes.md"); got.out != "" || !strings.Contains(got.err, "it is text instead of a JSON object") {
		t.Errorf("%s", got)
	}
	t.Setenv("CAUSAL_MODEL_URL", "http://127.0.0.1:1")
	r.write("notes.md", "We keep every record for two years.\n")
	r.causal(cli.ExitFailure, "record", "--propose", "notes.md")
	t.Setenv("CAUSAL_MODEL", "")
	t.Setenv("CAUSAL_MODEL_URL", "")
	r.causal(cli.ExitUsage, "record", "--propose", "notes.md")
}
