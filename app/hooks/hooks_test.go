package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/session"
)

// TestMain runs one hook where a test starts this program for that.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CAUSAL_TEST_HOOK"); dir != "" {
		now, _ := time.Parse(time.RFC3339, "2026-02-20T12:00:00Z")
		hooks.Run(context.Background(), hooks.Options{
			In: os.Stdin, Out: os.Stdout, Getenv: func(string) string { return "" }, Now: func() time.Time { return now }, Dir: dir, Patience: time.Minute,
		})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// agent works in a repository and tells causal of it.
type agent struct {
	t   testing.TB
	dir string
	env map[string]string
	now time.Time
}

func newAgent(t testing.TB) *agent {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "init", "-q", "--template=", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return &agent{t, dir, map[string]string{}, time.Now()}
}

func (a *agent) write(name, content string) {
	a.t.Helper()
	path := filepath.Join(a.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) remove(name string) {
	a.t.Helper()
	if err := os.Remove(filepath.Join(a.dir, name)); err != nil {
		a.t.Fatal(err)
	}
}

// fields are those of an event.
type fields map[string]any

// tell tells of an event and returns what the agent is told.
func (a *agent) tell(id, event string, more fields) string {
	a.t.Helper()
	e := fields{"hook_event_name": event, "cwd": a.dir}
	if id != "" {
		e["session_id"] = id
	}
	maps.Copy(e, more)
	data, err := json.Marshal(e)
	if err != nil {
		a.t.Fatal(err)
	}
	out := a.raw(bytes.NewReader(data))
	if len(out) == 0 {
		return ""
	}
	var answer struct {
		Output struct{ HookEventName, AdditionalContext string } `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &answer); err != nil || answer.Output.HookEventName != event {
		a.t.Fatalf("%s was answered with %s (%v)", event, out, err)
	}
	return answer.Output.AdditionalContext
}

func (a *agent) raw(in io.Reader) []byte {
	var out bytes.Buffer
	a.now = a.now.Add(time.Second)
	hooks.Run(a.t.Context(), hooks.Options{
		In: in, Out: &out, Getenv: func(name string) string { return a.env[name] }, Now: func() time.Time { return a.now },
		Random: strings.NewReader("\x12\x34\x56\x78"), Dir: a.dir, Patience: time.Minute,
	})
	return out.Bytes()
}

func (a *agent) reads(id, file string) {
	a.tell(id, "PostToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": filepath.Join(a.dir, file)}})
}

func (a *agent) edits(id, file, content string) {
	a.write(file, content)
	a.tell(id, "PostToolUse", fields{"tool_name": "Edit", "tool_input": fields{"file_path": filepath.Join(a.dir, file), "new_string": content}})
}

func (a *agent) asked(id, prompt string) string {
	return a.tell(id, "UserPromptSubmit", fields{"prompt": prompt})
}

func (a *agent) stops(id, message string) {
	a.tell(id, "Stop", fields{"last_assistant_message": message})
}

func (a *agent) starts(id string) string {
	return a.tell(id, "SessionStart", fields{"source": "startup"})
}

func (a *agent) kept(parts ...string) string {
	data, err := os.ReadFile(filepath.Join(append([]string{a.dir, ".git", "causal", "sessions"}, parts...)...))
	if err != nil && !os.IsNotExist(err) {
		a.t.Fatal(err)
	}
	return string(data)
}

// expect holds a text to what must be in it, and, with "!" before it, what must not.
func expect(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if none, ok := strings.CutPrefix(part, "!"); ok == strings.Contains(text, none) || !ok && !strings.Contains(text, part) {
			t.Errorf("%s: want %s in\n%s", what, part, text)
		}
	}
}

// TestTheNextSessionIsToldWhatFell is the whole way: a session reads, concludes and leaves something; the files change; the next
// one is told.
func TestTheNextSessionIsToldWhatFell(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.write("auth.go", "package a")
	a.write("pool.go", "package a")
	a.write("old.go", "package a")
	if got := a.starts("s1"); got != "" {
		t.Errorf("there is nothing to tell of, and it says\n%s", got)
	}
	a.asked("s1", "find the auth problem")
	a.reads("s1", "auth.go")
	a.stops("s1", "there is no expiry check")
	a.asked("s1", "look at the pool")
	a.reads("s1", "pool.go")
	a.reads("s1", "old.go")
	a.edits("s1", "new.go", "package b")
	a.stops("s1", "the pool is exhausted")
	if got := a.starts("s2"); got != "" {
		t.Errorf("nothing changed, and it says\n%s", got)
	}
	a.write("pool.go", "package other")
	a.write("new.go", "package other")
	a.remove("old.go")
	got := a.starts("s2")
	expect(t, "what fell", got, `that began with "find the auth problem":`, "changed since: new.go (modified then), pool.go (read then)", "gone since: old.go (read then)",
		`"the pool is exhausted", said about "look at the pool"`, "!expiry", "!auth.go", "!not finished")
	if n := len(strings.Fields(got)); n > 450 {
		t.Errorf("it has %d words", n)
	}

	// What a later session had to do with, it knows better.
	a.asked("s2", "mend the pool")
	a.reads("s2", "pool.go")
	a.stops("s2", "done")
	expect(t, "after the second", a.starts("s3"), "!pool.go (", "new.go (modified then)")

	// Asked the same, it is told of that session alone.
	expect(t, "the same asked", a.asked("s3", "find the auth problem"), "The same prompt was given before", `concluded then, and no change invalidated it: "there is no expiry check", said about "find the auth problem"`)
	if got := a.asked("s3", "find the auth problem"); got != "" {
		t.Errorf("the second prompt of a session was answered with\n%s", got)
	}
	expect(t, "the log", a.kept("hooks.log")+"-", "!not", "!read")
}

func TestWhatWasLeftCanBeTakenUp(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.write("a.go", "1")
	a.write("b.go", "1")
	a.asked("s1", "first this")
	a.reads("s1", "a.go") // no stop: the next prompt cut it short
	a.asked("s1", "no, that")
	a.reads("s1", "b.go")
	a.stops("s1", "that is so")
	a.asked("s1", "and then")
	got := a.starts("s2")
	expect(t, "left", got, `probably not finished: "and then"`, `"first this"; its files have not changed since`, `!"no, that"`)
	frames := a.kept("s1", "frames.jsonl")
	expect(t, "frames", frames, `"query":"first this"`, `"status":"suspended"`, `"branched_from"`, `"conclusion":"not finished; read a.go"`, `"evidence":["blob a.go `)
	a.write("a.go", "2")
	expect(t, "changed", a.starts("s2"), `"first this"; a.go changed since`, "!resumed")
	a.asked("s1", "first this")
	a.stops("s1", "here it is")
	expect(t, "answered in the end", a.starts("s2"), "!probably not finished: \"and then\"; its")
}

// TestWhatTheSessionItselfChangedIsNoNews: a conclusion from a file that a later turn changed has fallen within the session.
func TestWhatTheSessionItselfChangedIsNoNews(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.write("a.go", "1")
	a.asked("s1", "what is wrong")
	a.reads("s1", "a.go")
	a.stops("s1", "a check is missing")
	a.asked("s1", "mend it")
	a.edits("s1", "a.go", "2")
	a.write("a.go", "2 formatted") // by a command of the agent
	a.stops("s1", "mended")
	if got := a.starts("s2"); got != "" {
		t.Errorf("it is told\n%s", got)
	}
	expect(t, "frames", a.kept("s1", "frames.jsonl"), `"validity":"invalidated"`, "turn 2 changed a.go")
}

func TestNothingSecretIsKept(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.write(".env", "KEY=value-of-key")
	a.write("a.go", "content-of-file")
	const secret = "AKIAIOSFODNN7EXAMPLE"
	a.asked("s1", "use "+secret+" and "+strings.Repeat("long ", 1000))
	a.tell("s1", "PostToolUse", fields{
		"tool_name": "Bash", "tool_input": fields{"command": "PASSWORD=hunter2 make", "token": "in a parameter"},
		"tool_response": fields{"stdout": "API_KEY=abcdef\nok " + secret, "password": "two words"},
	})
	a.tell("s1", "PostToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": "cat .env"}, "tool_response": fields{"stdout": "KEY=value-of-key"}})
	a.tell("s1", "PostToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": filepath.Join(a.dir, ".env")}, "tool_response": "KEY=value-of-key"})
	a.tell("s1", "PostToolUse", fields{
		"tool_name": "Write", "tool_input": fields{"file_path": filepath.Join(a.dir, "a.go"), "content": "content-of-file"}, "tool_response": fields{"type": "create"},
	})
	a.tell("s1", "PostToolUse", fields{"tool_name": "Read", "tool_input": fields{"file_path": "/etc/passwd"}, "tool_response": "root"})
	a.stops("s1", "I used "+secret)
	var all string
	for _, name := range []string{"tools.jsonl", "frames.jsonl", "artifacts.json"} {
		all += a.kept("s1", name)
	}
	expect(t, "kept", all, "!"+secret, "!hunter2", "!abcdef", "!in a parameter", "!two words", "!value-of-key", "!content-of-file", "!/etc/passwd",
		"use [redacted] and", "PASSWORD=[redacted] make", `"role":"created"`, "a file outside of the repository", "a file with secrets")
	if out, err := exec.Command("git", "-C", a.dir, "status", "--porcelain").Output(); err != nil || strings.Contains(string(out), "causal") {
		t.Errorf("git sees %s (%v)", out, err)
	}
}

