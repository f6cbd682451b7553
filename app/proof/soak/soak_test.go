package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // validates every request with GitHub's OpenAPI description
	"github.com/causaldocs/causal/app/proof/trial"
	"github.com/causaldocs/causal/knowledge/testmode"
)

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{dir: filepath.Join(t.TempDir(), "stage"), out: io.Discard, talk: io.Discard}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKills is a short version of the trial.
func TestKills(t *testing.T) {
	if !testmode.Long() {
		t.Skip("kills a real server and its children; CAUSAL_LONG=1 runs it")
	}
	t.Parallel()
	stage := newStage(t)
	stage.causal = filepath.Join(t.TempDir(), "causal")
	if err := trial.Build(t.Context(), stage.causal); err != nil {
		t.Fatal(err)
	}
	s := newSoak(&killSettings{times: 5, children: 5, repositories: 3, seed: 1}, stage, "a short soak")
	if err := s.run(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for _, what := range stage.broken {
		t.Error(what)
	}
	if sum(s.actions) == 0 {
		t.Error("no user action: the test has no effect")
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"an unknown part": {"doors"}, "two parts": {"door", "flood"}} {
		var out, errs strings.Builder
		if code := proof.Run(t.Context(), args, &out, &errs); code != trial.ExitUsage || !strings.Contains(errs.String(), "usage: soak") {
			t.Errorf("%s: exit code %d, %s", name, code, errs.String())
		}
	}
}
