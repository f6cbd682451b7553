package checkout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/cli"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
	"github.com/causaldocs/causal/app/proof/hostile"
)

// TestMain makes the test binary run as causal when it is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "causal" {
		os.Exit(cli.Main())
	}
	os.Exit(m.Run())
}

// every is how many attacks stand for one in the short run; `make hostile` runs them all.
const every = 41

// TestAttacksOnACheckout runs a sample of the corpus.
func TestAttacksOnACheckout(t *testing.T) {
	t.Parallel()
	y := open(t)
	room := make(chan struct{}, 2)
	var group sync.WaitGroup
	for i, a := range hostile.Attacks() {
		if i%every != 0 || strings.Contains(a.Label, "MB") || strings.Contains(a.Label, "20,000") {
			continue
		}
		group.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			out, err := y.Try(t.Context(), a)
			if err != nil {
				t.Errorf("%s: %v", a.Label, err)
			}
			for _, fault := range out.Faults {
				t.Errorf("%s: %s", a.Label, fault)
			}
			if out.Left == "" && len(out.Runs) != 6 {
				t.Errorf("%s: %d runs", a.Label, len(out.Runs))
			}
		})
	}
	group.Wait()
}

// TestNamesThatCannotBeCheckedOut has git refuse a name that is too long for the disk: it is told of, and is no failure.
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
			t.Errorf("%s: left out for %q after %d runs, error %v", a.Label, out.Left, len(out.Runs), err)
		}
	}
	if tried != 1 {
		t.Errorf("%d attacks were tried", tried)
	}
}

func open(t *testing.T) *Yard {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "causal")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	y, err := Open(t.Context(), program, dir)
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

// TestFaultsAreFound has a program in the place of causal that does what must not be done.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	a := hostile.Attack{Title: "x", Message: "x", Files: []hostile.File{{Path: "mine/a.go", Mode: "100644", Content: func() []byte { return []byte("package a\n") }}}}
	for does, want := range map[string]string{
		"kill -9 $$":                     "it ended with -1",
		"exit 4":                         "it ended with 4",
		"exit 3":                         "it does not say where",
		"echo x > ../note.txt":           `it changed "a/b/c/d/note.txt"`,
		"echo x > $HOME/.gitconfig":      `it changed "home/.gitconfig"`,
		"echo x > $TMPDIR/x":             `it changed "tmp/x"`,
		"echo x > .git/hooks/pre-commit": `.git/hooks/pre-commit"`,
		"echo x >> mine/a.go":            `/mine/a.go"`,
		"printf '\\033[2J'":              "U+001B on standard output",
		"printf '\\202' >&2":             "bytes that are no text on standard error",
		"echo 'panic: x' >&2; exit 0":    `"panic" on standard error`,
		"echo '::set-output name=x::y'":  "the runner reads a command",
		"echo no JSON":                   "it prints no JSON",
		"mkdir -p .causal && echo $$ >> .causal/x; echo {}": "causal update: it changed",
	} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			y := open(t)
			y.program = filepath.Join(y.dir, "wicked")
			if err := os.WriteFile(y.program, []byte(fmt.Sprintf("#!/bin/sh\n%s\n", does)), 0o755); err != nil {
				t.Fatal(err)
			}
			out, err := y.Try(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			if all := strings.Join(out.Faults, "\n"); !strings.Contains(all, want) {
				t.Errorf("found %q, want %q", all, want)
			}
		})
	}
}
