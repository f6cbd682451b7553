package hooks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/causaldocs/causal/app/hooks"
)

// TestManyProcesses: lines of sessions side by side are whole, and in their own folder.
func TestManyProcesses(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const events, processes, sessions = 50, 6, 3
	var wg sync.WaitGroup
	for i := range events {
		in := strings.NewReader(fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"%d %s"}}`,
			i%sessions, i, strings.Repeat("x", 400)))
		wg.Go(func() {
			if i >= processes {
				hooks.Run(t.Context(), hooks.Options{In: in, Out: io.Discard, Getenv: func(string) string { return "" }, Now: time.Now, Dir: a.dir, Patience: time.Minute})
				return
			}
			cmd := exec.CommandContext(t.Context(), self)
			cmd.Env, cmd.Stdin = append(os.Environ(), "CAUSAL_TEST_HOOK="+a.dir), in
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for s := range sessions {
		for line := range strings.Lines(a.kept("s"+strconv.Itoa(s), "tools.jsonl")) {
			var e struct {
				Input map[string]string `json:"tool_input"`
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			number, _, _ := strings.Cut(e.Input["command"], " ")
			if i, err := strconv.Atoi(number); err != nil || i%sessions != s || seen[number] {
				t.Errorf("session %d has the event %q", s, number)
			}
			seen[number] = true
		}
	}
	if len(seen) != events {
		t.Errorf("%d of %d events are there", len(seen), events)
	}
}

// TestNoAgentIsKeptFromItsWork: whatever comes in, nothing goes out, it ends, and the log says what was wrong.
func TestNoAgentIsKeptFromItsWork(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	big := `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":"` + strings.Repeat(`a\n`, 4<<20) + `","session_id":"big","cwd":` + strconv.Quote(a.dir) + `}`
	for name, c := range map[string]struct {
		in  io.Reader
		log string
	}{
		"nothing":       {strings.NewReader(""), "read the event"},
		"garbage":       {strings.NewReader("\x00\xff{{{"), "read the event"},
		"a list":        {strings.NewReader("[1,2]"), "does not begin as a JSON object"},
		"half an event": {strings.NewReader(`{"session_id":"half","hook_event_name":"UserPromptSubmit","prompt":"what I as`), "unexpected EOF"},
		"another event": {strings.NewReader(`{"hook_event_name":"PreCompact"}`), "PreCompact"},
		"odd types":     {strings.NewReader(`{"hook_event_name":"PostToolUse","session_id":7,"tool_input":[1],"tool_response":null,"cwd":{}}`), ""},
		"a broken pipe": {iotest.ErrReader(errors.New("the pipe broke")), "the pipe broke"},
		"a long answer": {strings.NewReader(big), ""},
		"brackets":      {strings.NewReader(`{"hook_event_name":"Stop","session_id":"b","x":` + strings.Repeat("[", 1<<20)), "exceeded max depth"},
		"a transcript":  {strings.NewReader(`{"hook_event_name":"Stop","session_id":"t","transcript_path":"/dev/zero"}`), "is no regular file"},
		"a panic":       {panics{}, "on purpose"},
	} {
		if out := a.raw(c.in); len(out) > 0 {
			t.Errorf("%s: the agent is told %s", name, out)
		}
		if c.log != "" && name != "a broken pipe" {
			expect(t, name, a.kept("hooks.log"), c.log)
		}
	}
	expect(t, "half an event", a.kept("half", "tools.jsonl"), `"event":"UserPromptSubmit"`)
	expect(t, "a long answer", a.kept("big", "tools.jsonl"), "the rest of a long answer")
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("on purpose") }

// waits is standard input that nobody closes.
type waits struct{ end <-chan struct{} }

func (w waits) Read([]byte) (int, error) { <-w.end; return 0, io.EOF }

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	end := make(chan struct{})
	defer close(end)
	in := io.MultiReader(strings.NewReader(`{"session_id":"s"`), waits{end})
	hooks.Run(t.Context(), hooks.Options{In: in, Out: io.Discard, Getenv: os.Getenv, Now: time.Now, Dir: a.dir, Patience: time.Millisecond})
	// An event that is whole is not waited for longer.
	in = io.MultiReader(strings.NewReader(`{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"x"}`), waits{end})
	hooks.Run(t.Context(), hooks.Options{In: in, Out: io.Discard, Getenv: os.Getenv, Now: time.Now, Dir: a.dir, Patience: time.Minute})
	expect(t, "kept", a.kept("s", "tools.jsonl"), `"prompt":"x"`)
}

// TestManyEvents: a session is not kept without end, and what is there is read in time.
func TestManyEvents(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.write("a.go", "1")
	a.asked("s", "begin")
	line := `{"at":"2026-02-20T12:00:00Z","event":"PostToolUse","tool_name":"Read","files":[{"path":"a.go","hash":"%040d","role":"read"}]}` + "\n"
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, line, i)
	}
	b.WriteString("\x00garbage\n{\"at\":")
	name := filepath.Join(a.dir, ".git", "causal", "sessions", "s", "tools.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	a.stops("s", "end")
	expect(t, "the log", a.kept("hooks.log"), "no more are kept")
	expect(t, "frames", a.kept("s", "frames.jsonl"), "read a.go")
	expect(t, "start", a.starts("other"), "changed since: a.go (read then)")
}

// TestOldSessionsGo: no more than fifty are kept.
func TestOldSessionsGo(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	top := filepath.Join(a.dir, ".git", "causal", "sessions")
	for i := range 60 {
		name := filepath.Join(top, fmt.Sprintf("s%02d", i), "tools.jsonl")
		at := a.now.Add(time.Duration(i-100) * time.Hour)
		err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte("{}\n"), 0o600), os.Chtimes(name, at, at))
		if err != nil {
			t.Fatal(err)
		}
	}
	a.starts("new")
	entries, err := filepath.Glob(filepath.Join(top, "s*"))
	if err != nil || len(entries) != 50 || filepath.Base(entries[0]) != "s10" {
		t.Errorf("%d are left, the first %v (%v)", len(entries), entries[:1], err)
	}
}
