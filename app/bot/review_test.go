package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
)

// market is a shop whose cart reads amounts.
var market = func() map[string]string {
	files := maps.Clone(shop)
	files["cart/cart.go"] = "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\n" +
		"// Total is what is to be paid.\nfunc Total(s string) money.Amount {\n\ta, _ := money.Parse(s)\n\treturn a\n}\n"
	return files
}()

// Versions of what other people import.
var (
	good   = market["money/money.go"]
	broken = strings.Replace(good, "Parse(s string)", "Parse(s, currency string)", 1)
)

// breaking opens a pull request that breaks who reads amounts.
func (f *fixture) breaking() int {
	f.Helper()
	f.documented()
	f.push("wider", map[string]string{"money/money.go": broken})
	return must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
}

// thread is the one conversation on a pull request.
func (f *fixture) thread(number int) githubsim.Thread {
	f.Helper()
	list := f.repo.Threads(number)
	if len(list) != 1 {
		f.Fatalf("%d conversations on #%d: %+v", len(list), number, list)
	}
	return list[0]
}

// says reports what of the texts the comment on a pull request does not say.
func (f *fixture) says(number int, texts ...string) {
	f.Helper()
	body := f.comment(number).Body
	for _, text := range texts {
		if !strings.Contains(body, text) {
			f.Errorf("the comment does not say %q:\n%s", text, body)
		}
	}
}

// TestReviewIsTold follows one finding through the life of a pull request.
func TestReviewIsTold(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	f.rests(n)
	got := f.thread(n)
	if got.Path != "money/money.go" || got.Line != 8 || got.Side != "RIGHT" || got.ResolvedBy != "" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"**error**", "`api-break`", "F1", "/causal dismiss F1", "`cart`"} {
		if body := got.Comments[0].Body; !strings.Contains(body, want) {
			t.Errorf("the remark does not say %q:\n%s", want, body)
		}
	}
	f.says(n, ", 1 finding", "**Breaking**", "**Review**", "1 new", "/causal help", "**F1** error")
	if check := f.check(f.repo.Head("wider")); check.Conclusion != "neutral" || strings.Contains(fmt.Sprint(check.Annotations), "api-break") {
		t.Errorf("the check is %+v", check)
	}

	f.push("wider", map[string]string{"money/money.go": strings.Replace(broken, "// Amount is", "// MaxAmount is all there is.\nconst MaxAmount = 9\n\n// Amount is", 1)})
	f.tells(n)
	f.rests(n)
	if moved := f.thread(n); moved.Line != 11 || len(moved.Comments) != 1 {
		t.Errorf("after a push above: %+v", moved)
	}
	f.says(n, "1 from before")

	f.push("wider", map[string]string{"money/money.go": good})
	f.tells(n)
	f.rests(n)
	if fixed := f.thread(n); fixed.ResolvedBy != "causal[bot]" || len(fixed.Comments) != 1 {
		t.Errorf("fixed: %+v", fixed)
	}
	f.says(n, "1 fixed")

	f.push("wider", map[string]string{"money/money.go": broken})
	f.tells(n)
	f.rests(n)
	if back := f.thread(n); back.ResolvedBy != "" || len(back.Comments) != 2 || !strings.Contains(back.Comments[1].Body, "It is back") {
		t.Errorf("back: %+v", back)
	}
	f.says(n, "1 back")
}

