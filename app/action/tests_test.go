package action_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

const (
	rateSpec = ".causal/specs/rate/Of.yml"
	rateTest = "rate/zz_causal_of_test.go"
	rateOnce = "// Package rate knows rates.\npackage rate\n\n// Of is the rate of a class.\nfunc Of(class string) int {\n\treturn len(class)\n}\n"
)

// tested is a repository with a spec that has an expectation of a person.
func tested(t *testing.T) *hub {
	t.Helper()
	files := maps.Clone(shop)
	files["rate/rate.go"] = rateOnce
	h := start(t, files)
	h.push("main", h.once("specs", func() map[string]string { return commitSpecs(h) }))
	h.push("main", h.once("documented specs", func() map[string]string { return commitDocs(h) }))
	return h
}

// commitSpecs are the spec of main, with a case of a person's, and its test.
func commitSpecs(h *hub) map[string]string {
	h.Helper()
	dir := filepath.Join(h.TempDir(), "specs")
	h.git(h.TempDir(), "clone", "-q", h.repo.Dir(), dir)
	read := func(name string) string {
		return string(must(h, func() ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }))
	}
	h.causal(dir, "testgen", "rate.Of")
	own := strings.Replace(read(rateSpec), "cases:\n", "cases:\n  - {id: c-own, law: golden, by: human, why: \"a law says so\", args: [{string: \"x\"}], want: {int: 1}}\n", 1)
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(rateSpec)), []byte(own), 0o644); err != nil {
		h.Fatal(err)
	}
	h.causal(dir, "testgen", "rate.Of")
	return map[string]string{rateSpec: read(rateSpec), rateTest: read(rateTest)}
}

// doubled is a pull request that changes the target of the spec.
func (h *hub) doubled() *githubsim.Pull {
	h.Helper()
	h.push("twice", map[string]string{"rate/rate.go": strings.Replace(rateOnce, "len(class)", "2 * len(class)", 1)})
	must(h, func() (int, error) { return h.repo.OpenPull("twice", "main", "Double the rates", "octo") })
	return &h.repo.Pulls()[len(h.repo.Pulls())-1]
}

// TestSpecsWithoutARun checks that no test runs unless the workflow requests it, and that up-to-date files are no change.
func TestSpecsWithoutARun(t *testing.T) {
	t.Parallel()
	h := tested(t)
	d := h.run(job{event: "push", ref: "refs/heads/main"})
	if d.code != 0 {
		t.Errorf("check of what is fresh: exit code %d\n%s", d.code, d.log)
	}
	d = h.run(job{event: "pull_request", pull: h.doubled(), inputs: map[string]string{"mode": "comment"}, fullClone: true})
	if !strings.Contains(d.summary, "1 spec invalidated") || strings.Contains(d.summary, "behaviour changed") || d.code != 0 {
		t.Errorf("exit code %d, it is told\n%s\n%s", d.code, d.summary, d.log)
	}
	h.push("main", map[string]string{"rate/rate.go": strings.Replace(rateOnce, "len(class)", "3 * len(class)", 1)})
	if d = h.run(job{event: "push", ref: "refs/heads/main", inputs: map[string]string{"mode": "commit"}}); d.code != 0 {
		t.Errorf("exit code %d\n%s", d.code, d.log)
	}
	if text, _ := h.repo.Read("main", rateTest); !strings.Contains(text, "t.Skip") {
		t.Errorf("the test goes on:\n%s", text)
	}
}

// TestSpecsAreRun checks a workflow that requests a test run.
func TestSpecsAreRun(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here")
	}
	h := tested(t)
	inputs := map[string]string{"mode": "comment", "testgen": "verify"}
	p := h.doubled()
	d := h.run(job{event: "pull_request", pull: p, inputs: inputs, fullClone: true})
	const changed = "1 behaviour changed: `Of(\"x\")` was `1`, is `2`"
	if comments := h.repo.Comments(p.Number); d.code != 0 || len(comments) != 1 || !strings.Contains(comments[0].Body, changed) {
		t.Errorf("exit code %d, comments %+v\n%s", d.code, comments, d.log)
	}
	if !strings.Contains(d.log, "behaviour-change") {
		t.Errorf("the review says nothing of it:\n%s", d.log)
	}
	d = h.run(job{event: "pull_request", pull: p, inputs: inputs, fullClone: true, meanwhile: func(workspace string) {
		if err := os.WriteFile(filepath.Join(workspace, "rate", "more.go"), []byte("package rate\n"), 0o644); err != nil {
			t.Error(err)
		}
	}})
	if !strings.Contains(d.summary, "No test was run: ") || strings.Contains(d.summary, "behaviour changed") {
		t.Errorf("what is not the commit was run:\n%s\n%s", d.summary, d.log)
	}
}
