package bot_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/summary"
)

// TestPrinciplesAreAskedAbout in one pull request, which others join, and whose merge has them in force.
func TestPrinciplesAreAskedAbout(t *testing.T) {
	t.Parallel()
	f := asking(t, "")
	first := f.recurs("lint/x")
	p := f.asked()
	f.is("main", map[string]string{first: "candidate"})
	f.is(summary.Approvals, map[string]string{first: "active"})
	for _, want := range []string{
		"### `lint-x`", "lint/x: No.", "Found in 3 merged changes: fixed in 3, dismissed in 0.", "/pull/602)", "2026-01-03", "fixed by `0000000000`", "/causal decline", first,
	} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("the pull request does not say %q:\n%s", want, p.Body)
		}
	}
	f.looks(p.Number)
	if check := f.check(f.repo.Head(summary.Approvals)); check.Name != "causal" || check.Conclusion == "failure" {
		t.Errorf("the check is %+v", check)
	}
	if said := f.repo.Comments(p.Number); len(said) > 0 {
		t.Errorf("it is commented on: %+v", said)
	}
	f.again()

	f.push("main", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	head := f.repo.Head(summary.Approvals)
	must(f, f.branch)
	f.settles()
	if f.repo.Head(summary.Approvals) != head {
		t.Error("a push that has nothing to do with principles has it written anew")
	}
	second := f.recurs("lint/other")
	if q := f.asked(); q.Number != p.Number || !strings.Contains(q.Body, "`lint-x`") || !strings.Contains(q.Body, "`lint-other`") {
		t.Errorf("after another: %+v", q)
	}
	f.is(summary.Approvals, map[string]string{first: "active", second: "active"})

	must(f, func() (string, error) { return f.repo.MergePull(p.Number, "octo") })
	f.concludes(bot.Updated)
	f.looks(p.Number)
	f.is("main", map[string]string{first: "active", second: "active"})
	f.unasked()
	f.again()
	f.fresh()
}

// TestApprovedPrinciplesAreApplied checks that the next review applies approved principles, and ignores candidates.
func TestApprovedPrinciplesAreApplied(t *testing.T) {
	t.Parallel()
	files := maps.Clone(market)
	files[".causal/config.yml"] = "version: 1\nreview: {approval: pull_request}\n"
	f := setup(t, files)
	f.concludes(bot.Updated)
	for i := range 3 {
		source, _ := f.repo.Read("main", "money/money.go")
		f.push("main", map[string]string{"money/money.go": strings.Replace(source, "(s", fmt.Sprintf("(s%d, s", i), 1)})
		f.concludes(bot.Updated)
		f.settles()
	}
	p := f.asked()
	n := f.breakingAgain()
	if body := f.thread(n).Comments[0].Body; strings.Contains(body, "principle") {
		t.Errorf("before it is approved:\n%s", body)
	}
	must(f, func() (string, error) { return f.repo.MergePull(p.Number, "octo") })
	f.concludes(bot.Updated)
	f.settles()
	f.pull(n)
	if body := f.thread(n).Comments[0].Body; !strings.Contains(body, "principle `api-break`") {
		t.Errorf("once it is approved:\n%s", body)
	}
}

// TestDeclinedPrinciplesStayAway, however the pull request was closed, and whatever the server has lost.
func TestDeclinedPrinciplesStayAway(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(f *fixture, n int) error
		told bool
	}{
		"closed": {func(f *fixture, n int) error { return f.repo.ClosePull(n, "octo") }, true},
		"the branch is deleted while no server listens": {func(f *fixture, _ int) error { return f.repo.DeleteBranch(summary.Approvals, "octo") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := asking(t, "")
			first := f.recurs("lint/x")
			p := f.asked()
			if err := c.end(f, p.Number); err != nil {
				t.Fatal(err)
			}
			if c.told {
				f.looks(p.Number)
			} else {
				f.renew()
				must(f, f.branch)
				f.settles()
			}
			f.is("main", map[string]string{first: "declined"})
			f.unasked()
			if said := f.repo.Comments(p.Number); len(said) != 1 || !strings.Contains(said[0].Body, "`lint-x`") || !strings.Contains(said[0].Body, "are declined") {
				t.Errorf("it says %+v", said)
			}
			f.again()
			second := f.recurs("lint/other")
			if q := f.asked(); q.Number == p.Number || strings.Contains(q.Body, "`lint-x`") {
				t.Errorf("asked is %+v", q)
			}
			f.looks(p.Number) // its event comes again
			f.is("main", map[string]string{first: "declined", second: "candidate"})
			f.fresh()
		})
	}
}

// hasty is a client whose pull request is closed just before it is updated.
type hasty struct {
	bot.Client
	close func()
}

func (h hasty) Propose(ctx context.Context, p github.Proposal) (github.Pull, error) {
	h.close()
	return h.Client.Propose(ctx, p)
}

// TestClosedWhileItIsWritten checks that the replacement of a closed pull request does not ask about declined principles again.
func TestClosedWhileItIsWritten(t *testing.T) {
	t.Parallel()
	f := asking(t, "")
	first := f.recurs("lint/x")
	p := f.asked()
	once := sync.OnceFunc(func() {
		if err := f.repo.ClosePull(p.Number, "octo"); err != nil {
			t.Error(err)
		}
	})
	f.through = func(c bot.Client) bot.Client { return hasty{c, once} }
	second := f.recurs("lint/other")
	if q := f.asked(); q.Number == p.Number || !strings.Contains(q.Body, "`lint-x`") {
		t.Fatalf("asked is %+v", q)
	}
	f.looks(p.Number)
	f.is("main", map[string]string{first: "declined", second: "candidate"})
	f.is(summary.Approvals, map[string]string{first: "declined", second: "active"})
	if q := f.asked(); strings.Contains(q.Body, "`lint-x`") {
		t.Errorf("asked is %+v", q)
	}
}

