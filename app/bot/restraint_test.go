package bot_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
)

// configured is the shop with settings of the bot.
func configured(settings string) map[string]string {
	files := map[string]string{".causal/config.yml": "version: 1\nbot:\n" + settings}
	maps.Copy(files, shop)
	return files
}

// latest is the check run of a commit that counts: GitHub shows the last one of a name.
func (f *fixture) latest(commit string) githubsim.CheckRun {
	f.Helper()
	runs := f.repo.CheckRuns(commit)
	if len(runs) == 0 {
		f.Fatalf("no check run on %s", commit)
	}
	return runs[len(runs)-1]
}

// TestIgnoredPullRequests get a check run that says why, and no more.
func TestIgnoredPullRequests(t *testing.T) {
	t.Parallel()
	f := setup(t, configured("  ignore:\n    drafts: true\n    labels: [no-docs]\n    paths: [\"**/*.txt\"]\n    authors: [\"*[bot]\"]\n"))
	n := f.proposal()
	f.pull(n)
	f.repo.AddComment(n, "Nice.", "ann")
	before := f.repo.Comments(n)
	head := f.repo.Head("wider")

	ignored := func(why, text string) {
		t.Helper()
		out := f.pull(n)
		if check := f.latest(head); out.Conclusion != bot.Skipped || check.Conclusion != "neutral" ||
			check.Title != "not analysed, because "+why || !strings.Contains(check.Summary, text) {
			t.Errorf("%s: %+v, %+v", why, out, check)
		}
		if !slices.Equal(f.repo.Comments(n), before) {
			t.Errorf("%s: the comments are %+v", why, f.repo.Comments(n))
		}
	}
	analysed := func() {
		t.Helper()
		if out := f.pull(n); out.Conclusion != bot.Told || !strings.Contains(f.latest(head).Title, "1 page goes stale") {
			t.Errorf("%+v, %+v", out, f.latest(head))
		}
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(f.repo.DraftPull(n, true, "octo"))
	ignored("it is a draft", "`bot.ignore.drafts` in `.causal/config.yml` of `main`")
	do(f.repo.DraftPull(n, false, "octo"))
	analysed()
	do(f.repo.LabelPull(n, "No-Docs", true, "octo"))
	ignored("of a label", "leaves it out: `No-Docs`.")
	do(f.repo.LabelPull(n, "No-Docs", false, "octo"))
	do(f.repo.LabelPull(n, "bug", true, "octo"))
	analysed()

	f.push("notes", map[string]string{"notes.txt": "a\n", "more/notes.txt": "b\n"})
	n = must(f, func() (int, error) { return f.repo.OpenPull("notes", "main", "Notes", "octo") })
	head, before = f.repo.Head("notes"), nil
	ignored("of the files that it changes", "`bot.ignore.paths`")

	f.push("renovate", map[string]string{"money/money.go": widened})
	n = must(f, func() (int, error) { return f.repo.OpenPull("renovate", "main", "Update", "renovate[bot]") })
	head = f.repo.Head("renovate")
	ignored("of its author", "leaves it out: `renovate[bot]`.")
}

// TestOnlyTheBaseDecides: a pull request cannot have itself ignored.
func TestOnlyTheBaseDecides(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	f.push("sly", map[string]string{"money/money.go": widened, ".causal/config.yml": "bot:\n  comments: false\n  ignore: {paths: [\"**\"]}\n"})
	n := must(f, func() (int, error) { return f.repo.OpenPull("sly", "main", "Sly", "octo") })
	if out := f.pull(n); out.Conclusion != bot.Told || len(f.repo.Comments(n)) != 1 {
		t.Errorf("%+v, %+v", out, f.repo.Comments(n))
	}
}

// TestAnIgnoredPullRequestIsNotRead: what would stop its analysis is not looked at.
func TestAnIgnoredPullRequestIsNotRead(t *testing.T) {
	t.Parallel()
	f := setup(t, configured("  ignore: {drafts: true}\n"))
	f.documented()
	f.push("wider", map[string]string{"money/money.go": widened, "docs/causal/index.md": strings.Repeat("x\n", 1<<20), ".causal/nodes/module/money.yml": "no node"})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Work in progress", "octo") })
	if err := f.repo.DraftPull(n, true, "octo"); err != nil {
		t.Fatal(err)
	}
	if out := f.pull(n); out.Conclusion != bot.Skipped || out.Session != "" || len(out.Detail) != 0 {
		t.Errorf("%+v", out)
	}
}

func TestWithoutComments(t *testing.T) {
	t.Parallel()
	f := setup(t, configured("  comments: false\n"))
	n := f.proposal()
	if out := f.pull(n); out.Conclusion != bot.Told || len(f.repo.Comments(n)) != 0 {
		t.Errorf("%+v, %+v", out, f.repo.Comments(n))
	}
	check := f.check(f.repo.Head("wider"))
	if !strings.Contains(check.Summary, "+type Amount uint64") || strings.Contains(check.Summary, "dry run") {
		t.Errorf("the check run says\n%s", check.Summary)
	}
	head := f.repo.Head("main")
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	if out := f.pull(n); out.Conclusion != bot.SetAside || f.repo.Head("main") != head || len(f.repo.Comments(n)) != 0 {
		t.Errorf("after closing: %+v, main is at %s", out, f.repo.Head("main"))
	}
}

// TestDryRun: whatever the mode is, there are check runs and nothing else.
func TestDryRun(t *testing.T) {
	t.Parallel()
	for mode, intended := range map[string]string{"commit": "would be committed", "pull_request": "would be proposed", "check": "is stale"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			f := setup(t, configured("  mode: "+mode+"\n  dry_run: true\n"))
			head := f.repo.Head("main")
			f.concludes(bot.Stale)
			check := f.check(head)
			if check.Conclusion != "neutral" || !strings.HasPrefix(check.Title, "dry run: ") || !strings.Contains(check.Summary, intended) ||
				!strings.Contains(check.Summary, "docs/causal/modules/money.md") {
				t.Errorf("the check run is %+v", check)
			}
			f.push("wider", map[string]string{"money/money.go": widened})
			n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Wider", "octo") })
			if out := f.pull(n); out.Conclusion != bot.Told {
				t.Errorf("%+v", out)
			}
			if check := f.check(f.repo.Head("wider")); !strings.HasPrefix(check.Summary, "This is a dry run") {
				t.Errorf("the check run says\n%s", check.Summary)
			}
			if err := f.repo.ClosePull(n, "octo"); err != nil {
				t.Fatal(err)
			}
			f.pull(n)
			if f.repo.Head("main") != head || len(f.repo.Comments(n)) != 0 || len(f.repo.Pulls()) != 1 {
				t.Errorf("main is at %s, comments %+v, pull requests %+v", f.repo.Head("main"), f.repo.Comments(n), f.repo.Pulls())
			}
			for _, w := range f.sim.Writes(f.repo) {
				if !strings.Contains(w.Path, "check-runs") {
					t.Errorf("a dry run wrote: %+v", w)
				}
			}
		})
	}
}

// TestDryRunBegins while there is a pull request of causal's: it stays until the dry run is over.
func TestDryRunBegins(t *testing.T) {
	t.Parallel()
	f := setup(t, configured("  mode: pull_request\n"))
	f.concludes(bot.Proposed)
	f.push("main", map[string]string{".causal/config.yml": "bot: {mode: pull_request, dry_run: true}\nexclude: [\"**\"]\n"})
	must(f, f.branch)
	if pulls := f.repo.Pulls(); len(pulls) != 1 || pulls[0].State != "open" {
		t.Errorf("%+v", pulls)
	}
}
