package bot_test

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/githubsim"
)

const (
	rateSpec = ".causal/specs/rate/Of.yml"
	rateTest = "rate/zz_causal_of_test.go"
	rateOnce = "// Package rate knows rates.\npackage rate\n\n// Of is the rate of a class.\nfunc Of(class string) int {\n\treturn len(class)\n}\n"
)

// rateTwice is the same with another body.
var rateTwice = strings.Replace(rateOnce, "len(class)", "2 * len(class)", 1)

// tested is a shop of which something is tested.
func tested() map[string]string {
	files := maps.Clone(shop)
	files["rate/rate.go"] = rateOnce
	return files
}

// generated is a generated spec on a branch, with its test and one case of a person.
func (f *fixture) generated(branch string) map[string]string {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "clone")
	f.git(f.TempDir(), "clone", "-q", "--shared", "-b", branch, f.repo.Dir(), dir)
	name := filepath.Join(dir, filepath.FromSlash(rateSpec))
	if err := os.RemoveAll(name); err != nil {
		f.Fatal(err)
	}
	testgen := func() {
		world := cli.IO{Out: io.Discard, Err: io.Discard, Getenv: os.Getenv, Now: time.Now, Dir: dir}
		if code := cli.Run(f.Context(), []string{"testgen", "rate.Of"}, world); code != cli.ExitClean {
			f.Fatalf("testgen ended with %d", code)
		}
	}
	read := func(name string) string {
		return string(must(f, func() ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }))
	}
	testgen()
	own := strings.Replace(read(rateSpec), "cases:\n", "cases:\n  - {id: c-own, law: golden, by: human, why: \"a law says so\", args: [{string: \"x\"}], want: {int: 1}}\n", 1)
	if err := os.WriteFile(name, []byte(own), 0o644); err != nil {
		f.Fatal(err)
	}
	testgen()
	return map[string]string{rateSpec: read(rateSpec), rateTest: read(rateTest)}
}

func (f *fixture) holds(branch, name string, wants ...string) {
	f.Helper()
	text, there := f.repo.Read(branch, name)
	for _, want := range wants {
		if !there || !strings.Contains(text, want) {
			f.Errorf("%s does not hold %q:\n%s", name, want, text)
		}
	}
}

// TestSpecsFollowTheBranch checks that a push creates no spec, and that existing specs are invalidated with their targets, in the commit
// of the docs.
func TestSpecsFollowTheBranch(t *testing.T) {
	t.Parallel()
	f := setup(t, tested())
	f.documented()
	if _, there := f.repo.Read("main", rateSpec); there {
		t.Error("a push made a spec")
	}
	files := f.generated("main")
	f.push("main", files)
	f.concludes(bot.Updated)
	f.holds("main", "docs/causal/modules/rate.md", "## Tested behaviour", "`\"x\"` is `1` (a law says so)")
	f.holds("main", rateSpec, files[rateSpec])
	f.concludes(bot.Fresh)

	head := f.push("main", map[string]string{"rate/rate.go": rateTwice})
	before := len(f.sim.Writes(f.repo))
	f.concludes(bot.Updated)
	if n := len(f.sim.Writes(f.repo)) - before; n > 4 {
		t.Errorf("%d writes for one push", n)
	}
	f.holds("main", rateSpec, "status: invalidated", `body_changed(\"rate\", \"Of\")`)
	f.holds("main", rateTest, "t.Skip")
	f.holds("main", "docs/causal/modules/rate.md", "⚠ **Invalidated**: `body_changed(\"rate\", \"Of\")` through `rate/rate.go`")
	if check := f.check(head); check.Conclusion != "success" || !strings.Contains(check.Text, "causal testgen --verify") {
		t.Errorf("the check is %+v", check)
	}
	log := must(f, func() ([][2]string, error) { return f.repo.Log("main") })
	if !strings.Contains(log[0][1], rateSpec+": body_changed") {
		t.Errorf("the commit says\n%s", log[0][1])
	}
	before = len(f.sim.Writes(f.repo))
	f.concludes(bot.Fresh)
	if n := len(f.sim.Writes(f.repo)) - before; n > 0 {
		t.Errorf("%d writes although nothing changed", n)
	}
	f.renew() // another server finds the same
	f.concludes(bot.Fresh)
	f.sameAsACleanRun()
}

