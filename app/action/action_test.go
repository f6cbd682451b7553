package action_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/action"
	"github.com/causaldocs/causal/app/summary"
)

// onMain is a job for a push to main.
func onMain(mode string) job {
	return job{event: "push", ref: "refs/heads/main", inputs: map[string]string{"mode": mode}}
}

// anonymised takes out of a text what differs between two runs.
func anonymised(h *hub, text string) string {
	return strings.ReplaceAll(text, h.sim.URL(), "https://github.example.com")
}

func TestCheckOfAPush(t *testing.T) {
	t.Parallel()
	h := documented(t)
	d := h.run(onMain("check"))
	h.ends(d, 0, "all 2 modules are fresh")
	h.outputs(d, map[string]string{"changed-count": "0", "stale-count": "0", "commit-sha": ""})

	h.push("main", map[string]string{"money/money.go": widened})
	d = h.run(onMain("check"))
	h.ends(d, 1, "::warning title=Docs are stale,file=money/money.go,line=1::money: ")
	h.outputs(d, map[string]string{"changed-count": "0", "stale-count": "1", "commit-sha": ""})
	golden(t, "check.md", d.summary)
	if r := h.report(d); r.Conclusion != action.Stale || len(r.Check.Stale) != 1 || r.Head != h.repo.Head("main") {
		t.Errorf("the report says %+v", r)
	}
	j := onMain("check")
	j.inputs["fail-on"] = "none"
	d = h.run(j)
	h.ends(d, 0, " stale")
	h.outputs(d, map[string]string{"stale-count": "1"})
	if n := len(h.sim.Writes(h.repo)); n != 0 {
		t.Errorf("mode check wrote %d times to GitHub", n)
	}
}

