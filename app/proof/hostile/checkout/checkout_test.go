package checkout

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/cli"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // validates every request with GitHub's OpenAPI description
	"github.com/causaldocs/causal/app/proof/hostile"
)

// TestMain keeps the user's git configuration out of the test.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// inProcess runs causal in this process.
func inProcess(ctx context.Context, dir string, env []string, out, talk io.Writer, args ...string) (code int, most int64, err error) {
	variable := func(name string) string {
		for _, v := range slices.Backward(env) {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
	return cli.Run(ctx, args, cli.IO{In: strings.NewReader(""), Out: out, Err: talk, Getenv: variable, Now: time.Now, Dir: dir}), 0, nil
}

// TestAttacksOnACheckout runs a sample of each class; `make hostile` runs all attacks with the real program.
func TestAttacksOnACheckout(t *testing.T) {
	t.Parallel()
	y := open(t)
	for _, a := range hostile.Sample() {
		t.Run(strings.ToValidUTF8(a.Label, "?"), func(t *testing.T) {
			t.Parallel()
			out, err := y.Try(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range out.Faults {
				t.Error(fault)
			}
			if out.Left != "" || len(out.Runs) != 6 {
				t.Errorf("skipped for %q after %d runs", out.Left, len(out.Runs))
			}
		})
	}
}

// TestNamesThatCannotBeCheckedOut checks that a file name that is too long for the file system is reported, and is not a failure.
func TestNamesThatCannotBeCheckedOut(t *testing.T) {
	t.Parallel()
	y := open(t)
	tried := 0
	for _, a := range hostile.Attacks() {
		if !strings.HasSuffix(a.Label, "longest part") {
			continue
		}
		tried++
		out, err := y.Try(t.Context(), a)
		if err != nil || !strings.Contains(out.Left, "too long") || len(out.Runs) > 0 {
			t.Errorf("%s: skipped for %q after %d runs, error %v", a.Label, out.Left, len(out.Runs), err)
		}
	}
	if tried != 1 {
		t.Errorf("%d attacks were tried", tried)
	}
}

func open(t *testing.T) *Yard {
	t.Helper()
	y, err := Open(t.Context(), inProcess, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := y.Close(); err != nil {
			t.Error(err)
		}
	})
	return y
}

// TestFaultsAreFound runs a program that misbehaves in each way.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	y := open(t)
	a := hostile.Attack{Title: "x", Message: "x", Files: []hostile.File{{Path: "mine/a.go", Mode: "100644", Content: func() []byte { return []byte("package a\n") }}}}
	for does, wants := range map[string][]string{
		"kill -9 $$": {"exit code -1"},
		"exit 4":     {"exit code 4"},
		"exit 3":     {"it does not name the faulty file"},
		strings.Join([]string{
			"echo x > ../note.txt", "echo x > $HOME/.gitconfig", "echo x > $TMPDIR/x", "echo x > .git/hooks/pre-commit", "echo x >> mine/a.go",
			"mkdir -p .causal", "echo $$ >> .causal/x", "printf '\\033[2J\\n'", "printf '\\202' >&2", "echo 'panic: x' >&2", "echo '::set-output name=x::y'",
		}, "\n"): {
			`it changed "a/b/c/d/note.txt"`, `it changed "home/.gitconfig"`, `it changed "tmp/x"`, `.git/hooks/pre-commit"`, `/mine/a.go"`,
			"causal update: it changed \"clone/.causal/x\"", "U+001B on standard output", "invalid UTF-8 on standard error", `"panic" on standard error`,
			"the runner reads a command", "it prints no JSON",
		},
	} {
		t.Run(wants[0], func(t *testing.T) {
			t.Parallel()
			wicked := filepath.Join(t.TempDir(), "wicked")
			if err := os.WriteFile(wicked, []byte("#!/bin/sh\n"+does+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			out, err := y.with(t.Context(), Executable(wicked), a)
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(out.Faults, "\n")
			for _, want := range wants {
				if !strings.Contains(all, want) {
					t.Errorf("found %q, want %q", all, want)
				}
			}
		})
	}
}