// withSpec is a repository with a spec, and a pull request that changes its target.
func withSpec(t *testing.T) (f *fixture, number int) {
	f = setup(t, tested())
	f.push("main", f.generated("main"))
	f.concludes(bot.Updated)
	f.push("twice", map[string]string{"rate/rate.go": rateTwice})
	return f, must(f, func() (int, error) { return f.repo.OpenPull("twice", "main", "Double the rates", "octo") })
}

func TestPullRequestIsToldOfSpecs(t *testing.T) {
	t.Parallel()
	f, n := withSpec(t)
	main := f.repo.Head("main")
	f.pull(n)
	body := f.comment(n).Body
	for _, want := range []string{
		", 1 spec invalidated", "| **Tests** | 1 spec invalidated: [`rate.Of`](", "/blob/main/.causal/specs/rate/Of.yml) (`body_changed(\"rate\", \"Of\")`)", "test-invalidated",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the comment does not say %q:\n%s", want, body)
		}
	}
	if f.repo.Head("main") != main || len(f.repo.Threads(n)) > 0 {
		t.Errorf("main is at %s, and people are interrupted: %+v", f.repo.Head("main"), f.repo.Threads(n))
	}

	// A run of theirs recorded another result.
	now := regexp.MustCompile(`(?m)^depends_on: (.*)$`).FindStringSubmatch(f.generated("twice")[rateSpec])
	spec, _ := f.repo.Read("main", rateSpec)
	spec = strings.Replace(spec, "want: {int: 1}}", "want: {int: 1}, became: {int: 2}}", 1)
	spec = strings.Replace(strings.Replace(spec, "status: active", "status: invalidated", 1), "invalidation_condition:", "observed: "+now[1]+"\ninvalidation_condition:", 1)
	f.push("twice", map[string]string{rateSpec: spec})
	f.pull(n)
	body = f.comment(n).Body
	for _, want := range []string{
		"1 spec invalidated, 1 behaviour changed", "`Of(\"x\")` was `1`, is `2`. Fix the code, or accept the change: `causal testgen --accept .causal/specs/rate/Of.yml#c-own`",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the comment does not say %q:\n%s", want, body)
		}
	}
	if threads := f.repo.Threads(n); len(threads) != 1 || threads[0].Path != "rate/rate.go" {
		t.Errorf("people read beside the lines %+v", threads)
	}

	// Changes that are already on the branch are not reported again.
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.pull(n)
	must(f, f.branch)
	f.push("other", map[string]string{"cart/cart.go": strings.Replace(shop["cart/cart.go"], "Amount(n)", "Amount(n + 1)", 1)})
	n = must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Add one", "octo") })
	f.pull(n)
	if body := f.comment(n).Body; strings.Contains(body, "**Tests**") {
		t.Errorf("it is told of what it did not cause:\n%s", body)
	}
}

// TestHostileSpecs checks that the docs are reported whatever a pull request writes to the specs directory.
func TestHostileSpecs(t *testing.T) {
	t.Parallel()
	f, n := withSpec(t)
	main := f.repo.Head("main")
	for label, files := range map[string]map[string]string{
		"another key": {rateSpec: "schema: causal.testspec/v1\nrun: rm -rf /\n"},
		"too large":   {rateSpec: strings.Repeat("#", 2<<20)},
		"aliases":     {rateSpec: "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"},
	} {
		files = maps.Clone(files)
		files["rate/rate.go"] = rateTwice
		must(f, func() (string, error) {
			return f.repo.ForcePush("twice", main, githubsim.Change{Write: files, Message: label})
		})
		if out := f.pull(n); out.Conclusion != bot.Told {
			t.Fatalf("%s: %+v", label, out)
		}
		body := f.comment(n).Body
		if !strings.Contains(body, "1 page goes stale") || strings.Contains(body, "rm -rf /`") {
			t.Errorf("%s: it is told\n%s", label, body)
		}
		if !strings.Contains(body, "| **Mend** | `no spec was updated: .causal/specs/rate/Of.yml") {
			t.Errorf("%s: nobody is told of the spec:\n%s", label, body)
		}
	}
}
