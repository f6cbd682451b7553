package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
)

// FuzzEvent: what is a JSON object is read as encoding/json reads it, and whatever else comes costs no more than it is long.
func FuzzEvent(f *testing.F) {
	for _, text := range []string{
		`{"session_id":"a","cwd":"/x","tool_input":{"file_path":"b \" \\"},"tool_response":[1,{"c":"}"}],"n":null,"e":-1.5e3}`,
		`{"prompt":"\u00e9 \ud83d\ude00 \n"}`, "\xef\xbb\xbf {}", `{"a":"b`, `{"a":}`, `{,,"a":1}`, `{"a":1}{`, `{"prompt":"half an escape \u00`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := members(bytes.NewReader(text))
		var want map[string]json.RawMessage
		if json.Unmarshal(text, &want) == nil && want != nil {
			if err != nil || len(got) != len(want) {
				t.Fatalf("%q: %d of %d members, %v", text, len(got), len(want), err)
			}
			for name, v := range want {
				if !bytes.Equal(bytes.TrimSpace(v), bytes.TrimSpace(got[name])) {
					t.Errorf("%q: %q is %q, want %q", text, name, got[name], v)
				}
				var s string
				if json.Unmarshal(v, &s) == nil && got[name].string() != s {
					t.Errorf("%q: %q is the text %q, want %q", text, name, got[name].string(), s)
				}
			}
		}
		costtest.Hold(t, text, func(text []byte) { _, _ = readEvent(bytes.NewReader(text)) })
	})
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	const lines = `{"type":"summary","summary":"x"}
{"type":"user","isMeta":true,"message":{"content":"a caveat"}}
{"type":"user","message":{"role":"user","content":"what is asked"}}
{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"an answer"}]}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}
{"type":"assistant","message":{"content":[{"type":"text","text":"the last answer"},{"type":"tool_use","name":"Read"}]}}
{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"said aside"}]}}
{"type":"assistant","message":{"content":7}}
garbage
{"type":"assistant","message":{"content":[{"type":"text","te`
	if got := parseTranscript([]byte(lines), []byte(lines)); got.first != "what is asked" || got.last != "the last answer\n" {
		t.Errorf("%+v", got)
	}

	// Of a large one the ends are read, and the line in which the end begins is none.
	dir := t.TempDir()
	name := filepath.Join(dir, "t.jsonl")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		at   int64
	}{{`{"type":"user","message":{"content":"first"}}` + "\n", 0}, {"\n" + `{"type":"assistant","message":{"content":"last"}}` + "\n", 400 << 20}} {
		if _, err := f.WriteAt([]byte(c.text), c.at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := readTranscript(name); err != nil || got.first != "first" || got.last != "last" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, name := range []string{dir, filepath.Join(dir, "none")} {
		if got, err := readTranscript(name); err == nil || got != (transcript{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestSaid: what was said stands on the line where the transcript has it, on one line and without secrets.
func TestSaid(t *testing.T) {
	t.Parallel()
	lines := `{"type":"summary","summary":"x"}
{"type":"user","sessionId":"s","message":{"content":"keep records\n  for a year"}}
{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}
` + strings.Repeat("x", longestSpoken+1) + `
{"type":"assistant","message":{"content":[{"type":"text","text":"the token is ghp_0123456789abcdefghijABCDEFGHIJ012345"}]}}`
	got, err := Said(strings.NewReader(lines), 1<<20)
	said := strings.Split(got, "\n")
	if err != nil || len(said) != 5 || said[0]+said[2]+said[3] != "" || said[1] != "user: keep records for a year" ||
		!strings.HasPrefix(said[4], "assistant: the token is ") || strings.Contains(said[4], "ghp_0") {
		t.Errorf("%q, %v", said, err)
	}
	if got, err := Said(strings.NewReader(strings.Repeat(`{"type":"user","message":{"content":"again"}}`+"\n", 1000)), 100); err != nil || len(got) < 101 || len(got) > 200 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	for text, want := range map[string]bool{
		lines: true, "# Notes": false, "": false, `{"type":"proposition","text":"x"}`: false, `{"type":"user","sessionId":"s"`: false, "7": false,
	} {
		if IsTranscript([]byte(text)) != want {
			t.Errorf("%.40q is taken for what it is not", text)
		}
	}
}

// FuzzSaid: a discussion has the lines of its transcript, whatever that has.
func FuzzSaid(f *testing.F) {
	f.Add("{\"type\":\"user\",\"message\":{\"content\":\"x\\ny\"}}\r\n\n\x00")
	f.Fuzz(func(t *testing.T, transcript string) {
		got, err := Said(strings.NewReader(transcript), 1<<20)
		if err != nil || strings.Count(got, "\n") != strings.Count(transcript, "\n") {
			t.Errorf("%q is %q, %v", transcript, got, err)
		}
	})
}

func FuzzTranscript(f *testing.F) {
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"x"}]}}`), []byte("\n\n{\"type\":\"user\"}\n\x00"))
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		costtest.Hold(t, head, func(text []byte) { parseTranscript(text, tail) })
		costtest.Hold(t, tail, func(text []byte) { parseTranscript(head, text) })
	})
}

// TestLongEventsFitALine: whatever an event holds, its line is whole and has its bounds.
func TestLongEventsFitALine(t *testing.T) {
	t.Parallel()
	odd := strings.Repeat("\x01\u2028<", longestPrompt)
	e := entry{Event: postToolUse, Prompt: odd, Message: odd, Response: odd, Input: map[string]string{"a": odd, "b": odd}, Transcript: odd}
	for i := range 500 {
		e.Files = append(e.Files, touched{Path: fmt.Sprint(i, "/", strings.Repeat("p", 100)), Hash: "1"})
	}
	line, err := e.line()
	if err != nil || len(line) > longestLine || bytes.Count(line, []byte("\n")) != 1 || !json.Valid(line) {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}
