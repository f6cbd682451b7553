package bot_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/webhooks"
	"github.com/causaldocs/causal/webhooks/queue"
)

func TestPushIsPublished(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.real()
	first := f.repo.Head("main")
	out := f.concludes(bot.Updated)
	if got := f.detail(out).Commit; got != f.repo.Head("main") || got == first || out.Reached != got || out.Head != first {
		t.Errorf("published %s for %s, reached %s; main is at %s", got, out.Head, out.Reached, f.repo.Head("main"))
	}
	if page, ok := f.repo.Read("main", "docs/causal/modules/money.md"); !ok || !strings.Contains(page, "Holds amounts.") {
		t.Errorf("the page of money is %q", page)
	}
	log := must(f, func() ([][2]string, error) { return f.repo.Log("main") })
	if message := log[0][1]; !strings.Contains(message, "Causal-Session: "+out.Session) || !strings.Contains(message, "Causal-Head: "+first) {
		t.Errorf("the commit says\n%s", message)
	}
	if check := f.check(first); check.Conclusion != "success" {
		t.Errorf("the check is %+v", check)
	}
	if n := len(f.sim.Writes(f.repo)); n > 4 {
		t.Errorf("%d writes to GitHub for one push", n)
	}
	if log := f.log.String(); !strings.Contains(log, `msg="run ended"`) || !strings.Contains(log, "session="+out.Session) {
		t.Errorf("the log says\n%s", log)
	}
	f.sameAsACleanRun()

	before := len(f.sim.Writes(f.repo))
	f.concludes(bot.Fresh)
	if n := len(f.sim.Writes(f.repo)); n != before {
		t.Errorf("a run with nothing to do wrote %d times", n-before)
	}
}

func TestOnlyWhatRestedOnItIsDoneAgain(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.concludes(bot.Updated)
	f.push("main", map[string]string{"money/money.go": widened})
	d := f.detail(f.concludes(bot.Updated))
	if want := []string{"cart", "money"}; !slices.Equal(slices.Sorted(slices.Values(d.Reran)), want) {
		t.Errorf("re-ran %v, want %v", d.Reran, want)
	}
	f.push("main", map[string]string{"cart/cart.go": strings.Replace(shop["cart/cart.go"], "\treturn", "\n\n\t// the sum\n\treturn", 1)})
	f.concludes(bot.Fresh)
}

// intruder is a client that pushes once before a commit.
type intruder struct {
	bot.Client
	push func()
}

func (i intruder) Publish(ctx context.Context, commit github.Commit) (string, error) {
	i.push()
	return i.Client.Publish(ctx, commit)
}

// TestTheBranchMoves pushes between the run and its commit.
func TestTheBranchMoves(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	push := sync.OnceFunc(func() { f.push("main", map[string]string{"money/money.go": widened}) })
	f.through = func(c bot.Client) bot.Client { return intruder{c, push} }
	f.concludes(bot.Updated)
	f.sameAsACleanRun()
	if log := must(f, func() ([][2]string, error) { return f.repo.Log("main") }); len(log) != 3 {
		t.Errorf("main has the commits %v", log)
	}
}

// TestALostAnswerIsNoSecondCommit: GitHub made the commit and its answer did not arrive.
func TestALostAnswerIsNoSecondCommit(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.sim.Faults(githubsim.Fault{Operation: "graphql/createCommitOnBranch", Times: 1, Effect: githubsim.LostAnswer()})
	f.concludes(bot.Updated)
	if log := must(f, func() ([][2]string, error) { return f.repo.Log("main") }); len(log) != 2 {
		t.Errorf("main has the commits %v", log)
	}
}

// dying is a client whose process ends before it can make a check run.
type dying struct{ bot.Client }

var errKilled = errors.New("killed")

func (dying) Check(context.Context, github.CheckRun) (int64, error) { return 0, errKilled }

// TestKilledBetweenCommitAndCheck checks that the next run, without changes, reports the commit, and later runs do not.
func TestKilledBetweenCommitAndCheck(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	pushed := f.repo.Head("main")
	f.through = func(c bot.Client) bot.Client { return dying{c} }
	if _, err := f.branch(); !errors.Is(err, errKilled) {
		t.Fatalf("the run ended with %v", err)
	}
	f.through = nil
	if log := f.log.String(); !strings.Contains(log, `msg="run failed"`) || !strings.Contains(log, "error=killed") {
		t.Errorf("the log says\n%s", log)
	}
	own := f.repo.Head("main")
	if got := f.detail(f.concludes(bot.Updated)).Commit; got != own || f.repo.Head("main") != own {
		t.Errorf("told of %s, main is at %s and was at %s", got, f.repo.Head("main"), own)
	}
	if check := f.check(pushed); check.Conclusion != "success" || !strings.Contains(check.Summary, own) || !strings.Contains(check.Summary, "- `money: ") {
		t.Errorf("the check is %+v", check)
	}
	before := len(f.sim.Writes(f.repo))
	f.concludes(bot.Fresh)
	if n := len(f.sim.Writes(f.repo)); n != before {
		t.Errorf("a run with nothing to do wrote %d times", n-before)
	}
}