// TestWhoseSession holds the order in which the session of an event is found out.
func TestWhoseSession(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.env["CLAUDE_SESSION_ID"] = "from-environment"
	a.asked("from-stdin", "1")
	a.asked("", "2")
	delete(a.env, "CLAUDE_SESSION_ID")
	expect(t, "stdin wins", a.kept("from-stdin", "tools.jsonl"), `"prompt":"1"`, `!"prompt":"2"`)
	expect(t, "the environment", a.kept("from-environment", "tools.jsonl"), `"prompt":"2"`)
	var c struct {
		SessionID string    `json:"session_id"`
		PID       int       `json:"pid"`
		UpdatedAt time.Time `json:"updated_at"`
	}
	if err := json.Unmarshal([]byte(a.kept(".current_session")), &c); err != nil || c.SessionID != "from-environment" || c.PID != os.Getpid() || c.UpdatedAt.IsZero() {
		t.Errorf("the coordination file is %+v (%v)", c, err)
	}
	a.asked("", "3") // two sessions are at work: it may be either's
	expect(t, "made up", a.kept("12345678", "tools.jsonl"), `"prompt":"3"`)

	b := newAgent(t)
	b.asked("alone", "1")
	b.asked("", "2")
	expect(t, "the one at work", b.kept("alone", "tools.jsonl"), `"prompt":"1"`, `"prompt":"2"`)
	b.now = b.now.Add(24 * time.Hour)
	b.asked("", "3")
	expect(t, "at work long ago", b.kept("alone", "tools.jsonl"), `!"prompt":"3"`)
}

