package bot_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/review/match"
	"github.com/causaldocs/causal/webhooks/queue"
)

// printed is a line that the principle of quiet forbids.
const printed = `fmt.Println("reading", s)`

// quiet is a repository with a principle that makes a line a finding everywhere.
var quiet = func() map[string]string {
	files := maps.Clone(market)
	files[".causal/principles/quiet.yml"] = fmt.Sprintf("principle: quiet\nrule: Print nothing.\nwhy: Programs read it.\n"+
		"check: {pattern: p-1, severity: warning, language: %s, shape: %q}\nauthors: 1\ndismissed: 0\nstatus: active\n", match.Language("a.go"), match.Shape("a.go", printed))
	return files
}()

// proposed is the state of a pull request: places has its findings under names that only this test uses.
type proposed struct {
	lines   int  // above all others
	mended  bool // Parse can be called as before
	moved   bool // the file has another name
	single  bool // the second of two equal lines is gone
	removed bool // a file that the pull request adds is
	wording string
	readme  string
}

type place struct {
	path string
	line int
}

// build writes the files.
func (p proposed) build() (files map[string]string, places map[string]place) {
	files, places = map[string]string{"README.md": "# Shop\n\nSells things.\n" + p.readme}, map[string]place{}
	name, said := "money/money.go", strings.Replace(printed, "reading", "reading"+p.wording, 1)
	if p.moved {
		name = "money/amount.go"
	}
	var text []string
	write := func(finding string, lines ...string) {
		if text = append(text, lines...); finding != "" {
			places[finding] = place{name, len(text)}
		}
	}
	write("", "// Package money holds amounts.", "package money", "", `import "fmt"`, "")
	for i := range p.lines {
		write("", fmt.Sprintf("// Limit%d is one.", i), fmt.Sprintf("const Limit%d = %d", i, i), "")
	}
	write("", "// Amount is in cents.", "type Amount int64", "", "// Parse reads an amount.")
	if p.mended {
		write("", "func Parse(s string) (Amount, error) {")
	} else {
		write("break", "func Parse(s, currency string) (Amount, error) {")
	}
	write("first", "\t"+said)
	write("", "\tn := len(s)")
	if !p.single {
		write("second", "\t"+said)
	}
	write("", "\treturn Amount(n), nil", "}")
	files[name] = strings.Join(text, "\n") + "\n"
	if !p.removed {
		files["cart/print.go"] = "package cart\n\nimport \"fmt\"\n\nfunc show(s string) {\n\t" + printed + "\n}\n"
		places["other"] = place{"cart/print.go", 6}
	}
	return files, places
}

// pushes are the kinds of pushes. Whatever one takes away another brings back.
var pushes = []struct {
	kind  string
	edit  func(p *proposed)
	force bool // a force-push
	bases bool // onto a base that has moved on
}{
	{kind: "something else", edit: func(p *proposed) { p.readme += "And more.\n" }},
	{kind: "lines above", edit: func(p *proposed) { p.lines++ }},
	{kind: "a fix", edit: func(p *proposed) { p.mended = true }},
	{kind: "its revert", edit: func(p *proposed) { p.mended = false }},
	{kind: "a rename", edit: func(p *proposed) { p.moved = !p.moved }},
	{kind: "a fix of one of two equal lines", edit: func(p *proposed) { p.single = true }},
	{kind: "a force-push", force: true},
	{kind: "a file removed", edit: func(p *proposed) { p.removed = true }},
	{kind: "a rebase", bases: true},
	{kind: "both brought back", edit: func(p *proposed) { p.removed, p.single = false, false }},
	{kind: "nothing"},
	{kind: "an edit of the lines", edit: func(p *proposed) { p.wording += "!" }},
	{kind: "a rename, a fix and a rebase at once", edit: func(p *proposed) { p.moved, p.mended = !p.moved, true }, bases: true},
	{kind: "a force-push that brings it back", edit: func(p *proposed) { p.mended = false }, force: true},
}

// TestPushesInARow runs each kind of push, in full twice. No finding is reported twice, and a conversation is resolved exactly when its finding is
// gone, on any server.
func TestPushesInARow(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet)
	f.documented()
	w := &watch{fixture: f, marks: map[string]string{}, back: map[string]int{}}
	w.proposed.readme = "More.\n"
	base := f.repo.Head("main")
	w.propose(base)
	w.number = must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "octo") })
	w.looks("the beginning", false)
	for i := range testmode.Of(1, 2) * len(pushes) {
		push := pushes[i%len(pushes)]
		parent := f.repo.Head("wider")
		if push.edit != nil {
			push.edit(&w.proposed)
		}
		if push.bases {
			base = f.push("main", map[string]string{"notes.txt": fmt.Sprintf("Note %d\n", i)})
		}
		if push.force || push.bases {
			parent = base
		}
		w.propose(parent)
		if i%9 == 8 { // at another kind of push each time
			f.renew()
		}
		w.looks(fmt.Sprintf("push %d, %s", i, push.kind), i%5 == 4)
	}
	must(f, func() (string, error) { return f.repo.MergePull(w.number, "octo") })
	f.pull(w.number)
	record, _ := f.repo.Read("main", fmt.Sprintf(".causal/reviews/pr-%d.jsonl", w.number))
	if n := strings.Count(record, `{"id":"f-`); n != len(w.marks) {
		t.Errorf("%d findings are recorded, and there were %d:\n%s", n, len(w.marks), record)
	}
}

