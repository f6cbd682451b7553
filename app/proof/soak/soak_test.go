package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // every request is held to GitHub's description
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
	var err error
	stage := newStage(t)
	if stage.causal, err = build(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	s := newSoak(&killSettings{times: 5, children: 5, repositories: 3, seed: 1}, stage, "a short soak")
	if err := s.run(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	for _, what := range stage.broken {
		t.Error(what)
	}
	if sum(s.deeds) == 0 {
		t.Error("nobody did anything: the test has lost its point")
	}
}
