package bot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/webhooks/queue"
)

// proposal is a pull request that changes what users of money see.
func (f *fixture) proposal() int {
	f.Helper()
	f.documented()
	f.push("wider", map[string]string{"money/money.go": widened})
	return must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Count larger amounts", "octo") })
}

// comment is the one comment on a pull request.
func (f *fixture) comment(number int) githubsim.Comment {
	f.Helper()
	comments := f.repo.Comments(number)
	if len(comments) != 1 {
		f.Fatalf("%d comments on #%d: %+v", len(comments), number, comments)
	}
	return comments[0]
}

func TestPullRequestIsTold(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.real()
	n := f.proposal()
	head, writes := f.repo.Head("main"), len(f.sim.Writes(f.repo))
	if out := f.pull(n); out.Conclusion != bot.Told {
		t.Fatalf("%+v", out)
	}
	body := f.comment(n).Body
	for _, want := range []string{
		"1 page goes stale", "/blob/main/docs/causal/modules/money.md", "money/money.go", "-type Amount int64", "+type Amount uint64", "no model",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the comment does not say %q:\n%s", want, body)
		}
	}
	if check := f.check(f.repo.Head("wider")); check.Conclusion != "neutral" || len(check.Annotations) != 1 || check.Annotations[0].Path != "money/money.go" {
		t.Errorf("the check is %+v", check)
	}
	if f.repo.Head("main") != head {
		t.Error("main moved")
	}
	if n := len(f.sim.Writes(f.repo)) - writes; n > 4 {
		t.Errorf("%d writes for one push", n)
	}
	writes = len(f.sim.Writes(f.repo))
	f.pull(n)
	if got := len(f.sim.Writes(f.repo)) - writes; got != 0 {
		t.Errorf("%d writes although nothing changed", got)
	}
}

func TestPullRequestThatChangesNothing(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	f.push("tidy", map[string]string{"notes.txt": "tidy\n"})
	n := must(f, func() (int, error) { return f.repo.OpenPull("tidy", "main", "Tidy", "octo") })
	f.pull(n)
	if body := f.comment(n).Body; !strings.Contains(body, "no page goes stale") {
		t.Errorf("the comment says\n%s", body)
	}
	if check := f.check(f.repo.Head("tidy")); check.Conclusion != "success" {
		t.Errorf("the check is %+v", check)
	}
}

// TestBranchesOfAnAnalysis: what happens to a pull request happens to its analysis.
func TestBranchesOfAnAnalysis(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	n := f.proposal()
	f.pull(n)
	must(f, func() (string, error) {
		return f.repo.ForcePush("wider", f.repo.Head("main"), githubsim.Change{Write: map[string]string{"money/money.go": widened + "\n// End.\n"}, Message: "Again"})
	})
	f.pull(n)
	if body := f.comment(n).Body; !strings.Contains(body, "the commits of the earlier analysis are gone") {
		t.Errorf("after a force-push the comment says\n%s", body)
	}
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	if out := f.pull(n); out.Conclusion != bot.SetAside {
		t.Errorf("after closing: %+v", out)
	}
	head := f.repo.Head("main")
	if aside := f.suspended(); len(aside) != 1 || !strings.Contains(aside[0], "pull request #1: Count larger amounts") {
		t.Errorf("set aside in the repository: %v", aside)
	}
	if out := f.pull(n); out.Conclusion != bot.SetAside || f.repo.Head("main") != head {
		t.Errorf("told of the same twice: %+v", out)
	}
	f.concludes(bot.Fresh)
	if err := f.repo.ReopenPull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	f.pull(n)
	if body := f.comment(n).Body; !strings.Contains(body, "is resumed") {
		t.Errorf("after reopening the comment says\n%s", body)
	}
	if aside := f.suspended(); len(aside) != 0 {
		t.Errorf("still set aside in the repository: %v", aside)
	}
	must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	if out := f.pull(n); out.Conclusion != bot.Completed {
		t.Errorf("after merging: %+v", out)
	}
	f.concludes(bot.Fresh)
	f.sameAsACleanRun()
}

// brief is a client whose process ends before it writes more than so many comments.
type brief struct {
	bot.Client
	left *int
}