// TestKilledBeforeOthersCommit checks that the next run reports the commit even if there are newer commits and their push has reset the
// attempts of the job.
func TestKilledBeforeOthersCommit(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	pushed := f.repo.Head("main")
	f.through = func(c bot.Client) bot.Client { return dying{c} }
	if _, err := f.branch(); !errors.Is(err, errKilled) {
		t.Fatalf("the run ended with %v", err)
	}
	f.through = nil
	own := f.repo.Head("main")
	f.push("main", map[string]string{"README.md": "# Shop\n\nSells nothing.\n"})
	f.push("main", map[string]string{"money/money.go": widened})
	s := f.subject()
	s.Ref = "refs/heads/main"
	out := must(f, func() (queue.Outcome, error) {
		return f.bot.Handle(t.Context(), queue.Job{Subject: s, Run: 2, Attempt: 1, Attempts: 12, Resumes: true})
	})
	if check := f.check(pushed); out.Conclusion != bot.Updated || check.Conclusion != "success" || !strings.Contains(check.Summary, own) {
		t.Errorf("the run ended with %q, the check is %+v", out.Conclusion, check)
	}
	if checks := f.repo.CheckRuns(own); len(checks) > 0 {
		t.Errorf("the docs themselves have the checks %+v", checks)
	}
}

// TestModeCheck says what to do, since nothing is published.
func TestModeCheck(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[".causal/config.yml"] = "version: 1\nbot:\n  mode: check\n"
	f := setup(t, files)
	f.concludes(bot.Stale)
	if check := f.check(f.repo.Head("main")); check.Conclusion != "failure" || !strings.Contains(check.Summary, "causal update") {
		t.Errorf("the check is %+v", check)
	}
}

// TestModePullRequest checks the check run about the pull request, and that its merge equals a clean run.
func TestModePullRequest(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[".causal/config.yml"] = "version: 1\nbot:\n  mode: pull_request\n"
	f := setup(t, files)
	head := f.repo.Head("main")
	f.concludes(bot.Proposed)
	if check := f.check(head); check.Conclusion != "success" || !strings.Contains(check.Title, "proposed in #1") {
		t.Errorf("the check is %+v", check)
	}
	must(f, func() (string, error) { return f.repo.MergePull(1, "octo") })
	f.concludes(bot.Fresh)
	f.sameAsACleanRun()
}

// TestARefusedCommit checks that a refused commit is explained in the pull request that replaces it, and not also in a check run.
func TestARefusedCommit(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	protect := sync.OnceFunc(func() { f.repo.Protect("main") })
	f.through = func(c bot.Client) bot.Client { return intruder{c, protect} }
	head := f.repo.Head("main")
	f.concludes(bot.Proposed)
	if pulls := f.repo.Pulls(); len(pulls) != 1 || !strings.Contains(pulls[0].Body, "because GitHub refused a commit") {
		t.Errorf("the pull requests are %+v", pulls)
	}
	if checks := f.repo.CheckRuns(head); len(checks) > 0 {
		t.Errorf("the checks are %+v", checks)
	}
}

// TestCommitSuffix: commits on the branch have the suffix in their subject and are still recognized; a proposed commit has none.
func TestCommitSuffix(t *testing.T) {
	t.Parallel()
	files := maps.Clone(shop)
	files[".causal/config.yml"] = "bot: {commit_suffix: \"[skip ci]\"}\n"
	f := setup(t, files)
	subject := func(branch string) string {
		t.Helper()
		log, err := f.repo.Log(branch)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(log[0][1], "\n")
		return first
	}
	f.concludes(bot.Updated)
	if got := subject("main"); got != "Update docs [skip ci]" {
		t.Errorf("the subject is %q", got)
	}
	f.push("main", map[string]string{"money/money.go": widened})
	out := f.concludes(bot.Updated)
	if d := f.detail(out); !strings.Contains(d.Cause, "Change it") {
		t.Errorf("the cause is %q", d.Cause)
	}
	f.concludes(bot.Fresh)
	f.repo.Protect("main")
	f.push("main", map[string]string{"money/money.go": shop["money/money.go"]})
	f.concludes(bot.Proposed)
	if got := subject("causal/docs"); got != "Update docs" {
		t.Errorf("the subject of the proposal is %q", got)
	}
}

