package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/proof/githubsim"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// asking is a shop whose people are asked about principles.
func asking(t *testing.T, settings string) *fixture {
	t.Helper()
	f := setup(t, with(map[string]string{".causal/config.yml": "version: 1\nreview: {approval: pull_request}\n" + settings}))
	if out := must(f, f.branch); out.Conclusion != bot.Updated && out.Conclusion != bot.Proposed {
		t.Fatalf("%+v", out)
	}
	return f
}

// recurring are the records of three changes with the same finding, and the file of the principle that comes of them.
func recurring(rule string) (records map[string]string, file string) {
	records = map[string]string{}
	for i := range 3 {
		key := fmt.Sprintf("pr-%d", 100*len(rule)+i)
		records[".causal/reviews/"+key+".jsonl"] = fmt.Sprintf(`{"key":%q,"base":"b","head":"%040d","outcome":"merged","at":"2026-01-0%dT00:00:00Z","author":"ann"}`, key, i, i+1) + "\n" +
			fmt.Sprintf(`{"id":"f-1","rule":%q,"severity":"warning","path":"a.go","line":1,"message":"No.","pattern":%q,"status":"fixed","history":[{"event":"new"}]}`, rule, "p-"+rule) + "\n"
	}
	return records, ".causal/principles/" + strings.ReplaceAll(rule, "/", "-") + ".yml"
}

// recurs has a finding recur, and returns the file of its principle.
func (f *fixture) recurs(rule string) string {
	f.Helper()
	records, file := recurring(rule)
	f.push("main", records)
	must(f, f.branch)
	f.settles()
	return file
}

// settles does what the bot has asked for, until it asks for nothing more.
func (f *fixture) settles() (last queue.Outcome) {
	f.Helper()
	for rounds := 0; len(f.asks) > 0; rounds++ {
		if rounds == 20 {
			f.Fatalf("the bot asks again and again: %+v", f.asks)
		}
		s := f.asks[0]
		f.asks = f.asks[1:]
		f.runs++
		last = must(f, func() (queue.Outcome, error) {
			return f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: f.runs, Attempt: 1, Attempts: 12})
		})
	}
	return last
}

// looks has the bot look at a pull request, and do what it asks for then.
func (f *fixture) looks(number int) queue.Outcome {
	f.Helper()
	out := f.pull(number)
	f.settles()
	return out
}

// status is that of a principle on a branch; empty where it has none.
func (f *fixture) status(branch, file string) string {
	f.Helper()
	text, _ := f.repo.Read(branch, file)
	for line := range strings.Lines(text) {
		if value, found := strings.CutPrefix(line, "status: "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// is holds principles on a branch to statuses.
func (f *fixture) is(branch string, want map[string]string) {
	f.Helper()
	got := map[string]string{}
	for file := range want {
		got[file] = f.status(branch, file)
	}
	if !maps.Equal(got, want) {
		f.Errorf("on %s there are %v, want %v", branch, got, want)
	}
}

// asked is the one open pull request about principles.
func (f *fixture) asked() githubsim.Pull {
	f.Helper()
	open := slices.DeleteFunc(f.repo.Pulls(), func(p githubsim.Pull) bool { return p.State != "open" || p.Head != summary.Approvals })
	if len(open) != 1 {
		f.Fatalf("open are %+v", open)
	}
	return open[0]
}

// unasked tells when people are asked although nothing waits.
func (f *fixture) unasked() {
	f.Helper()
	for _, p := range f.repo.Pulls() {
		if p.State == "open" && p.Head == summary.Approvals {
			f.Errorf("asked are %+v", p)
		}
	}
	if at := f.repo.Head(summary.Approvals); at != "" {
		f.Errorf("%s is at %s", summary.Approvals, at)
	}
}

// again has everything looked at once more, as redelivered events do, by a server that has lost all it had; nothing may come of it.
func (f *fixture) again() {
	f.Helper()
	all := func() {
		must(f, f.branch)
		f.settles()
		for _, p := range f.repo.Pulls() {
			f.looks(p.Number)
		}
	}
	all() // which makes the check runs that are not there yet
	f.renew()
	writes := len(f.sim.Writes(f.repo))
	all()
	if more := f.sim.Writes(f.repo)[writes:]; len(more) > 0 {
		f.Errorf("once more: %+v", more)
	}
}

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
	f.sameAsACleanRun()
}

// TestApprovedPrinciplesAreApplied in the next review, and those that wait are not.
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
	for name, end := range map[string]func(f *fixture, n int) error{
		"closed":                func(f *fixture, n int) error { return f.repo.ClosePull(n, "octo") },
		"the branch is deleted": func(f *fixture, _ int) error { return f.repo.DeleteBranch(summary.Approvals, "octo") },
	} {
		for told, tell := range map[string]func(f *fixture, n int){
			"told": func(f *fixture, n int) { f.looks(n) },
			"lost": func(f *fixture, _ int) {
				f.renew()
				must(f, f.branch)
				f.settles()
			},
		} {
			t.Run(name+", "+told, func(t *testing.T) {
				t.Parallel()
				f := asking(t, "")
				first := f.recurs("lint/x")
				p := f.asked()
				if err := end(f, p.Number); err != nil {
					t.Fatal(err)
				}
				tell(f, p.Number)
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
				f.is("main", map[string]string{first: "declined", second: "candidate"})
				f.looks(p.Number) // its event comes again
				f.is("main", map[string]string{first: "declined", second: "candidate"})
				f.sameAsACleanRun()
			})
		}
	}
}

// TestPeopleEditWhatIsAsked: what they make of it there is theirs.
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
			x, yy, zzz := f.recurs("lint/x"), f.recurs("lint/yy"), f.recurs("lint/zzz")
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
	first, second := f.recurs("lint/x"), f.recurs("lint/other")
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

// TestNobodyIsAsked where nothing is written, and where nobody wants to be asked.
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