func (b brief) Comment(ctx context.Context, number int, marker, body string) (github.Comment, error) {
	if *b.left == 0 {
		return github.Comment{}, errKilled
	}
	*b.left--
	return b.Client.Comment(ctx, number, marker, body)
}

// interrupted is a pull request that was closed, and whose analysis was set aside by a run that ended before it said so.
func interrupted(t *testing.T) (*fixture, int) {
	t.Helper()
	f := setup(t, shop)
	n := f.proposal()
	f.pull(n)
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	one := 1
	f.through = func(c bot.Client) bot.Client { return brief{c, &one} }
	s := f.subject()
	s.Pull = n
	if out, err := f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: 100, Attempt: 1, Attempts: 12}); !errors.Is(err, errKilled) || len(f.suspended()) != 1 {
		t.Fatalf("the run was not interrupted after its commit: %+v, %v", out, err)
	}
	f.through = nil
	return f, n
}

// TestInterruptedSettingAside: the run ended between its commit and its comment.
func TestInterruptedSettingAside(t *testing.T) {
	t.Parallel()
	f, n := interrupted(t)
	head := f.repo.Head("main")
	if out := f.pull(n); out.Conclusion != bot.SetAside || f.repo.Head("main") != head || len(f.suspended()) != 1 {
		t.Errorf("the second attempt committed again, or nothing is set aside: %+v", out)
	}
	if err := f.repo.ReopenPull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	if f.pull(n); len(f.suspended()) != 0 {
		t.Errorf("still set aside in the repository: %v", f.suspended())
	}
}

// TestReopenedBeforeItWasSaid reopens a pull request before the bot handled its closing.
func TestReopenedBeforeItWasSaid(t *testing.T) {
	t.Parallel()
	f, n := interrupted(t)
	if err := f.repo.ReopenPull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	if f.pull(n); len(f.suspended()) != 0 {
		t.Errorf("still set aside in the repository: %v", f.suspended())
	}
}

// suspended are the sessions on main that are set aside.
func (f *fixture) suspended() []string {
	f.Helper()
	var out []string
	for _, name := range must(f, func() ([]string, error) { return f.repo.Files("main") }) {
		if text, _ := f.repo.Read("main", name); strings.HasPrefix(name, ".causal/frames/") && strings.Contains(text, "status: suspended") {
			out = append(out, text)
		}
	}
	return out
}

// TestWhatWasSetAsideIsOffered checks that a suspended analysis is offered to a new pull request with the same change.
func TestWhatWasSetAsideIsOffered(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	n := f.proposal()
	f.pull(n)
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	f.pull(n)
	f.push("again", map[string]string{"money/money.go": widened})
	again := must(f, func() (int, error) { return f.repo.OpenPull("again", "main", "Once more", "octo") })
	f.pull(again)
	if body := f.comment(again).Body; !strings.Contains(body, "can be resumed: pull request `#1`: Count larger amounts") {
		t.Errorf("the comment says\n%s", body)
	}
	f.push("other", map[string]string{"money/money.go": widened + "\n// Other is more.\nfunc Other() {}\n"})
	other := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Something else", "octo") })
	f.pull(other)
	if body := f.comment(other).Body; strings.Contains(body, "taking up again") {
		t.Errorf("offered to another change:\n%s", body)
	}
}

// TestForks are read and told in a check run, no more.
func TestForks(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.real()
	f.documented()
	fork := must(f, func() (*githubsim.Repository, error) { return f.repo.Fork("guest") })
	must(f, func() (string, error) {
		return fork.Push("wider", githubsim.Change{Write: map[string]string{
			"money/money.go": widened, ".causal/config.yml": "version: 1\nexclude: [\"**\"]\n",
		}, Message: "Mine"})
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("guest:wider", "main", "From outside", "guest") })
	f.pull(n)
	if got := f.repo.Comments(n); len(got) != 0 {
		t.Errorf("comments on a fork's pull request: %+v", got)
	}
	if check := f.check(fork.Head("wider")); !strings.Contains(check.Title, "1 page goes stale") || len(check.Annotations) == 0 {
		t.Errorf("the configuration of the fork counted, or the check is wrong: %+v", check)
	}
}