// TestTheCheckoutIsOnlyRead: what other steps left there does not count, no hook runs, and nothing is left there.
func TestTheCheckoutIsOnlyRead(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	for name, j := range map[string]job{
		"check":   onMain("check"),
		"commit":  onMain("commit"),
		"comment": {event: "pull_request", pull: &p, inputs: map[string]string{"mode": "comment"}},
	} {
		var before string
		j.meanwhile = func(workspace string) {
			for file, text := range map[string]string{"money/money.go": "package money // half\n", "made/made.go": "package made\n", "docs/causal/index.md": "mine\n"} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(workspace, file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(workspace, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			hook := fmt.Sprintf("#!/bin/sh\ntouch '%s/hooked'\n", workspace)
			hooks := filepath.Join(workspace, ".git", "hooks")
			if err := errors.Join(os.Mkdir(hooks, 0o755), os.WriteFile(filepath.Join(hooks, "post-checkout"), []byte(hook), 0o755)); err != nil {
				t.Fatal(err)
			}
			before = h.git(workspace, "status", "--porcelain", "--untracked-files=all")
		}
		d := h.run(j)
		h.ends(d, 0)
		if r := h.report(d); name != "comment" && r.Conclusion != action.Fresh {
			t.Errorf("%s: what is not committed counted: %+v", name, r)
		}
		if after := h.git(d.workspace, "status", "--porcelain", "--untracked-files=all"); after != before {
			t.Errorf("%s: the checkout was\n%s\nand is\n%s", name, before, after)
		}
		if trees := strings.Count(h.git(d.workspace, "worktree", "list"), "\n"); trees != 1 {
			t.Errorf("%s: it leaves %d work trees", name, trees)
		}
	}
}

func TestCommit(t *testing.T) {
	t.Parallel()
	h := start(t, shop)
	first, want := h.repo.Head("main"), commitDocs(h)
	d := h.run(onMain("commit"))
	h.ends(d, 0)
	for name, text := range want {
		if got, _ := h.repo.Read("main", name); got != text {
			t.Errorf("%s is\n%s\n`causal update` writes\n%s", name, got, text)
		}
	}
	made := h.repo.Head("main")
	if made == first {
		t.Fatalf("nothing was published:\n%s", d.log)
	}
	r := h.report(d)
	h.outputs(d, map[string]string{"changed-count": fmt.Sprint(len(r.Changed)), "stale-count": "2", "commit-sha": made})
	if page, ok := h.repo.Read("main", "docs/causal/modules/money.md"); !ok || !strings.Contains(page, "Holds amounts.") {
		t.Errorf("the page of money is %q", page)
	}
	if log := must(h, func() ([][2]string, error) { return h.repo.Log("main") }); !strings.Contains(log[0][1], "Causal-Head: "+first) {
		t.Errorf("the commit says\n%s", log[0][1])
	}
	if n := len(h.sim.Writes(h.repo)); n != 1 {
		t.Errorf("%d writes to GitHub for one commit", n)
	}
	golden(t, "commit.md", strings.ReplaceAll(strings.ReplaceAll(d.summary, made, "MADE"), r.Report.Session, "SESSION"))

	d = h.run(onMain("commit"))
	h.ends(d, 0, "everything is up to date")
	h.outputs(d, map[string]string{"changed-count": "0", "stale-count": "0", "commit-sha": ""})
	h.push("main", map[string]string{"money/money.go": widened})
	h.ends(h.run(onMain("commit")), 0, "pages updated")
	h.ends(h.run(onMain("check")), 0, "all 2 modules are fresh")
}

// TestWhatAPushCaused checks that the effects of a push to the default branch are on the pages, in the commit that updates them.
func TestWhatAPushCaused(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"commit", "pr"} {
		h := documented(t)
		pushed := h.push("main", map[string]string{"money/money.go": widened})
		h.ends(h.run(onMain(mode)), 0)
		branch := "main"
		if mode == "pr" {
			branch = summary.Rolling
		}
		// The page puts a hash in backticks only if it has both digits and letters.
		told := "- **Pushed " + pushed[:10] + ": Change it** "
		const led = "\n  - money: Amount changed its signature\n"
		if page, _ := h.repo.Read(branch, "docs/causal/log.md"); !strings.Contains(strings.ReplaceAll(page, "`", ""), told) || !strings.Contains(page, led) {
			t.Errorf("%s: the page of the log does not tell %q and %q:\n%s", mode, told, led, page)
		}
		if page, _ := h.repo.Read(branch, "docs/causal/modules/money.md"); !strings.Contains(page, "## API changes") {
			t.Errorf("%s: the page of money does not tell it:\n%s", mode, page)
		}
	}
}

func TestCommitThatCannotBe(t *testing.T) {
	t.Parallel()
	t.Run("protected", func(t *testing.T) {
		t.Parallel()
		h := start(t, shop)
		h.repo.Protect("main")
		h.ends(h.run(onMain("commit")), cli3, "::error title=causal::", "use `mode: pr`")
	})
	t.Run("the branch moves", func(t *testing.T) {
		t.Parallel()
		h := start(t, shop)
		j, newer := onMain("commit"), ""
		j.meanwhile = func(string) { newer = h.push("main", map[string]string{"money/money.go": widened}) }
		d := h.run(j)
		h.ends(d, 0, "main has newer commits than this job")
		h.outputs(d, map[string]string{"changed-count": "0", "commit-sha": ""})
		if h.repo.Head("main") != newer {
			t.Error("main is not where the newer push left it")
		}
	})
	t.Run("no permission", func(t *testing.T) {
		t.Parallel()
		h := start(t, shop)
		j := onMain("commit")
		j.permissions = mayRead
		h.ends(h.run(j), cli3, "it needs the permission contents=write")
	})
	t.Run("a tag", func(t *testing.T) {
		t.Parallel()
		h := start(t, shop)
		if err := h.repo.Tag("v1", h.repo.Head("main"), "octo"); err != nil {
			t.Fatal(err)
		}
		j := onMain("commit")
		j.ref = "refs/tags/v1"
		h.ends(h.run(j), 2, "refs/tags/v1 is none")
	})
	t.Run("a page that somebody else wrote", func(t *testing.T) {
		t.Parallel()
		h := start(t, shop)
		h.push("main", map[string]string{"docs/causal/modules/money.md": "mine\n"})
		d := h.run(onMain("commit"))
		h.ends(d, 1, "::warning title=Docs cannot be updated,file=docs/causal/modules/money.md,line=1::", "is never overwritten")
		h.outputs(d, map[string]string{"commit-sha": h.repo.Head("main")})
		for _, mode := range []string{"commit", "pr"} {
			d := h.run(onMain(mode))
			h.ends(d, 1, "1 page cannot be updated", "is never overwritten")
			h.outputs(d, map[string]string{"commit-sha": "", "changed-count": "0"})
		}
	})
}

// The exit code of a failure.
const cli3 = 3

// TestCommitOnAPullRequest checks that the head branch is updated, and that it must be checked out.
func TestCommitOnAPullRequest(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	j := job{event: "pull_request", pull: &p, inputs: map[string]string{"mode": "commit"}}
	h.ends(h.run(j), 2, "give actions/checkout `ref: ${{ github.event.pull_request.head.sha }}`")
	j.ref = "refs/heads/wider"
	d := h.run(j)
	h.ends(d, 0, "page updated")
	h.outputs(d, map[string]string{"commit-sha": h.repo.Head("wider"), "stale-count": "1"})
	if h.repo.Head("wider") == p.HeadID {
		t.Error("nothing was published")
	}
}

func TestPullRequestMode(t *testing.T) {
	t.Parallel()
	h := start(t, shop)
	head := h.repo.Head("main")
	d := h.run(onMain("pr"))
	h.ends(d, 0, "proposed in #1", "Proposed in ")
	h.outputs(d, map[string]string{"commit-sha": h.repo.Head("causal/docs")})
	if h.repo.Head("main") != head {
		t.Error("main moved")
	}
	h.push("main", map[string]string{"money/money.go": widened})
	h.ends(h.run(onMain("pr")), 0, "proposed in #1")
	pulls := h.repo.Pulls()
	if page, _ := h.repo.Read("causal/docs", "docs/causal/modules/money.md"); len(pulls) != 1 || !strings.Contains(page, "uint64") {
		t.Errorf("the pull requests are %+v, the proposed page is\n%s", pulls, page)
	}

	stale := onMain("pr")
	stale.meanwhile = func(string) { h.push("main", map[string]string{"notes.txt": "later\n"}) }
	before := h.repo.Head("causal/docs")
	h.ends(h.run(stale), 0, "has moved on")
	if h.repo.Head("causal/docs") != before {
		t.Error("a job that came late put its proposal over a newer one")
	}

	must(h, func() (string, error) { return h.repo.MergePull(1, "octo") })
	h.ends(h.run(onMain("pr")), 0, "everything is up to date")
	j := job{event: "pull_request", pull: &pulls[0], ref: "refs/heads/main", inputs: map[string]string{"mode": "comment"}}
	h.ends(h.run(j), 0, "causal's own")
	j.inputs["mode"] = "check"
	h.ends(h.run(j), 0, "are fresh")
}

func TestComment(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	j := job{event: "pull_request", pull: &p, inputs: map[string]string{"mode": "comment", "review": "false"}}
	d := h.run(j)
	h.ends(d, 0, "::notice title=Docs depend on this file,file=money/money.go,line=1::This change makes stale: ")
	h.outputs(d, map[string]string{"changed-count": "0", "stale-count": "1", "commit-sha": ""})
	golden(t, "comment.md", anonymised(h, d.summary))
	comments := h.repo.Comments(p.Number)
	if len(comments) != 1 || !strings.Contains(comments[0].Body, strings.TrimSpace(d.summary)) {
		t.Fatalf("the comments are %+v", comments)
	}
	writes := len(h.sim.Writes(h.repo))
	h.ends(h.run(j), 0)
	if n := len(h.sim.Writes(h.repo)); n != writes {
		t.Errorf("%d writes although nothing changed", n-writes)
	}
}

// TestRestraint checks that writes that the configuration forbids are reported in the summary.
func TestRestraint(t *testing.T) {
	t.Parallel()
	for settings, why := range map[string]string{"comments: false": "`bot.comments` is off", "dry_run: true": "`bot.dry_run` is set"} {
		h := start(t, shop)
		h.push("main", map[string]string{".causal/config.yml": "bot: {" + settings + "}\n"})
		h.push("main", commitDocs(h))
		p := h.proposed(nil)
		d := h.run(job{event: "pull_request", pull: &p, inputs: map[string]string{"mode": "comment"}})
		h.ends(d, 0, "There is no comment on the pull request: "+why, "1 page goes stale")
		if comments := h.repo.Comments(p.Number); len(comments) != 0 {
			t.Errorf("%s: the comments are %+v", settings, comments)
		}
	}
}

func TestDryRun(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"commit", "pr"} {
		h := start(t, shop)
		h.push("main", map[string]string{".causal/config.yml": "bot: {dry_run: true}\n"})
		d := h.run(onMain(mode))
		h.ends(d, 0, "dry run: ", "Nothing is published, because `bot.dry_run` is set")
		h.outputs(d, map[string]string{"changed-count": "0", "stale-count": "2", "commit-sha": ""})
		if r := h.report(d); r.Conclusion != "stale" || len(h.sim.Writes(h.repo)) != 0 {
			t.Errorf("mode %s: %+v, %+v", mode, r, h.sim.Writes(h.repo))
		}
	}
}

