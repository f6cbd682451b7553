package action_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/review/sarif"
)

// broken is money.go with a Parse that its users have to call otherwise.
var broken = strings.Replace(shop["money/money.go"], "Parse(s string)", "Parse(s, currency string)", 1)

// onPull is a job for a pull request, with its history.
func onPull(p githubsim.Pull, inputs map[string]string) job {
	j := job{event: "pull_request", pull: &p, fullClone: true, inputs: map[string]string{"mode": "comment"}}
	maps.Copy(j.inputs, inputs)
	return j
}

// leave has a step before the action write files into the workspace.
func leave(t *testing.T, files map[string]string) func(string) {
	return func(workspace string) {
		for name, text := range files {
			file := filepath.Join(workspace, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Error(err)
			}
			if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "WORKSPACE", workspace)), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}

// lint is a log with results of files and lines.
func lint(t *testing.T, message string, places map[string]int) string {
	t.Helper()
	var results []any
	for name, line := range places {
		results = append(results, map[string]any{
			"ruleId": "long", "message": map[string]any{"text": message}, "locations": []any{map[string]any{"physicalLocation": map[string]any{
				"artifactLocation": map[string]any{"uri": name}, "region": map[string]any{"startLine": line},
			}}},
		})
	}
	data, err := json.Marshal(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{
		"tool": map[string]any{"driver": map[string]any{"name": "lint"}}, "results": results,
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestReview(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": broken})
	j := onPull(p, map[string]string{"sarif": "logs/*/*.sarif\nnone.sarif"})
	j.meanwhile = leave(t, map[string]string{"logs/lint/lint.sarif": lint(t, "Too long.", map[string]int{
		"money/money.go": 8, "file://WORKSPACE/cart/cart.go": 7, "file:///etc/passwd": 1, "../../outside.go": 1,
	})})
	d := h.run(j)
	h.ends(d, 0, "- error `api-break` [`money/money.go:8`]", "::warning title=lint/long,file=money/money.go,line=8::Too long.",
		"::notice title=causal::No file matches none.sarif of the input sarif", "2 findings: 1 file examined (Go)")
	h.outputs(d, map[string]string{"finding-count": "2", "stale-count": "1"})
	r := h.report(d).Review
	golden(t, "review.md", strings.ReplaceAll(anonymised(h, d.summary), r.Head, "HEAD"))
	if r == nil || r.Base != p.BaseID || len(r.Dropped) != 3 {
		t.Errorf("the report says %+v", r)
	}
	f, err := os.Open(d.outputs["sarif-file"])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := sarif.Read(f, "causal.sarif"); err != nil {
		t.Errorf("the log cannot be read: %v", err)
	}
	for _, c := range []struct {
		failOn string
		code   int
	}{{"error", 1}, {"none", 0}} { // TestReadFailOn has the others
		j.inputs["fail-on"] = c.failOn
		h.ends(h.run(j), c.code)
	}
	j.inputs = map[string]string{"mode": "check", "fail-on": "error"} // stale docs are no reason then, findings are
	h.ends(h.run(j), 1, "1 finding: 1 file examined (Go)")
	if writes := h.sim.Writes(h.repo); len(writes) != 1 {
		t.Errorf("more is written than one comment: %+v", writes)
	}
}

// TestAFailedLinterIsNoSuccess: the run names it, and fails where findings make it fail.
func TestAFailedLinterIsNoSuccess(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": shop["money/money.go"] + "\nvar x int\n"})
	const log = `{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "lint"}}, "invocations": [{"executionSuccessful": false}], "results": []}]}`
	for failOn, code := range map[string]int{"stale": 0, "error": 1, "none": 0} {
		j := onPull(p, map[string]string{"sarif": "lint.sarif", "fail-on": failOn})
		j.meanwhile = leave(t, map[string]string{"lint.sarif": log})
		d := h.run(j)
		h.ends(d, code, "::notice title=causal::lint failed: its log says that it failed", "no findings, 1 check failed: 1 file examined (Go)")
		if !strings.Contains(d.summary, "`lint` failed") {
			t.Errorf("the summary says nothing of it:\n%s", d.summary)
		}
	}
}

// TestReviewIsLeftOut where it is not asked for, where there is no pull request, and where the checkout has not the base.
func TestReviewIsLeftOut(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": broken})
	shallow := onPull(p, nil)
	shallow.fullClone = false
	for name, c := range map[string]struct {
		job  job
		says string
	}{
		"not asked for": {onPull(p, map[string]string{"review": "false"}), ""},
		"a push":        {onMain("check"), ""},
		"a checkout without history": {
			shallow, "::notice title=causal::The pull request is not reviewed: where it left main is not in this checkout. Give actions/checkout `fetch-depth: 0`",
		},
	} {
		d := h.run(c.job)
		h.ends(d, 0, c.says)
		h.outputs(d, map[string]string{"finding-count": "0", "sarif-file": ""})
		if r := h.report(d); r.Review != nil || strings.Contains(d.log, "not reviewed") != (c.says != "") {
			t.Errorf("%s: %+v\n%s", name, r.Review, d.log)
		}
	}
}

// TestReviewOfAMerge checks that the two parents of the checked-out merge are compared, however the base moved since the event. A checkout
// of depth 2 is enough.
func TestReviewOfAMerge(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": broken})
	before := p.BaseID
	h.push("main", map[string]string{"cart/cart.go": strings.Replace(shop["cart/cart.go"], "Total(n int)", "Total(n, m int)", 1)})
	h.push("wider", map[string]string{"notes.txt": "later\n"})
	if p = h.repo.Pulls()[0]; p.BaseID == before {
		t.Fatal("the merge is not of the new main")
	}
	p.BaseID = before
	deepen := func(workspace string) {
		h.git(workspace, "fetch", "-q", "--depth=2", "file://"+h.repo.Dir(), "refs/pull/1/merge")
		h.git(workspace, "checkout", "-q", "--detach", "FETCH_HEAD")
	}
	for _, full := range []bool{true, false} {
		j := onPull(p, nil)
		if j.fullClone = full; !full {
			j.meanwhile = deepen
		}
		d := h.run(j)
		h.ends(d, 0, "- error `api-break` [`money/money.go:8`]")
		h.outputs(d, map[string]string{"finding-count": "1"})
	}
}

// TestReviewOfAFork checks that a fork gets only annotations, and that its records are ignored.
func TestReviewOfAFork(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.forked(map[string]string{"money/money.go": broken, ".causal/reviews/pr-1.jsonl": "not a record\n", ".causal/principles/x.yml": "no: principle\n"})
	j := onPull(p, map[string]string{"fail-on": "error"})
	j.permissions = mayRead
	d := h.run(j)
	h.ends(d, 1, "::error title=api-break,file=money/money.go,line=8::", "1 finding: 1 file examined (Go)")
	if writes := h.sim.Writes(h.repo); len(writes) != 0 {
		t.Errorf("it wrote to GitHub: %+v", writes)
	}
}

// TestReviewWithGoVet checks that the checked-out files are analysed, unless an earlier step changed them.
func TestReviewWithGoVet(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": strings.Replace(shop["money/money.go"], "// Parse", "// Same is itself.\nfunc Same(n int) int {\n\tn = n\n\treturn n\n}\n\n// Parse", 1)})
	j := onPull(p, nil)
	h.ends(h.run(j), 0, "::warning title=go-vet/assign,file=money/money.go,line=9::self-assignment of n")
	j.meanwhile = leave(t, map[string]string{"made/made.go": "package made\n"})
	d := h.run(j)
	h.ends(d, 0, "::notice title=causal::go-vet did not run: the work tree has uncommitted changes: made/made.go")
	h.outputs(d, map[string]string{"finding-count": "0"})
}

// TestReviewThatCannotBe checks that the job reports its findings, and then says what to change in the workflow.
func TestReviewThatCannotBe(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	large := func(workspace string) {
		leave(t, map[string]string{"x.sarif": ""})(workspace)
		if err := os.Truncate(filepath.Join(workspace, "x.sarif"), 100_000_000); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		before func(string)
		says   string
	}{
		"too large":       {large, "::error title=causal::change the workflow: the files that the input sarif matches are larger than 64 MiB; x.sarif has 95 MiB"},
		"a command":       {leave(t, map[string]string{"x.sarif": "::error::x\n::set-output name=a::b"}), "the input sarif: x.sarif:1: "},
		"another version": {leave(t, map[string]string{"x.sarif": `{"version": "1\n::error::y", "runs": []}`}), "only SARIF 2.1.0 is"},
	} {
		t.Run(name, func(t *testing.T) {
			j := onPull(p, map[string]string{"sarif": "*.sarif"})
			j.meanwhile = c.before
			d := h.run(j)
			h.ends(d, 2, c.says)
			h.outputs(d, map[string]string{"stale-count": "1", "finding-count": "0", "sarif-file": ""})
			for line := range strings.Lines(d.log) {
				if strings.HasPrefix(line, "::error::") || strings.HasPrefix(line, "::set-output") {
					t.Errorf("the runner obeys %q", line)
				}
			}
		})
	}
}

// TestHostileResults: whatever a log says, the runner reads annotations beside files of the repository.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{"money/money.go": broken})
	j := onPull(p, map[string]string{"sarif": "x.sarif", "fail-on": "none"})
	j.meanwhile = leave(t, map[string]string{"x.sarif": lint(t, "a\r\n::error file=x::b\n##[command]c @octo <img src=x>", map[string]int{"money/money.go": 8, "money/money.go\n::error::x": 1, "%2e%2e/%2e%2e/etc/passwd": 1})})
	d := h.run(j)
	h.ends(d, 0)
	h.outputs(d, map[string]string{"finding-count": "2"})
	for line := range strings.Lines(d.log) {
		if strings.HasPrefix(line, "::error") && !strings.HasPrefix(line, "::error title=api-break,file=money/money.go") || strings.Contains(line, "##[") {
			t.Errorf("the runner obeys %q", line)
		}
	}
	if strings.Contains(d.summary, "<img") || strings.Contains(d.summary, " @octo") {
		t.Errorf("the page of the run has\n%s", d.summary)
	}
}

// TestAPullRequestDoesNotGovernItsReview checks that the configuration and records of a pull request are ignored, and that a log file that
// is a link reveals nothing about its target.
func TestAPullRequestDoesNotGovernItsReview(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{
		"money/money.go": broken, ".causal/config.yml": "review: {off: true, ignore: [\"**\"], severity: error, promote: {after: 2}}\nmax_file_bytes: 1\nexclude: [\"**\"]\n",
		".causal/reviews/pr-1.jsonl": "not a record\n", ".causal/principles/x.yml": "no: principle\n",
	})
	j := onPull(p, map[string]string{"fail-on": "error"})
	h.ends(h.run(j), 1, "::error title=api-break,file=money/money.go,line=8::", "1 finding: 1 file examined (Go)")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("token=abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	j.inputs["sarif"] = "*.sarif"
	j.meanwhile = func(workspace string) {
		if err := os.Symlink(secret, filepath.Join(workspace, "x.sarif")); err != nil {
			t.Error(err)
		}
	}
	d := h.run(j)
	h.ends(d, 2, "the input sarif: x.sarif:1: ")
	if strings.Contains(d.log+d.summary, "oken") {
		t.Errorf("it tells what is there:\n%s", d.log)
	}
}