func TestWhatNobodyCanDoIsTold(t *testing.T) {
	t.Parallel()
	t.Run("a configuration that cannot be read", func(t *testing.T) {
		t.Parallel()
		files := maps.Clone(shop)
		files[".causal/config.yml"] = "version: 1\ncolour: blue\n"
		f := setup(t, files)
		f.concludes(bot.Refused)
		if check := f.check(f.repo.Head("main")); check.Conclusion != "failure" || !strings.Contains(check.Summary, `.causal/config.yml:2: unknown key "colour"`) {
			t.Errorf("the check is %+v", check)
		}
	})
	t.Run("a page that somebody else wrote", func(t *testing.T) {
		t.Parallel()
		files := maps.Clone(shop)
		files["docs/causal/modules/money.md"] = "mine\n"
		f := setup(t, files)
		head := f.repo.Head("main")
		f.concludes(bot.Updated)
		if check := f.check(head); check.Conclusion != "failure" || !strings.Contains(check.Summary, "is never overwritten") {
			t.Errorf("the check is %+v", check)
		}
		if page, _ := f.repo.Read("main", "docs/causal/modules/money.md"); page != "mine\n" {
			t.Errorf("the page is %q", page)
		}
	})
	t.Run("a rule that covers every branch", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		head := f.repo.Head("main")
		for _, branch := range []string{"main", "causal/docs"} {
			f.repo.ProtectByRuleset(branch)
		}
		f.concludes(bot.Refused)
		if check := f.check(head); check.Conclusion != "failure" || check.Title != "a branch rule refuses causal/docs" || !strings.Contains(check.Summary, "exempt the App") {
			t.Errorf("the check is %+v", check)
		}
	})
	t.Run("no permission", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.sim.Permit("octo", "contents", "read")
		if _, err := f.branch(); err == nil || !strings.Contains(err.Error(), "contents") {
			t.Errorf("got %v", err)
		}
		if check := f.check(f.repo.Head("main")); check.Conclusion != "failure" || !strings.Contains(check.Summary, "permission") {
			t.Errorf("the check is %+v", check)
		}
	})
	t.Run("a fault that stays", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.sim.Faults(githubsim.Fault{Operation: "graphql/createCommitOnBranch", Times: -1, Effect: githubsim.Refuse(http.StatusTeapot, "No tea")})
		job := queue.Job{Subject: f.subject(), Attempt: 1, Attempts: 2}
		job.Ref = "refs/heads/main"
		for ; job.Attempt <= job.Attempts; job.Attempt++ {
			if checks := f.repo.CheckRuns(f.repo.Head("main")); len(checks) > 0 {
				t.Errorf("told at once: %+v", checks)
			}
			if _, err := f.bot.Handle(t.Context(), job); err == nil {
				t.Fatal("it did not fail")
			}
		}
		if check := f.check(f.repo.Head("main")); check.Conclusion != "failure" || !strings.Contains(check.Summary, "failed 2 times") {
			t.Errorf("the check is %+v", check)
		}
	})
	t.Run("an archived repository", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.repo.Archive(true)
		f.concludes(bot.Skipped)
	})
	t.Run("a loop", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.commits = 60
		head := f.repo.Head("main")
		if _, err := f.branch(); err == nil || !strings.Contains(err.Error(), "60 commits of docs within an hour") {
			t.Errorf("got %v", err)
		}
		if check := f.check(head); !strings.Contains(check.Title, "paused") || f.repo.Head("main") != head {
			t.Errorf("the check is %+v", check)
		}
	})
}

func TestRateLimitsAreWaitedFor(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.sim.Faults(githubsim.Fault{Operation: "graphql/createCommitOnBranch", Times: 1, Effect: githubsim.SecondaryLimit(90 * time.Second)})
	_, err := f.branch()
	if err == nil || errors.Unwrap(err) == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("got %v", err)
	}
}