func TestCommentWithAnotherToken(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	j := job{event: "pull_request", pull: &p, permissions: mayRead, inputs: map[string]string{"mode": "comment", "token": h.sim.Token("ada")}}
	for range 2 {
		h.ends(h.run(j), 0)
	}
	if comments := h.repo.Comments(p.Number); len(comments) != 1 || comments[0].Author != "ada" {
		t.Errorf("the comments are %+v", comments)
	}
}

// TestForks checks that forks get annotations and a summary, and that their configuration is ignored.
func TestForks(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.forked(map[string]string{".causal/config.yml": "version: 1\nexclude: [\"**\"]\n"})
	for mode, want := range map[string]struct {
		code int
		says []string
	}{
		"check":   {1, []string{" stale"}},
		"commit":  {1, []string{" stale", "Nothing is published: the pull request is from a fork"}},
		"comment": {0, []string{"1 page goes stale", "There is no comment on the pull request: the pull request is from a fork"}},
	} {
		d := h.run(job{event: "pull_request", pull: &p, permissions: mayRead, inputs: map[string]string{"mode": mode}})
		h.ends(d, want.code, append(want.says, "file=money/money.go,line=1::")...)
		h.outputs(d, map[string]string{"stale-count": "1", "commit-sha": ""})
	}
	if writes := h.sim.Writes(h.repo); len(writes) != 0 {
		t.Errorf("it wrote to GitHub: %+v", writes)
	}
}