// TestAForgedState checks that a state in a comment of another author is ignored.
func TestAForgedState(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	n := f.proposal()
	f.repo.AddComment(n, "<!-- causal:summary -->\n<!-- causal:state eyJzdGF0dXMiOiJzdXNwZW5kZWQifQ.xxx -->", "guest")
	f.pull(n)
	for _, c := range f.repo.Comments(n) {
		if c.Author != "guest" && strings.Contains(c.Body, "analysis from before the close is resumed") {
			t.Errorf("the comment says\n%s", c.Body)
		}
	}
}

// TestStateOfAnotherRepository checks that a signed state is invalid in another repository, even for the same number.
func TestStateOfAnotherRepository(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	n := f.proposal()
	f.pull(n)
	if err := f.repo.ClosePull(n, "ann"); err != nil {
		f.Fatal(err)
	}
	f.pull(n)
	signed := f.repo.Comments(n)[0].Body
	other := setup(t, shop)
	if m := other.proposal(); m != n || other.repo.ID() != f.repo.ID() {
		t.Fatalf("it is #%d of %d, and was #%d of %d", m, other.repo.ID(), n, f.repo.ID())
	}
	elsewhere := must(other, func() (*githubsim.Repository, error) {
		return other.sim.CreateRepository("octo/till", githubsim.FromFiles(shop))
	})
	must(other, func() (int64, error) { return other.sim.Install(elsewhere) })
	for _, c := range []struct {
		repo *githubsim.Repository
		told bool
	}{{other.repo, true}, {elsewhere, false}} {
		other.repo = c.repo
		if !c.told {
			other.proposal()
		}
		c.repo.AddComment(n, signed, "causal[bot]")
		other.pull(n)
		body := c.repo.Comments(n)[0].Body
		if strings.Contains(body, "analysis from before the close is resumed") != c.told {
			t.Errorf("in repository %d the comment says\n%s", c.repo.ID(), body)
		}
	}
}

// lagging shows a pull request as it was.
type lagging struct {
	bot.Client
	head *string // empty for the current head
}

func (l lagging) Pull(ctx context.Context, number int) (github.Pull, error) {
	p, err := l.Client.Pull(ctx, number)
	if *l.head != "" {
		p.HeadSHA = *l.head
	}
	return p, err
}

// TestHeadThatLags checks that the bot waits for a lagging head, and accepts it in the end.
func TestHeadThatLags(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	n := f.proposal()
	old := f.repo.Head("wider")
	told := f.push("wider", map[string]string{"cart/cart.go": shop["cart/cart.go"] + "\n// More is more.\nconst More = 1\n"})
	shown := old
	f.through = func(c bot.Client) bot.Client { return lagging{c, &shown} }
	s := f.subject()
	s.Pull = n
	job := queue.Job{Subject: s, Run: 50, Attempt: 1, Attempts: 12, Causes: []queue.Cause{
		{Event: "pull_request.opened", Told: queue.Told{Head: old}}, {Event: "pull_request.synchronize", Told: queue.Told{Head: told}}, {Event: "sweep"},
	}}
	waits := 0
	f.slept = func() { waits++ }
	if _, err := f.bot.Handle(f.Context(), job); err == nil || waits != 2 || len(f.repo.CheckRuns(old)) != 0 {
		t.Errorf("after %d waits it ended with %v", waits, err)
	}
	f.slept = func() { shown = "" }
	if out, err := f.bot.Handle(f.Context(), job); err != nil || out.Head != told {
		t.Errorf("it looked at %s, %v, want %s", out.Head, err, told)
	}
	shown, job.Attempt, f.slept = old, 4, nil
	if out, err := f.bot.Handle(f.Context(), job); err != nil || out.Head != old {
		t.Errorf("it looked at %s, %v, want %s", out.Head, err, old)
	}
	shown, job.Attempt, waits = "", 1, 0
	f.slept = func() { waits++ }
	job.Causes = []queue.Cause{{Event: "pull_request.opened", Told: queue.Told{Head: old, At: time.Unix(1, 0)}}}
	if out, err := f.bot.Handle(f.Context(), job); err != nil || out.Head != told || waits != 0 {
		t.Errorf("for an event that comes late it waits %d times, and looks at %s, %v, want %s", waits, out.Head, err, told)
	}
}