// TestUnusualPushes each have an outcome, and leave the docs as a clean run makes them.
func TestUnusualPushes(t *testing.T) {
	t.Parallel()
	t.Run("a force-push that drops what was described", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		first := f.repo.Head("main")
		f.concludes(bot.Updated)
		f.push("main", map[string]string{"money/money.go": widened})
		f.concludes(bot.Updated)
		must(f, func() (string, error) {
			return f.repo.ForcePush("main", first, githubsim.Change{Write: map[string]string{"cart/more.go": "package cart\n\n// More is more.\nfunc More() {}\n"}, Message: "Start over"})
		})
		f.concludes(bot.Updated)
		f.sameAsACleanRun()
	})
	t.Run("more files at once than GitHub compares", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.documented()
		many := map[string]string{}
		for i := range 310 {
			many[fmt.Sprintf("p%02d/f%d.go", i%31, i)] = fmt.Sprintf("package p%02d\n\n// F%d is number %d.\nfunc F%d() {}\n", i%31, i, i, i)
		}
		f.push("many", many)
		n := must(f, func() (int, error) { return f.repo.OpenPull("many", "main", "Many", "octo") })
		if out := f.pull(n); out.Conclusion != bot.Told {
			t.Errorf("the pull request ended as %+v", out)
		}
		must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
		if d := f.detail(f.concludes(bot.Updated)); d.Rerun != 31 {
			t.Errorf("%d nodes were derived", d.Rerun)
		}
	})
	t.Run("an empty repository", func(t *testing.T) {
		t.Parallel()
		f := setup(t, map[string]string{})
		f.concludes(bot.Skipped)
	})
	t.Run("a repository that is deleted", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.documented()
		other := must(f, func() (*githubsim.Repository, error) { return f.sim.CreateRepository("octo/other", githubsim.Empty()) })
		must(f, func() (int64, error) { return f.sim.Install(other) })
		if err := f.sim.Delete(f.repo); err != nil {
			t.Fatal(err)
		}
		out, err := f.branch()
		if err != nil || out.Conclusion != bot.Skipped {
			t.Errorf("%+v %v", out, err)
		}
	})
	t.Run("an App that is uninstalled", func(t *testing.T) {
		t.Parallel()
		f := setup(t, shop)
		f.documented()
		f.sim.Uninstall(f.repo)
		if out, err := f.branch(); queue.ClassOf(err) != queue.Parked {
			t.Errorf("%+v %v", out, err)
		}
	})
	t.Run("a repository without code", func(t *testing.T) {
		t.Parallel()
		f := setup(t, map[string]string{"LICENSE": "Free.\n"})
		f.concludes(bot.Updated)
		f.fresh()
	})
}

// TestTidy checks that unused mirrors are removed, and that a new mirror gives the same result.
func TestTidy(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.concludes(bot.Updated)
	if err := f.bot.Tidy(); err != nil {
		t.Fatal(err)
	}
	mirrors := func() []string {
		return must(f, func() ([]string, error) { return filepath.Glob(filepath.Join(f.dir, "repositories", "*", "mirror")) })
	}
	if len(mirrors()) != 1 {
		t.Fatal("a mirror that was just used is gone")
	}
	long := time.Now().Add(-40 * 24 * time.Hour)
	if err := os.Chtimes(mirrors()[0], long, long); err != nil {
		t.Fatal(err)
	}
	if err := f.bot.Tidy(); err != nil || len(mirrors()) != 0 {
		t.Fatalf("%v, left are %v", err, mirrors())
	}
	f.push("main", map[string]string{"money/money.go": widened})
	f.concludes(bot.Updated)
	f.sameAsACleanRun()
}

// TestARenamedRepository goes on under its new name.
func TestARenamedRepository(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.real()
	f.documented()
	f.repo.Rename("store")
	f.push("main", map[string]string{"money/money.go": widened})
	f.concludes(bot.Updated)
	f.sameAsACleanRun()
}

// TestTheDefaultBranchIsAskedFor checks a delivery without the name of the default branch.
func TestTheDefaultBranchIsAskedFor(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	s := f.subject()
	s.Ref = webhooks.DefaultBranch
	out := must(f, func() (queue.Outcome, error) {
		return f.bot.Handle(t.Context(), queue.Job{Subject: s, Run: 1, Attempt: 1, Attempts: 12})
	})
	if out.Conclusion != bot.Skipped || len(f.asks) != 1 || f.asks[0].Ref != "refs/heads/main" {
		t.Errorf("%+v, asked for %+v", out, f.asks)
	}
}

// TestAnalysisThatIsStopped checks that a stopped analysis has a check run and is not retried, because the same commit would stop it
// again.
func TestAnalysisThatIsStopped(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.stopped = fmt.Errorf("run: %w", &sandbox.StoppedError{Reason: "after 60 s", At: "in web/b.js"})
	out := f.concludes(bot.Refused)
	check := f.check(f.repo.Head("main"))
	if want := "analysis stopped after 60 s in web/b.js"; out.Title != want || check.Title != want || check.Conclusion != "failure" {
		t.Errorf("the run ended with %q, its check %s with %q", out.Title, check.Conclusion, check.Title)
	}
	if !strings.Contains(check.Summary, "exclude") {
		t.Errorf("the check does not say what to do:\n%s", check.Summary)
	}
	f.stopped = sandbox.ErrKilled
	if _, err := f.branch(); err == nil {
		t.Error("a child that somebody killed is not tried again")
	}
	f.stopped = nil
	f.concludes(bot.Updated)
}