func TestDependabotIsReadOnly(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	j := job{event: "pull_request", pull: &p, permissions: mayRead, actor: "dependabot[bot]", inputs: map[string]string{"mode": "comment"}}
	h.ends(h.run(j), 0, "the job runs for Dependabot")
}

// TestMergeQueue: on the commit of a merge queue every mode acts as check, and only check fails for stale docs.
func TestMergeQueue(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{".causal/config.yml": "docs: [1,2\n"}) // the configuration of the base counts
	group := must(h, func() (string, error) { return h.repo.Enqueue(p.Number, "octo") })
	main, head := h.repo.Head("main"), h.repo.Head(group)
	expression := documentedMode(t)
	for _, c := range []struct {
		event, mode string
		code        int
	}{
		{"merge_group", "check", 1},
		{"merge_group", "comment", 0},
		{"merge_group", "pr", 0},
		{"merge_group", expression("merge_group"), 0},
		{"push", "check", 2}, // its event names no base, and so its own configuration counts
		{"push", "commit", 2},
	} {
		d := h.run(job{event: c.event, ref: "refs/heads/" + group, inputs: map[string]string{"mode": c.mode, "testgen": "off"}})
		if c.code == 2 {
			h.ends(d, 2, "config.yml")
			continue
		}
		h.ends(d, c.code, "1 module stale")
		if r := h.report(d); r.Mode != action.Check || r.Head != head || len(r.Stale) != 1 || (len(r.Notes) == 1) != (c.mode != "check") {
			t.Errorf("%s: %+v", c.mode, r)
		}
	}
	if h.repo.Head("main") != main || h.repo.Head(group) != head || len(h.repo.Comments(p.Number)) > 0 || len(h.repo.Pulls()) != 1 {
		t.Error("something was published or commented on")
	}
	for event, want := range map[string]string{"push": "commit", "pull_request": "comment", "merge_group": "commit"} {
		if got := expression(event); got != want {
			t.Errorf("on %s the mode of the documents is %q, want %q", event, got, want)
		}
	}
}