// TestPeopleHaveTheLastWord checks that a conversation that a user resolved stays resolved until a user reopens it.
func TestPeopleHaveTheLastWord(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	resolve := func(how func(id, login string) error) {
		if err := how(f.thread(n).ID, "octo"); err != nil {
			t.Fatal(err)
		}
	}
	resolve(f.repo.ResolveThread)
	f.tells(n)
	f.says(n, "1 dismissed", "resolved in its conversation, by `octo`")
	f.push("wider", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	f.tells(n)
	if got := f.thread(n); got.ResolvedBy != "octo" || len(got.Comments) != 1 {
		t.Errorf("%+v", got)
	}
	resolve(f.repo.UnresolveThread)
	f.tells(n)
	f.says(n, ", 1 finding")
	if got := f.thread(n); got.ResolvedBy != "" || len(got.Comments) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestCommands checks that commands of users with write access are executed once.
func TestCommands(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	said := func(login, body string) []githubsim.Comment {
		t.Helper()
		before := len(f.repo.Comments(n))
		f.repo.AddComment(n, body, login)
		f.pull(n)
		var answers []githubsim.Comment
		for _, c := range f.repo.Comments(n)[before+1:] {
			if c.Author == "causal[bot]" {
				answers = append(answers, c)
			}
		}
		return answers
	}
	for _, c := range []struct {
		login, body string
		answers     []string // what each says
		comment     string   // the text of the summary afterwards
	}{
		{"mallory", "/causal dismiss F1 I do not like it", nil, ", 1 finding"},
		{"mallory", "/causal help", nil, ", 1 finding"},
		{"octo", "what does /causal help do?", nil, ", 1 finding"},
		{"octo", "/causal help", []string{"/causal pause"}, ", 1 finding"},
		{"octo", "/causal explain F1", []string{"invalid when"}, ", 1 finding"},
		{"octo", "/causal explain F9\n/causal sing @everybody", []string{"no finding `F9`"}, ", 1 finding"},
		{"octo", "/causal dismiss F1", []string{"Say why"}, ", 1 finding"},
		{"octo", "/causal pause", nil, "paused: `/causal resume`"},
		{"octo", "/causal resume", nil, ", 1 finding"},
		{"octo", "/causal dismiss F1 nobody calls it", nil, "nobody calls it, by `octo`"},
	} {
		got := said(c.login, c.body)
		if len(got) != len(c.answers) {
			t.Errorf("%s says %q: %d answers: %+v", c.login, c.body, len(got), got)
			continue
		}
		for i, want := range c.answers {
			if !strings.Contains(got[i].Body, want) {
				t.Errorf("%s says %q, and the answer is\n%s", c.login, c.body, got[i].Body)
			}
		}
		if body := f.repo.Comments(n)[0].Body; !strings.Contains(body, c.comment) {
			t.Errorf("after %q the summary does not say %q:\n%s", c.body, c.comment, body)
		}
	}
	if got := f.thread(n); got.ResolvedBy != "causal[bot]" {
		t.Errorf("after it was dismissed: %+v", got)
	}
	writes := len(f.sim.Writes(f.repo))
	f.pull(n)
	if more := f.sim.Writes(f.repo)[writes:]; len(more) > 0 {
		t.Errorf("without a new command there are the writes %v", more)
	}
	for _, c := range f.repo.Comments(n) {
		heard := c.Author == "octo" && (strings.Contains(c.Body, "pause") || strings.Contains(c.Body, "resume") || strings.Contains(c.Body, "nobody calls it"))
		if seen := len(f.repo.Reactions(c.ID)) == 1; seen != heard {
			t.Errorf("%q: shown that it was heard: %v", c.Body, seen)
		}
	}
	f.push("wider", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	f.pull(n)
	if body := f.repo.Comments(n)[0].Body; !strings.Contains(body, "1 dismissed") {
		t.Errorf("after a push:\n%s", body)
	}
}

// TestCommandsThatAreNotHeard: an App that was made before there were commands reviews all the same, and says where that is mended.
func TestCommandsThatAreNotHeard(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	app := f.sim.App()
	f.sim.Ask(app.Permissions, []string{"push", "pull_request"})
	n := f.breaking()
	f.tells(n)
	f.says(n, ", 1 finding", "commands need an owner", "/settings/apps/causal/permissions")
	if body := f.thread(n).Comments[0].Body; strings.Contains(body, "/causal") {
		t.Errorf("the remark names commands:\n%s", body)
	}
	f.sim.Ask(app.Permissions, app.Events)
	f.tells(n)
	f.says(n, "/causal help")
	if body := f.thread(n).Comments[0].Body; !strings.Contains(body, "/causal dismiss F1") {
		t.Errorf("the remark does not name commands:\n%s", body)
	}
}

// TestCommandsBesideALine are given where the finding is.
func TestCommandsBesideALine(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	for _, c := range []struct{ login, body, comment string }{
		{"mallory", "/causal dismiss F1 no", ", 1 finding"}, {"octo", "that is meant", ", 1 finding"}, {"octo", "/causal dismiss F1 that is meant", "that is meant, by `octo`"},
	} {
		must(f, func() (int64, error) { return f.repo.Reply(f.thread(n).ID, c.body, c.login) })
		f.pull(n)
		f.says(n, c.comment)
	}
	if got := f.thread(n); got.ResolvedBy != "causal[bot]" || got.Comments[len(got.Comments)-1].Body != "Dismissed." {
		t.Errorf("%+v", got)
	}
}

// TestSpoofedConversations checks that conversations of other authors in the server's format are ignored.
func TestSpoofedConversations(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	own := f.thread(n)
	if err := f.repo.ResolveThread(must(f, func() (string, error) {
		return f.repo.Remark(n, githubsim.Place{Path: "money/money.go", Line: 8}, own.Comments[0].Body, "mallory")
	}), "mallory"); err != nil {
		t.Fatal(err)
	}
	summary := f.comment(n).Body
	f.repo.AddComment(n, strings.ReplaceAll(summary, "1 finding", "no finding"), "mallory")
	before := len(f.sim.Writes(f.repo))
	f.pull(n)
	if writes := f.sim.Writes(f.repo)[before:]; len(writes) > 0 {
		t.Errorf("%v", writes)
	}
	if list := f.repo.Threads(n); len(list) != 2 || list[0].ResolvedBy != "" {
		t.Errorf("%+v", list)
	}
}

// TestReviewOfAFork checks that a fork gets annotations in its check run.
func TestReviewOfAFork(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	fork := must(f, func() (*githubsim.Repository, error) { return f.repo.Fork("mallory") })
	must(f, func() (string, error) {
		return fork.Push("wider", githubsim.Change{Write: map[string]string{"money/money.go": broken}, Message: "Break it"})
	})
	n := must(f, func() (int, error) { return f.repo.OpenPull("mallory:wider", "main", "Read currencies", "mallory") })
	f.pull(n)
	for _, login := range []string{"mallory", "octo"} { // no command is heard there
		f.repo.AddComment(n, "/causal dismiss F1 no\n/causal pause\n/causal help", login)
		f.pull(n)
	}
	if list := f.repo.Threads(n); len(list) > 0 || len(f.repo.Comments(n)) > 2 {
		t.Errorf("%+v, %+v", list, f.repo.Comments(n))
	}
	check := f.check(fork.Head("wider"))
	at := slices.IndexFunc(check.Annotations, func(a githubsim.Annotation) bool { return strings.Contains(a.Title, "api-break") })
	if at < 0 || check.Annotations[at].StartLine != 8 || check.Annotations[at].Level != "failure" || !strings.Contains(check.Title, "1 finding") {
		t.Errorf("%+v", check)
	}
}

// TestWhatRecursBecomesAPrinciple: the third pull request with the same fault makes a rule of it, in the commit that records it.
func TestWhatRecursBecomesAPrinciple(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	for i := range 3 {
		branch := fmt.Sprintf("change-%d", i)
		source, found := f.repo.Read("main", "money/money.go")
		if !found {
			t.Fatal("money.go is gone")
		}
		f.push(branch, map[string]string{"money/money.go": strings.Replace(source, "(s", fmt.Sprintf("(s%d, s", i), 1)})
		n := must(f, func() (int, error) { return f.repo.OpenPull(branch, "main", "Change it", "octo") })
		f.tells(n)
		must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
		if out := f.pull(n); out.Conclusion != bot.Completed {
			t.Fatalf("%+v", out)
		}
		name := fmt.Sprintf(".causal/reviews/pr-%d.jsonl", n)
		if text, found := f.repo.Read("main", name); !found || !strings.Contains(text, `"rule":"api-break"`) || !strings.Contains(text, `"outcome":"merged"`) {
			t.Fatalf("%s is %q", name, text)
		}
		f.says(n, name)
		if promoted := strings.Contains(f.comment(n).Body, "principle"); promoted != (i == 2) {
			t.Errorf("after %d changes the comment says\n%s", i+1, f.comment(n).Body)
		}
		head := f.repo.Head("main")
		f.pull(n)
		must(f, f.branch) // it reports the merge of its docs
		f.concludes(bot.Fresh)
		if f.repo.Head("main") != head {
			t.Errorf("main moved on after #%d", n)
		}
	}
	if _, got := told(f.recorded("main")); !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "principle/api-break | Recurring review findings became the principle api-break: ")
	}) {
		t.Errorf("the log tells of %q", got)
	}
	n := f.breakingAgain()
	f.says(n, "**Memory**", "in #3")
	files := slices.DeleteFunc(must(f, func() ([]string, error) { return f.repo.Files("main") }), func(name string) bool {
		return !strings.HasPrefix(name, ".causal/principles/")
	})
	slug := strings.TrimSuffix(strings.TrimPrefix(files[0], ".causal/principles/"), ".yml")
	f.repo.AddComment(n, "/causal demote nothing-such\n/causal demote "+slug, "octo")
	f.pull(n)
	answer := f.repo.Comments(n)[2].Body
	if text, _ := f.repo.Read("main", files[0]); !strings.Contains(text, "status: demoted") || !strings.Contains(answer, "no principle `nothing-such`") || !strings.Contains(answer, "`"+slug+"` is demoted.") {
		t.Errorf("%s is\n%s\nand the answer is\n%s", files[0], text, answer)
	}
	head := f.repo.Head("main")
	f.pull(n)
	must(f, f.branch)
	f.concludes(bot.Fresh)
	if f.repo.Head("main") != head {
		t.Error("main moved on")
	}
	f.sameAsACleanRun()
}