// TestPeopleEditWhatIsAsked checks that edits in the pull request are kept.
func TestPeopleEditWhatIsAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		merge bool
		want  map[string]string
	}{
		"merged": {true, map[string]string{"lint-x": "active", "lint-yy": "declined", "lint-zzz": "candidate", "lint-later": "candidate"}},
		"closed": {false, map[string]string{"lint-x": "declined", "lint-yy": "declined", "lint-zzz": "candidate", "lint-later": "candidate"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := asking(t, "")
			files := f.recur("lint/x", "lint/yy", "lint/zzz")
			x, yy, zzz := files[0], files[1], files[2]
			p := f.asked()
			edited := map[string]string{}
			for file, change := range map[string][2]string{
				x: {`rule: "`, `rule: "Mine, `}, yy: {"status: active", "status: declined"}, zzz: {"status: active", "status: candidate"},
			} {
				text, _ := f.repo.Read(summary.Approvals, file)
				edited[file] = strings.Replace(text, change[0], change[1], 1)
			}
			head := f.push(summary.Approvals, edited)
			f.looks(p.Number)
			f.recurs("lint/later")
			if f.repo.Head(summary.Approvals) != head {
				t.Errorf("what a person wrote is gone: %+v", f.asked())
			}
			if c.merge {
				must(f, func() (string, error) { return f.repo.MergePull(p.Number, "octo") })
				must(f, f.branch)
			} else if err := f.repo.ClosePull(p.Number, "octo"); err != nil {
				t.Fatal(err)
			}
			f.looks(p.Number)
			want := map[string]string{}
			for slug, status := range c.want {
				want[".causal/principles/"+slug+".yml"] = status
			}
			f.is("main", want)
			if text, _ := f.repo.Read("main", x); strings.Contains(text, "Mine, ") != c.merge {
				t.Errorf("the rule is\n%s", text)
			}
		})
	}
}

// TestCommandsWherePrinciplesAreAsked are heard once.
func TestCommandsWherePrinciplesAreAsked(t *testing.T) {
	t.Parallel()
	f := asking(t, "")
	files := f.recur("lint/x", "lint/other")
	first, second := files[0], files[1]
	p := f.asked()
	f.repo.AddComment(p.Number, "/causal decline lint-other", "mallory")
	f.looks(p.Number)
	f.is("main", map[string]string{first: "candidate", second: "candidate"})
	f.repo.AddComment(p.Number, "/causal decline lint-x", "octo")
	f.looks(p.Number)
	f.is("main", map[string]string{first: "declined", second: "candidate"})
	f.is(summary.Approvals, map[string]string{first: "declined", second: "active"})
	if said := f.repo.Comments(p.Number); len(said) != 3 || !strings.Contains(said[2].Body, "`lint-x` is declined.") {
		t.Errorf("it says %+v", said)
	}
	text, _ := f.repo.Read("main", first)
	f.push("main", map[string]string{first: strings.Replace(text, "status: declined", "status: active", 1)})
	must(f, f.branch)
	f.settles()
	f.looks(p.Number)
	f.again()
	f.is("main", map[string]string{first: "active", second: "candidate"})
	text, _ = f.repo.Read("main", second)
	f.push("main", map[string]string{second: strings.Replace(text, "status: candidate", "status: active", 1)})
	must(f, f.branch)
	f.settles()
	f.unasked()
}

// TestPrinciplesOfAProtectedBranch are declined in the pull request that proposes the docs, and stay in it.
func TestPrinciplesOfAProtectedBranch(t *testing.T) {
	t.Parallel()
	f := asking(t, "bot: {mode: pull_request}\n")
	docs := func() int {
		list := slices.DeleteFunc(f.repo.Pulls(), func(p githubsim.Pull) bool { return p.State != "open" || p.Head != summary.Rolling })
		return list[len(list)-1].Number
	}
	must(f, func() (string, error) { return f.repo.MergePull(docs(), "octo") })
	must(f, f.branch)
	first := f.recurs("lint/x")
	f.unasked() // it is proposed itself
	must(f, func() (string, error) { return f.repo.MergePull(docs(), "octo") })
	must(f, f.branch)
	f.settles()
	p := f.asked()
	if err := f.repo.ClosePull(p.Number, "octo"); err != nil {
		t.Fatal(err)
	}
	f.looks(p.Number)
	f.is(summary.Rolling, map[string]string{first: "declined"})
	f.again()
	f.push("main", map[string]string{"money/money.go": widened})
	must(f, f.branch)
	f.settles()
	f.is(summary.Rolling, map[string]string{first: "declined"})
	f.again()
	must(f, func() (string, error) { return f.repo.MergePull(docs(), "octo") })
	must(f, f.branch)
	f.settles()
	f.is("main", map[string]string{first: "declined"})
	f.unasked()
}

// TestNobodyIsAsked checks the cases without a pull request: nothing to write, or approval is off.
func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string]string{"check": "bot: {mode: check}\n", "dry run": "bot: {dry_run: true}\n", "at once": "review: {approval: none}\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := asking(t, "")
			first := f.recurs("lint/x")
			p := f.asked()
			f.push("main", map[string]string{".causal/config.yml": "version: 1\n" + settings})
			if err := f.repo.ClosePull(p.Number, "octo"); err != nil {
				t.Fatal(err)
			}
			f.looks(p.Number)
			f.recurs("lint/other")
			f.is("main", map[string]string{first: "candidate"})
			if list := f.repo.Pulls(); len(list) != 1 {
				t.Errorf("%+v", list)
			}
		})
	}
}
