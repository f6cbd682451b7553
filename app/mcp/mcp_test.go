package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/causaldocs/causal/app/mcp"
	"github.com/causaldocs/causal/app/workspace"
)

// shop is a small project: two packages of which one uses the other.
var shop = map[string]string{
	"README.md": "# Shop\n\nSells things.\n",
	"go.mod":    "module example.com/shop\n\ngo 1.24\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n\n" +
		"// ParseAmount reads an amount.\nfunc ParseAmount(s string) (Amount, error) {\n\treturn Amount(len(s)), nil\n}\n",
	"cart/cart.go": "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(n int) money.Amount {\n\treturn money.Amount(n)\n}\n",
	".causal/principles/no-float.yml": "principle: no-float\nrule: \"Money is never a float\"\nwhy: \"cents are lost\"\ncheck: null\nevidence: []\nauthors: 0\ndismissed: 0\nstatus: active\ninvalidation_condition: \"\"\n",
}

// agent is a client of a server over a repository.
type agent struct {
	*testing.T
	dir string
	*sdk.ClientSession
	log *bytes.Buffer
}

// newRepository is a repository with some files, committed.
func newRepository(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, files)
	git(t, dir, "init", "--quiet", "--initial-branch=main", "--template=")
	git(t, dir, "config", "user.name", "Ada")
	git(t, dir, "config", "user.email", "ada@example.com")
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--message=Begin")
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// update brings the pages of a repository up to date.
func update(t *testing.T, dir string) {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.WorkTree{Dir: dir, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Update(t.Context(), workspace.SpecsRun{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func newServer(dir string, log *bytes.Buffer) *mcp.Server {
	return mcp.New(mcp.Options{
		Dir: dir, Version: "v0.0.0", Getenv: func(string) string { return "" }, Now: time.Now,
		Time: func() (string, error) { return "2023-11-14T22:13:20Z", nil }, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
}

// connect joins an agent to a server of its own.
func connect(t *testing.T, dir string) *agent {
	t.Helper()
	a := &agent{T: t, dir: dir, log: &bytes.Buffer{}}
	far, near := sdk.NewInMemoryTransports()
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	go func() { ended <- newServer(dir, a.log).Serve(ctx, far) }()
	var err error
	if a.ClientSession, err = sdk.NewClient(&sdk.Implementation{Name: "robot", Version: "1"}, nil).Connect(t.Context(), near, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = a.Close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return a
}

// ask calls a tool and returns what it says, and whether that is an error.
func (a *agent) ask(tool string, args map[string]any) (text string, data map[string]any, failed bool) {
	a.Helper()
	r, err := a.CallTool(a.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.Fatalf("%s: %v", tool, err)
	}
	for _, c := range r.Content {
		text += c.(*sdk.TextContent).Text
	}
	if r.StructuredContent != nil {
		raw, err := json.Marshal(r.StructuredContent)
		if err == nil {
			err = json.Unmarshal(raw, &data)
		}
		if err != nil {
			a.Fatal(err)
		}
	}
	return text, data, r.IsError
}

// told is what a tool answers that does not fail.
func (a *agent) told(tool string, args map[string]any) (string, map[string]any) {
	a.Helper()
	text, data, failed := a.ask(tool, args)
	if failed {
		a.Fatalf("%s %v: %s", tool, args, text)
	}
	return text, data
}

// record records an event and returns its id.
func (a *agent) record(tool string, args map[string]any) string {
	a.Helper()
	text, data := a.told(tool, args)
	list, _ := data["recorded"].([]any)
	if len(list) != 1 {
		a.Fatalf("%s %v: %s", tool, args, text)
	}
	return list[0].(map[string]any)["id"].(string)
}

func (a *agent) wants(text string, parts ...string) {
	a.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			a.Errorf("%q is not in\n%s", p, text)
		}
	}
}