// TestRulesAreThoseOfTheBase, whether the checkout has the base or not; where they cannot be had, nothing is said.
func TestRulesAreThoseOfTheBase(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(map[string]string{".causal/config.yml": "version: 1\nexclude: [\"**\"]\n"})
	for _, full := range []bool{true, false} {
		j := job{event: "pull_request", pull: &p, inputs: map[string]string{"mode": "check"}, fullClone: full}
		d := h.run(j)
		h.ends(d, 1, " stale")
	}
	h.repo.SetPrivate(true)
	j := job{event: "pull_request", pull: &p, permissions: map[string]string{}, inputs: map[string]string{"mode": "check"}}
	h.ends(h.run(j), cli3, "read the configuration of the base, "+p.BaseID, "`fetch-depth: 0`")
	j.inputs["token"] = h.sim.Token("octo")
	h.ends(h.run(j), 1, " stale")
}

func TestBrokenConfiguration(t *testing.T) {
	t.Parallel()
	h := documented(t)
	h.push("main", map[string]string{".causal/config.yml": "version: 1\ncolour: blue\n"})
	h.ends(h.run(onMain("check")), 2, `::error title=causal::.causal/config.yml:2: unknown key "colour"`)
}

func TestWorkflowsThatCannotBe(t *testing.T) {
	t.Parallel()
	h := documented(t)
	p := h.proposed(nil)
	for name, c := range map[string]struct {
		event  string
		pull   bool
		inputs map[string]string
		says   string
	}{
		"comment on a push":       {"push", false, map[string]string{"mode": "comment"}, "mode comment is for pull requests, and this is a push"},
		"pr on a pull request":    {"pull_request", true, map[string]string{"mode": "pr"}, "mode pr follows a branch"},
		"an unknown mode":         {"push", false, map[string]string{"mode": "fix"}, `unknown mode "fix"`},
		"an unknown testgen":      {"push", false, map[string]string{"testgen": "maybe"}, `unknown testgen "maybe"`},
		"tests without a place":   {"push", false, map[string]string{"testgen": "verify"}, "testgen: verify needs mode commit, pr or comment"},
		"an unknown fail-on":      {"push", false, map[string]string{"fail-on": "never"}, `unknown fail-on "never"`},
		"an unknown review":       {"push", false, map[string]string{"review": "maybe"}, `review "maybe" is neither true nor false`},
		"pull_request_target":     {"pull_request_target", true, nil, "run it on pull_request"},
		"no such directory":       {"push", false, map[string]string{"working-directory": "nope"}, "change the workflow: there is no git repository in "},
		"a directory without git": {"push", false, map[string]string{"working-directory": "/"}, "let actions/checkout run before"},
	} {
		t.Run(name, func(t *testing.T) {
			j := job{event: c.event, ref: "refs/heads/main", inputs: c.inputs}
			if c.pull {
				j.pull = &p
			}
			d := h.run(j)
			if d.code == 0 || !strings.Contains(d.log, "::error title=causal::") || !strings.Contains(d.log, c.says) {
				t.Errorf("it ended with %d:\n%s", d.code, d.log)
			}
		})
	}
}

func TestWorkingDirectory(t *testing.T) {
	t.Parallel()
	h := documented(t)
	j := onMain("check")
	j.inputs["working-directory"] = "deep/er"
	j.meanwhile = func(workspace string) {
		moved := filepath.Join(filepath.Dir(workspace), "moved")
		if err := os.Rename(workspace, moved); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(workspace, "deep"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(moved, filepath.Join(workspace, "deep", "er")); err != nil {
			t.Fatal(err)
		}
	}
	h.ends(h.run(j), 0, "all 2 modules are fresh")
}