// breakingAgain opens one more pull request like the others.
func (f *fixture) breakingAgain() int {
	f.Helper()
	source, _ := f.repo.Read("main", "money/money.go")
	f.push("once-more", map[string]string{"money/money.go": strings.Replace(source, "(s", "(more, s", 1)})
	n := must(f, func() (int, error) { return f.repo.OpenPull("once-more", "main", "Change it", "octo") })
	f.tells(n)
	return n
}

// TestALostServer: all that is known of a pull request is in the pull request.
func TestALostServer(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	f.renew()
	f.push("wider", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	f.tells(n)
	f.thread(n)
	f.says(n, "1 from before", "**F1**")
	f.rests(n)
}

// TestFindingsAnywhere: they may be where the server itself never writes.
func TestFindingsAnywhere(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet)
	f.documented()
	files := map[string]string{}
	for _, name := range []string{".github/tool.go", `a\b.go`, "a\nb.go", "a\rb.go"} {
		files[name] = "package tool\n\nfunc f(s string) {\n\t" + printed + "\n}\n"
	}
	f.push("tools", files)
	n := must(f, func() (int, error) { return f.repo.OpenPull("tools", "main", "Add tools", "octo") })
	f.tells(n)
	f.says(n, ", 4 findings", ".github/tool.go:4", `a\b.go:4`)
}

