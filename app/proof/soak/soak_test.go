package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/proof/githubsim"
	_ "github.com/causaldocs/causal/app/proof/githubsim/openapi/contract" // every request is held to GitHub's description
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
	if testing.Short() {
		t.Skip("kills a server for a quarter of a minute")
	}
	t.Parallel()
	var err error
	stage := newStage(t)
	if stage.causal, err = build(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	s := newSoak(&killSettings{times: 5, repositories: 3, seed: 1}, stage, "a short soak")
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

// TestAudit has the auditor find what is wrong.
func TestAudit(t *testing.T) {
	t.Parallel()
	says := func(login, message string, files map[string]string) func(*testing.T, *githubsim.Repository) {
		return func(t *testing.T, r *githubsim.Repository) {
			t.Helper()
			if _, err := r.Push("main", githubsim.Change{Login: login, Message: message, Write: files}); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := func(s string) map[string]string { return map[string]string{"docs.md": s} }
	open := func(t *testing.T, r *githubsim.Repository) {
		t.Helper()
		says("", "Change", text("changed"))(t, r)
		if _, err := r.Push("change", githubsim.Change{Message: "Change", Write: text("more")}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.OpenPull("change", "main", "Change", somebody); err != nil {
			t.Fatal(err)
		}
	}
	comment := func(t *testing.T, r *githubsim.Repository) {
		t.Helper()
		r.AddComment(1, "This makes stale …", botLogin)
	}
	type steps []func(*testing.T, *githubsim.Repository)
	for name, c := range map[string]struct {
		steps steps
		want  []string
	}{
		"each push is followed by docs": {
			steps{says(botLogin, "Update docs", text("1")), says("", "Change", text("2")), says(botLogin, "Update docs", text("3"))}, nil,
		},
		"docs come twice": {
			steps{says(botLogin, "Update docs", text("1")), says(botLogin, "Update docs", text("2"))}, []string{"comes a second time"},
		},
		"a commit changes nothing": {
			steps{says("", "Change", text("1")), says(botLogin, "Update docs", text("1"))}, []string{"changes nothing"},
		},
		"set aside, taken up and set aside": {
			steps{
				says(botLogin, "Set aside what #1 would have made stale", text("1")), says(botLogin, "Take up again what #1 makes stale", text("2")),
				says(botLogin, "Set aside what #1 would have made stale", text("3")),
			}, nil,
		},
		"set aside twice": {
			steps{
				says(botLogin, "Set aside what #1 would have made stale", text("1")), says("", "Change", text("2")),
				says(botLogin, "Set aside what #1 would have made stale", text("3")),
			}, []string{"comes a second time"},
		},
		"set aside and opened again": {
			steps{open, says(botLogin, "Set aside what #1 would have made stale", text("1"))},
			[]string{"was not taken up again", "0 comments on #1", "no check run on the head of #1"},
		},
		"nobody told a pull request": {steps{open}, []string{"0 comments on #1", "no check run on the head of #1"}},
		"two comments":               {steps{open, comment, comment}, []string{"2 comments on #1", "no check run on the head of #1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			repo, err := sim.CreateRepository(somebody+"/made", githubsim.FromFiles(text("0")))
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range c.steps {
				step(t, repo)
			}
			a := &auditor{place: &place{repo: repo}, stage: newStage(t)}
			for _, err := range []error{a.commits(t.Context()), a.checks(t.Context()), a.pullRequests(t.Context())} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if len(a.broken) != len(c.want) {
				t.Fatalf("found %q, want %q", a.broken, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(a.broken[i], want) {
					t.Errorf("found %q, want %q", a.broken[i], want)
				}
			}
		})
	}
}