func TestNamesOfSessionsLeadNowhere(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	ids := []string{"../../../escaped", "..", "/tmp/x", "a/b", "A", "a", "con", "x-00112233445566778899aabbccddeeff", "", strings.Repeat("n", 5000), "ü", "a\x00b", "hooks.log", ".current_session"}
	for i, id := range ids {
		if id != "" {
			a.asked(id, strconv.Itoa(i))
		}
	}
	entries, err := os.ReadDir(filepath.Join(a.dir, ".git", "causal", "sessions"))
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, e := range entries {
		if e.IsDir() {
			folders++
			if n := strings.Count(a.kept(e.Name(), "tools.jsonl"), "\n"); n != 1 {
				t.Errorf("%d events in %s", n, e.Name())
			}
		}
	}
	if folders != len(ids)-1 {
		t.Errorf("%d sessions share %d folders", len(ids)-1, folders)
	}
	for _, name := range []string{"escaped", ".git/escaped", ".git/causal/escaped"} {
		if _, err := os.Lstat(filepath.Join(a.dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

func TestCommandsAreToldTheirSession(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	env := filepath.Join(t.TempDir(), "env")
	a.env["CLAUDE_ENV_FILE"] = env
	a.starts("s1")
	a.starts("x; rm -rf /")
	if data, err := os.ReadFile(env); err != nil || string(data) != "export CLAUDE_SESSION_ID=s1\n" {
		t.Errorf("the file of variables is %q (%v)", data, err)
	}
}

// TestRunsAreExtracted: the loop saves, the Stop hook extracts.
func TestRunsAreExtracted(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	repo, err := gitstore.Open(t.Context(), a.dir)
	if err != nil {
		t.Fatal(err)
	}
	p, err := hooks.At(repo)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	tree := frame.NewTree("s-0123456789ab")
	root, err := tree.Start("bring the documentation up to date", nil)
	if err != nil {
		t.Fatal(err)
	}
	child, err := tree.Spawn(root, "module/a", map[string]any{"n": 1})
	if err == nil {
		err = tree.Conclude(child, "a adds", []fact.Observation{fact.File("a.go", "1")}, 1, `modified("a.go")`)
	}
	if err != nil {
		t.Fatal(err)
	}
	r := session.Record{Tree: tree, Artifacts: session.Artifacts{SessionID: "s-0123456789ab", InitialPrompt: "bring it up", RootFrameID: root}}
	for range 2 {
		if err := p.SaveRun("s1", r); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, "index", a.kept("s1", "index.json"), `"session_id":"s1"`, root)
	a.write("a.go", "1")
	a.asked("s1", "x")
	a.reads("s1", "a.go")
	a.stops("s1", "y")
	a.stops("s1", "y")
	frames := a.kept("s1", "frames.jsonl")
	if n := strings.Count(frames, `"frame_id":"`+child+`"`); n != 1 {
		t.Errorf("the frame of the run is there %d times in\n%s", n, frames)
	}
	// What cannot be read does not take the rest with it.
	if err := os.WriteFile(filepath.Join(hooks.Dir(repo), "s1", "index.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.stops("s1", "z")
	expect(t, "without the index", a.kept("s1", "frames.jsonl"), `"conclusion":"z"`, "!"+child)
	expect(t, "the log", a.kept("hooks.log"), "read index.json")
	if err := p.SaveRun("s1", r); err != nil {
		t.Errorf("a broken index stays: %v", err)
	}
}