// TestAMergeIsToldOnce has the runs of a merge and of its pull request in both orders. The first to commit reports it.
func TestAMergeIsToldOnce(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"the pull request first": true, "the branch first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t, market)
			f.documented()
			n := f.breaking()
			f.tells(n)
			merge := must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
			if first {
				if d := f.detail(f.pull(n)); d.Commit != f.repo.Head("main") || len(d.Reasons) == 0 {
					t.Errorf("%+v", d)
				}
				f.concludes(bot.Fresh)
			} else {
				f.concludes(bot.Updated)
				f.pull(n)
			}
			if got := f.check(merge); !strings.Contains(got.Title, "pages updated") || !strings.Contains(got.Text, "money/money.go") {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestRecordsThatArePushed checks that pushed records, as in a merge of a proposal, make a principle and its page.
func TestRecordsThatArePushed(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	files := map[string]string{}
	for i := range 3 {
		at := fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1)
		files[fmt.Sprintf(".causal/reviews/pr-%d.jsonl", i+1)] = `{"key":"pr-` + fmt.Sprint(i+1) + `","base":"b","head":"h","outcome":"merged","at":"` + at + `","author":"ann"}` + "\n" +
			`{"id":"f-1","rule":"lint/x","severity":"warning","path":"a.go","line":1,"message":"No.","pattern":"p-1","status":"fixed","history":[{"event":"new"}]}` + "\n"
	}
	f.push("main", files)
	f.concludes(bot.Updated)
	if page, found := f.repo.Read("main", "docs/causal/principles.md"); !found || !strings.Contains(page, "lint") {
		t.Errorf("the page is %q", page)
	}
	f.sameAsACleanRun()
}

// TestDirectPushesAreRecordedOnce kills the server between its commit and its own database. The next push is recorded, and no earlier push
// twice. The bot's other commits do not count as pushes.
func TestDirectPushesAreRecordedOnce(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	began, former, want := f.last, "", []string{}
	for i := range 2 {
		source, _ := f.repo.Read("main", "money/money.go")
		pushed := f.push("main", map[string]string{"money/money.go": strings.Replace(source, "(s", fmt.Sprintf("(s%d, s", i), 1)})
		f.concludes(bot.Updated)
		name := ".causal/reviews/push-" + pushed[:10] + ".jsonl"
		if text, _ := f.repo.Read("main", name); !strings.Contains(text, `"base":"`+former) {
			t.Errorf("%s begins elsewhere than at %s:\n%s", name, former, text)
		}
		want = append(want, name)
		former, f.last = f.repo.Head("main"), began
	}
	f.push("wider", map[string]string{"money/money.go": widened})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Count larger amounts", "octo") })
	f.tells(n)
	if err := f.repo.ClosePull(n, "octo"); err != nil {
		t.Fatal(err)
	}
	if out := f.pull(n); out.Conclusion != bot.SetAside {
		t.Fatalf("%+v", out)
	}
	f.concludes(bot.Fresh)
	records := slices.DeleteFunc(must(f, func() ([]string, error) { return f.repo.Files("main") }), func(name string) bool {
		return !strings.HasPrefix(name, ".causal/reviews/push-")
	})
	slices.Sort(records)
	slices.Sort(want)
	if !slices.Equal(records, want) {
		t.Errorf("%q are recorded, not %q", records, want)
	}
}

// TestDirectPushes checks that direct pushes count as changes, and merges of pull requests do not count twice.
func TestDirectPushes(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	for i := range 3 {
		source, _ := f.repo.Read("main", "money/money.go")
		pushed := f.push("main", map[string]string{"money/money.go": strings.Replace(source, "(s", fmt.Sprintf("(s%d, s", i), 1)})
		f.concludes(bot.Updated)
		name := ".causal/reviews/push-" + pushed[:10] + ".jsonl"
		if text, found := f.repo.Read("main", name); !found || !strings.Contains(text, `"rule":"api-break"`) || !strings.Contains(text, `"head":"`+pushed) {
			t.Fatalf("%s is %q", name, text)
		}
		f.concludes(bot.Fresh)
	}
	if page, found := f.repo.Read("main", "docs/causal/principles.md"); !found || !strings.Contains(page, "api-break") {
		t.Errorf("the page is %q", page)
	}
	f.sameAsACleanRun()
	f.push("main", map[string]string{"README.md": "# Shop\n\nSells all.\n"})
	before := must(f, func() ([][2]string, error) { return f.repo.Log("main") })
	f.concludes(bot.Updated)
	if after := must(f, func() ([][2]string, error) { return f.repo.Log("main") }); len(after) != len(before)+1 {
		t.Errorf("%d commits, and there were %d", len(after), len(before))
	}
	source, _ := f.repo.Read("main", "money/money.go")
	f.push("other", map[string]string{"money/money.go": strings.Replace(source, "(s", "(last, s", 1)})
	n := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Change it", "octo") })
	f.tells(n)
	merge := must(f, func() (string, error) { return f.repo.MergePull(n, "octo") })
	f.concludes(bot.Updated)
	if _, found := f.repo.Read("main", ".causal/reviews/push-"+merge[:10]+".jsonl"); found {
		t.Error("a merge is recorded as a push")
	}
}