// watch compares the conversations of a pull request with its findings.
type watch struct {
	*fixture
	proposed

	number int
	there  map[string]place  // the findings as of the last look
	marks  map[string]string // what marks the conversation about a finding
	back   map[string]int    // how often a finding came back
}

// propose pushes a state on top of a commit.
func (w *watch) propose(parent string) {
	w.Helper()
	files, _ := w.build()
	change := githubsim.Change{Write: files, Message: "Go on"}
	for _, name := range []string{"money/money.go", "money/amount.go", "cart/print.go"} {
		if _, there := w.repo.Read(parent, name); there && files[name] == "" {
			change.Delete = append(change.Delete, name)
		}
	}
	must(w.fixture, func() (string, error) { return w.repo.ForcePush("wider", parent, change) })
}

// looks has the bot look after a push, and on demand once more.
func (w *watch) looks(after string, twice bool) {
	w.Helper()
	_, now := w.build()
	for finding := range now {
		if _, was := w.there[finding]; !was && w.marks[finding] != "" {
			w.back[finding]++
		}
	}
	w.there = now
	before := len(w.sim.Writes(w.repo))
	w.pull(w.number)
	if writes := w.sim.Writes(w.repo)[before:]; len(writes) > 4 {
		w.Fatalf("%s: %d writes: %v", after, len(writes), writes)
	}
	w.holds(after)
	if twice {
		w.rests(w.number)
	}
}

// holds compares the conversations with the findings: there is one for each that ever was, open when it is there, in which nothing
// was said but that it is back, as often as it was.
func (w *watch) holds(after string) {
	w.Helper()
	w.comment(w.number)
	threads := w.repo.Threads(w.number)
	for _, thread := range threads {
		body := thread.Comments[0].Body
		mark := body[strings.LastIndex(body, "<!--"):]
		finding := w.about(mark, place{thread.Path, thread.OriginalLine})
		at, there := w.there[finding]
		switch {
		case finding == "":
			w.Fatalf("%s: a conversation about nothing: %+v", after, thread)
		case there != (thread.ResolvedBy == ""):
			w.Fatalf("%s: %q is there: %v, and its conversation is %+v", after, finding, there, thread)
		case len(thread.Comments) != 1+w.back[finding]:
			w.Fatalf("%s: %q came back %d times, and said was %+v", after, finding, w.back[finding], thread.Comments)
		case there && !thread.Outdated && thread.Line != at.line:
			w.Fatalf("%s: %q is in line %d, and is told of in %d", after, finding, at.line, thread.Line)
		}
	}
	if len(threads) != len(w.marks) {
		w.Fatalf("%s: %d conversations about %d findings: %+v", after, len(threads), len(w.marks), threads)
	}
	for finding := range w.there {
		if w.marks[finding] == "" {
			w.Fatalf("%s: %q is not told of", after, finding)
		}
	}
}

// about is the finding that a conversation is about: one that is new by its place, and any other by what marks it.
func (w *watch) about(mark string, at place) string {
	for _, finding := range slices.Sorted(maps.Keys(w.marks)) {
		if w.marks[finding] == mark {
			return finding
		}
	}
	for finding, place := range w.there {
		if w.marks[finding] == "" && place == at {
			w.marks[finding] = mark
			return finding
		}
	}
	return ""
}

// TestKilledBetweenConversationsAndState checks that conversations that the server resolved or opened before it could store that do not
// count as decisions of users.
func TestKilledBetweenConversationsAndState(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	killed := func(text string) {
		t.Helper()
		f.push("wider", map[string]string{"money/money.go": text})
		f.through = func(c bot.Client) bot.Client { return brief{c, new(int)} }
		s := f.subject()
		s.Pull = n
		if _, err := f.bot.Handle(f.Context(), queue.Job{Subject: s, Run: 100, Attempt: 1, Attempts: 12}); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		f.through = nil
	}
	for range testmode.Of(1, 2) {
		killed(good)
		if got := f.thread(n); got.ResolvedBy != "causal[bot]" {
			t.Fatalf("it was killed before it closed the conversation: %+v", got)
		}
		f.pull(n)
		f.says(n, "1 fixed")
		killed(broken)
		if got := f.thread(n); got.ResolvedBy != "" {
			t.Fatalf("it was killed before it opened the conversation: %+v", got)
		}
		f.pull(n)
		f.says(n, ", 1 finding", "1 back")
	}
	killed(good)
	f.push("wider", map[string]string{"money/money.go": broken}) // before anybody looked again
	f.pull(n)
	f.says(n, ", 1 finding")
	if got := f.thread(n); got.ResolvedBy != "" {
		t.Errorf("%+v", got)
	}
}
