package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/app/workspace"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestFitHolds: whatever is answered is a JSON object that has room, and says when something is missing.
func TestFitHolds(t *testing.T) {
	t.Parallel()
	type item struct {
		Text string   `json:"text"`
		Refs []string `json:"refs"`
	}
	rapid.Check(t, func(t *rapid.T) {
		value := map[string]any{
			"items": rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
				return item{rapid.StringN(0, 200, 400).Draw(t, "text"), rapid.SliceOfN(rapid.String(), 0, 9).Draw(t, "refs")}
			}), 0, 20).Draw(t, "items"),
			"one":  map[string]any{"text": rapid.StringN(0, 900, 2000).Draw(t, "one")},
			"text": rapid.StringN(0, 900, 2000).Draw(t, "text"),
		}
		whole, err := encode(value)
		if err != nil {
			t.Fatal(err)
		}
		const most = 2000
		data, missing, err := fit(value, most)
		if err != nil || len(data) > most {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		var got struct {
			Items []item
			Cut   []string
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if cut := len(whole) > most; cut != (len(missing) > 0) || cut != (len(got.Cut) > 0) {
			t.Fatalf("of %d bytes, %v is said to be missing, and %v", len(whole), missing, got.Cut)
		}
	})
}

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string
		left int
	}{
		{"one\ntwo", "one\ntwo", 0}, {"one\ntwo\nthree\nfour", "one\ntwo", 2}, {strings.Repeat("x", 20), strings.Repeat("x", 7) + "…", 1},
	} {
		if got, left := shorten(c.text, 10); got != c.want || left != c.left {
			t.Errorf("%q is shortened to %q, and %d are left", c.text, got, left)
		}
	}
}

func newTestServer(t *testing.T, log io.Writer) (*Server, *sdk.ClientSession) {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("git", "-C", dir, "init", "--quiet").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := New(Options{
		Dir: dir, Version: "v0.0.0", Getenv: func(string) string { return "" }, Now: time.Now,
		Time: func() (string, error) { return "", nil }, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	far, near := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, far) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	session, err := sdk.NewClient(&sdk.Implementation{Name: "robot"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, session
}

// TestAFaultEndsOneCall: a server that runs for hours answers the next one.
func TestAFaultEndsOneCall(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s, session := newTestServer(t, &log)
	add(s, tool[target]{name: "broken", about: "x", run: func(context.Context, string, target) (*answered, error) { panic("nobody thought of that") }})
	for range 2 {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "broken", Arguments: map[string]any{"target": "x"}})
		if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*sdk.TextContent).Text, "internal error in broken: nobody thought of that") {
			t.Fatal(r, err)
		}
	}
	if !strings.Contains(log.String(), "nobody thought of that") {
		t.Error("the log does not tell of it")
	}
}

// TestCallsWaitInTurnAndCanBeEnded: who waits for another call is not served before its turn, and goes when it is ended.
func TestCallsWaitInTurnAndCanBeEnded(t *testing.T) {
	t.Parallel()
	s, _ := newTestServer(t, &bytes.Buffer{})
	inside, leave, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- s.in(t.Context(), s.thinking, func(*workspace.Workspace) error {
			close(inside)
			<-leave
			return nil
		})
	}()
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.in(ctx, s.thinking, func(*workspace.Workspace) error { return errors.New("served out of turn") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := s.in(t.Context(), s.looking, func(*workspace.Workspace) error { return nil }); err != nil {
		t.Errorf("a call of the other kind waits: %v", err)
	}
	close(leave)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// heard is told when a server waits for another run.
type heard chan struct{}

func (h heard) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("waiting for another run")) {
		h <- struct{}{}
	}
	return len(line), nil
}

// TestWaitsForAnotherRun: what another process writes is not mixed with what is recorded here.
func TestWaitsForAnotherRun(t *testing.T) {
	t.Parallel()
	waits := make(heard, 1)
	s, _ := newTestServer(t, waits)
	other, err := workspace.Open(t.Context(), workspace.WorkTree{Dir: s.Dir, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Lock(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	wrote, ended := false, make(chan error, 1)
	go func() {
		ended <- s.write(ctx, func(*workspace.Workspace, *workspace.Ledger) error {
			wrote = true
			return nil
		})
	}()
	select {
	case err := <-ended:
		t.Fatalf("it does not wait: %v", err)
	case <-waits:
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || !wrote {
		t.Error(err, wrote)
	}
}
