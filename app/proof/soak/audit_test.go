package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

// TestAudit checks that the auditor finds each violation.
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
		if _, err := r.OpenPull("change", "main", "Change", owner); err != nil {
			t.Fatal(err)
		}
	}
	comment := func(t *testing.T, r *githubsim.Repository) {
		t.Helper()
		r.AddComment(1, "This makes stale …", botLogin)
	}
	once := []githubsim.CheckRun{{Name: "causal", Status: "completed", Conclusion: "success"}}
	type steps []func(*testing.T, *githubsim.Repository)
	for name, c := range map[string]struct {
		steps steps
		runs  []githubsim.CheckRun // on every commit
		want  []string
	}{
		"each push is followed by docs": {
			steps{says(botLogin, "Update docs", text("1")), says("", "Change", text("2")), says(botLogin, "Update docs", text("3"))}, once, nil,
		},
		"docs come twice": {
			steps{says(botLogin, "Update docs", text("1")), says(botLogin, "Update docs", text("2"))}, once, []string{"comes a second time"},
		},
		"a commit changes nothing": {
			steps{says("", "Change", text("1")), says(botLogin, "Update docs", text("1"))}, once, []string{"changes nothing"},
		},
		"set aside, taken up and set aside": {
			steps{
				says(botLogin, "Set aside what #1 would have made stale", text("1")), says(botLogin, "Take up again what #1 makes stale", text("2")),
				says(botLogin, "Set aside what #1 would have made stale", text("3")),
			}, once, nil,
		},
		"set aside twice": {
			steps{
				says(botLogin, "Set aside what #1 would have made stale", text("1")), says("", "Change", text("2")),
				says(botLogin, "Set aside what #1 would have made stale", text("3")),
			}, once, []string{"comes a second time"},
		},
		"set aside and opened again": {
			steps{open, says(botLogin, "Set aside what #1 would have made stale", text("1"))}, nil,
			[]string{"set aside and not resumed", "0 comments on #1", "no check run on the head of #1"},
		},
		"a pull request without comment": {steps{open}, nil, []string{"0 comments on #1", "no check run on the head of #1"}},
		"two comments":                   {steps{open, comment, comment}, once, []string{"2 comments on #1"}},
		"a pull request with a comment":  {steps{open, comment}, once, nil},
		"docs without a check run":       {steps{says("", "Change", text("1")), says(botLogin, "Update docs", text("2"))}, nil, []string{"no check run on "}},
		"two check runs":                 {nil, append(once, once...), []string{`2 check runs "causal"`}},
		"a check run that fails":         {nil, []githubsim.CheckRun{{Name: "causal", Status: "completed", Conclusion: "failure", Output: githubsim.Output{Title: "analysis stopped by a crash"}}}, []string{"analysis stopped by a crash"}},
		"a check run that does not end":  {nil, []githubsim.CheckRun{{Name: "causal", Status: "in_progress"}}, []string{"is in_progress"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			repo, err := sim.CreateRepository(owner+"/made", githubsim.FromFiles(text("0")))
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range c.steps {
				step(t, repo)
			}
			a := &auditor{place: &place{repo: repo}, stage: newStage(t), tally: newTally(killSettings{}), runs: func(string) []githubsim.CheckRun { return c.runs }}
			for _, err := range []error{a.commits(t.Context()), a.checks(t.Context()), a.pullRequests(t.Context())} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if len(a.broken) != len(c.want) || sum(a.tally.found) != len(c.want) {
				t.Fatalf("found %q and counted %v, want %q", a.broken, a.tally.found, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(a.broken[i], want) {
					t.Errorf("found %q, want %q", a.broken[i], want)
				}
			}
		})
	}
}

// TestAuditOfDocs checks that the auditor finds differences from a clean run.
func TestAuditOfDocs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		check, update string // shell commands of the fake program
		want          map[string]int
	}{
		"the same":        {"exit 0", "echo page > docs/causal/made.md", map[string]int{}},
		"another page":    {"exit 0", "echo other > docs/causal/made.md", map[string]int{unlike: 1}},
		"one page more":   {"exit 0", "echo page > docs/causal/made.md; echo > docs/causal/more.md", map[string]int{unlike: 1}},
		"no docs":         {"exit 0", "rm -r docs/causal", map[string]int{undocumented: 1, unlike: 1}},
		"the check fails": {"exit 1", "echo page > docs/causal/made.md", map[string]int{stale: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sim, err := githubsim.New(githubsim.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			repo, err := sim.CreateRepository(owner+"/made", githubsim.FromFiles(map[string]string{"docs/causal/made.md": "page\n"}))
			if err != nil {
				t.Fatal(err)
			}
			a := &auditor{place: &place{repo: repo}, stage: newStage(t), tally: newTally(killSettings{}), clone: filepath.Join(t.TempDir(), "clone")}
			a.causal = filepath.Join(a.dir, "causal")
			script := fmt.Sprintf("#!/bin/sh\nmkdir -p docs/causal\nif [ $1 = check ]; then %s; else %s; fi\n", c.check, c.update)
			if err := os.WriteFile(a.causal, []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := a.docs(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(a.tally.found, c.want) || len(a.broken) != sum(c.want) {
				t.Errorf("found %q and counted %v, want %v", a.broken, a.tally.found, c.want)
			}
		})
	}
}
