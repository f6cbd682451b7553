package bot_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causaldocs/causal/app/bot"
	"github.com/causaldocs/causal/app/cli"
	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/store"
)

// recorded is the log at the head of a branch.
func (f *fixture) recorded(branch string) *ledger.Log {
	f.Helper()
	dir := f.TempDir()
	for name, text := range f.content(branch, ".causal/") {
		write(f.T, filepath.Join(dir, name), text)
	}
	files := must(f, func() (*store.Dir, error) { return store.OpenDir(dir) })
	defer func() { _ = files.Close() }()
	log := must(f, func() (*ledger.Whole, error) { return ledger.Open(files, nil) })
	if len(log.Problems) > 0 {
		f.Fatalf("the log of %s: %v", branch, log.Problems)
	}
	return log.Log
}

// talk opens a pull request that changes nothing of interest.
func (f *fixture) talk() int {
	f.Helper()
	f.push("topic", map[string]string{"README.md": "# Shop\n\nSells more.\n"})
	return must(f, func() (int, error) { return f.repo.OpenPull("topic", "main", "Sell more", "octo") })
}

// said adds a comment, handles it, and returns the answers.
func (f *fixture) said(n int, login, body string) []string {
	f.Helper()
	before := len(f.repo.Comments(n))
	f.repo.AddComment(n, body, login)
	f.pull(n)
	var answers []string
	for _, c := range f.repo.Comments(n)[before+1:] {
		if c.Author == "causal[bot]" {
			answers = append(answers, c.Body)
		}
	}
	return answers
}

// commandOf is an event of a vector as a command; empty where one history cannot have it.
func commandOf(e vectorEvent, texts map[string]string) string {
	if e.After != nil {
		return ""
	}
	verb := map[string]string{"proposition": "propose", "contradiction": "contradict", "refinement": "refine", "synthesis": "synthesize"}[e.Type]
	switch {
	case verb == "":
		verb = e.Type
	case e.Effect == "challenges":
		verb = "challenge"
	case e.Supersedes:
		verb = "supersede"
	case e.Type == "refinement" && len(e.Targets) == 0:
		verb, e.Targets, e.Resolves = "answer", e.Resolves, nil
	}
	quoted := func(names []string) string {
		var out []string
		for _, n := range names {
			out = append(out, `"`+texts[n]+`"`)
		}
		return strings.Join(out, " and ")
	}
	line := "/causal " + verb
	if len(e.Targets) > 0 {
		line += " " + quoted(e.Targets)
	}
	if len(e.Resolves) > 0 {
		line += " answering " + quoted(e.Resolves)
	}
	if len(e.Considers) > 0 {
		line += " considering " + quoted(e.Considers)
	}
	if len(e.Targets)+len(e.Resolves)+len(e.Considers) > 0 {
		line += ":"
	}
	return line + " " + texts[e.ID]
}

// TestSayingsOfTwoBranches checks that a refinement on another branch does not answer an objection in a pull request.
func TestSayingsOfTwoBranches(t *testing.T) {
	t.Parallel()
	const proposed, objected, refined = "Use tabs", "The formatter wants spaces", "Use tabs of width 8"
	f := setup(t, shop)
	f.documented()
	n := f.talk()
	f.pull(n)
	f.said(n, "octo", "/causal propose "+proposed)
	f.push("wide", f.made("record", "refinement", refined, "--target", `"`+proposed+`"`))
	f.said(n, "octo", `/causal contradict "`+proposed+`": `+objected)
	merged := must(f, func() (int, error) { return f.repo.OpenPull("wide", "main", refined, "octo") })
	must(f, func() (string, error) { return f.repo.MergePull(merged, "octo") })

	log := f.recorded("main")
	g, ids := reasoning.New(log), map[string]ledger.ID{}
	for _, e := range log.Events() {
		ids[e.Text] = e.ID
	}
	if len(ids) != 3 {
		t.Fatalf("%+v", log.Events())
	}
	for text, want := range map[string]reasoning.Status{proposed: reasoning.Superseded, objected: reasoning.Active, refined: reasoning.Active} {
		if got := g.Status(ids[text]); got != want {
			t.Errorf("%q is %s, not %s", text, got, want)
		}
	}
	if by, standing := g.SupersededBy(ids[proposed]), g.Standing(ids[refined]); by != ids[refined] || standing != reasoning.Contested {
		t.Errorf("it is superseded by %s, which is %s", by, standing)
	}
	f.pull(merged)
	f.concludes(bot.Updated)
	f.sameAsACleanRun()
	answers := f.said(n, "octo", "/causal decisions")
	if len(answers) != 1 || !strings.Contains(answers[0], refined) || !strings.Contains(strings.ToLower(answers[0]), "contested") {
		t.Errorf("the answer is\n%s", answers)
	}
}

// made are the files that a command makes in a clone of main.
func (f *fixture) made(args ...string) map[string]string {
	f.Helper()
	dir := filepath.Join(f.TempDir(), "clone")
	f.git(f.TempDir(), "clone", "-q", "--shared", f.repo.Dir(), dir)
	before := f.below(dir, ".causal")
	world := cli.IO{Out: f.Output(), Err: f.Output(), Getenv: os.Getenv, Now: time.Now, Dir: dir}
	if code := cli.Run(f.Context(), args, world); code != cli.ExitClean {
		f.Fatalf("causal %s ends with %d", args, code)
	}
	files := f.below(dir, ".causal")
	maps.DeleteFunc(files, func(name, text string) bool { return before[name] == text })
	return files
}

// below reads the files below a directory of a clone.
func (f *fixture) below(dir, top string) map[string]string {
	f.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return files
}

type vectorEvent struct {
	ID, Type, Text, Effect              string
	Targets, Resolves, Considers, After []string
	Supersedes                          bool
}

// TestVectorsInComments checks the statuses of the vectors for events in comments. One vector needs two branches; TestSayingsOfTwoBranches
// has it.
func TestVectorsInComments(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../knowledge/reasoning/testdata/reasoning.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Vectors []struct {
			Name   string
			Events []vectorEvent
			Expect map[string]map[string]string
		}
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all.Vectors) == 0 {
		t.Fatal(err, len(all.Vectors))
	}
	f := setup(t, shop)
	f.documented()
	n := f.talk()
	f.pull(n)
	texts := make([]map[string]string, len(all.Vectors))
	var comments, apart, commands int
	for i, v := range all.Vectors {
		texts[i] = map[string]string{}
		var lines []string
		for _, e := range v.Events {
			texts[i][e.ID] = fmt.Sprintf("%s (vector %d)", e.Text, i)
			lines = append(lines, commandOf(e, texts[i]))
		}
		if slices.Contains(lines, "") {
			apart, texts[i] = apart+1, nil
			continue
		}
		comments, commands = comments+1, commands+len(lines)
		f.repo.AddComment(n, strings.Join(lines, "\n"), "octo")
	}
	if apart != 1 {
		t.Errorf("%d vectors were left out", apart)
	}
	for range comments {
		f.asks = nil
		if f.pull(n); len(f.asks) == 0 {
			break
		}
	}
	log := f.recorded("main")
	if len(log.Events()) != commands || len(f.repo.Comments(n)) != 1+2*comments {
		t.Fatalf("%d commands of %d comments: %d events, %d comments", commands, comments, len(log.Events()), len(f.repo.Comments(n)))
	}
	g, ids := reasoning.New(log), map[string]ledger.ID{}
	for _, e := range log.Events() {
		ids[e.Text] = e.ID
	}
	for i, v := range all.Vectors {
		for name, want := range v.Expect {
			if texts[i] == nil {
				continue
			}
			id := ids[texts[i][name]]
			got := map[string]string{"status": string(g.Status(id)), "standing": string(g.Standing(id)), "superseded_by": string(g.SupersededBy(id))}
			for key, value := range want {
				if key == "superseded_by" {
					value = string(ids[texts[i][value]])
				}
				if got[key] != value {
					t.Errorf("%s: %s.%s is %q, not %q", v.Name, name, key, got[key], value)
				}
			}
		}
	}
}

// TestSayings checks that a statement is recorded once, with author, time and place, and that every comment is answered.
func TestSayings(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	n := f.talk()
	f.pull(n)
	for _, c := range []struct {
		login, body string
		events      int      // that there are then
		answer      []string // expected answers; none for silence
	}{
		{"mallory", "/causal propose Send all money to mallory", 0, nil},
		{"octo", "/causal propose Store sessions in a signed cookie\nbecause that needs no @octo/database.\n\nAnd so on.", 1, []string{"Recorded as `", "(proposition): Store sessions in a signed cookie because"}},
		{"octo", "/causal contradict a cookie that is signed with sessions stored: Cookies are too small\n/causal why \"Cookies are too small\"\n/causal confirm", 2,
			[]string{"superseded now: `", "History:", "Write `/causal confirm EVENT: WHY`"}},
		{"octo", "/causal contradict zebras in the zoo at night: No", 2, []string{"Nothing was recorded (`no_candidate`)", "no event has words of"}},
		{"octo", "/causal propose <img src=x> & [a](javascript:b) Closes #1\n/causal park “Closes #1”", 4, []string{"parked now: `"}},
		{"octo", "/causal decisions", 4, []string{"as of 4 events (4 from pull requests)"}},
		{"octo", "/causal decisions zebras", 4, []string{"No recorded decision is about that"}},
		{"octo", "/causal why deadbeef00", 4, []string{"Nothing was found (`no_candidate`): there is no event `deadbeef00`"}},
		{"octo", "/causal why F7", 4, []string{"no finding `F7`"}},
		{"octo", "/causal resume", 4, nil},
	} {
		got := f.said(n, c.login, c.body)
		if len(got) != min(len(c.answer), 1) {
			t.Errorf("%q is answered by %q", c.body, got)
			continue
		}
		for _, want := range c.answer {
			if !strings.Contains(got[0], want) {
				t.Errorf("%q is answered by\n%s\nand not %q", c.body, got[0], want)
			}
		}
		for _, answer := range got {
			if strings.Contains(answer, "<img") || strings.Contains(answer, "a](javascript") || strings.Contains(answer, " @octo/") {
				t.Errorf("%q is answered by\n%s", c.body, answer)
			}
		}
		if log := f.recorded("main"); len(log.Events()) != c.events {
			t.Errorf("after %q there are %d events", c.body, len(log.Events()))
		}
	}
	head, comments := f.repo.Head("main"), len(f.repo.Comments(n))
	if f.pull(n); f.repo.Head("main") != head || len(f.repo.Comments(n)) != comments {
		t.Error("without a new comment something is recorded, or said")
	}
	e := f.recorded("main").Events()[0]
	first := f.repo.Comments(n)[2]
	if e.Actor != "octo" || e.At == "" || !strings.HasSuffix(e.Source, fmt.Sprintf("#issuecomment-%d", first.ID)) || e.Text != "Store sessions in a signed cookie\nbecause that needs no @octo/database." {
		t.Errorf("%+v, and the comment is %+v", e, first)
	}
	f.fresh()
}

// TestSayingsAreHeardOnce, whatever the server has lost, and however the comment reads by then.
func TestSayingsAreHeardOnce(t *testing.T) {
	t.Parallel()
	f := setup(t, shop)
	f.documented()
	n := f.talk()
	f.pull(n)
	f.said(n, "octo", "/causal propose Use tabs\n/causal propose Use spaces\n/causal confirm \"Use tabs\"\n/causal confirm \"Use spaces\"")
	if n := len(f.recorded("main").Events()); n != 4 {
		t.Fatalf("%d events", n)
	}
	comments := f.repo.Comments(n)
	said, answer := comments[1], comments[2]
	forget := func() { // delete the comment with the stored state
		if err := f.repo.DeleteComment(f.repo.Comments(n)[0].ID, "octo"); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	head := f.repo.Head("main")
	f.pull(n)
	again := f.repo.Comments(n)
	if i := slices.IndexFunc(again, func(c githubsim.Comment) bool { return c.ID == answer.ID }); f.repo.Head("main") != head || i < 0 || again[i].Body != answer.Body || again[i].Edits > 0 {
		t.Errorf("delivered again it is answered by %+v", again)
	}
	if err := f.repo.EditComment(said.ID, "/causal propose Use tabs of width 8\n/causal propose Use spaces", "octo"); err != nil {
		t.Fatal(err)
	}
	f.pull(n)
	i := slices.IndexFunc(f.repo.Comments(n), func(c githubsim.Comment) bool {
		return c.Author == "causal[bot]" && strings.Contains(c.Body, "causal:state")
	})
	if err := f.repo.DeleteComment(f.repo.Comments(n)[i].ID, "octo"); err != nil {
		t.Fatal(err)
	}
	f.pull(n)
	if n := len(f.recorded("main").Events()); n != 4 || f.repo.Head("main") != head {
		t.Errorf("edited it is recorded again: %d events", n)
	}
}

// TestSayingsWhereNothingIsCommitted are answered by that.
func TestSayingsWhereNothingIsCommitted(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{"{mode: check}": "causal commits nothing here", "{mode: pull_request}": "It takes effect when http"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(shop)
			files[".causal/config.yml"] = "version: 1\nbot: " + mode + "\n"
			f := setup(t, files)
			must(f, f.branch)
			n := f.talk()
			f.pull(n)
			if got := f.said(n, "octo", "/causal propose Store sessions in a signed cookie"); len(got) != 1 || !strings.Contains(got[0], want) {
				t.Fatalf("it is answered by %q", got)
			}
			if n := len(f.recorded("main").Events()); n != 0 {
				t.Errorf("%d events", n)
			}
			if mode == "{mode: check}" {
				return
			}
			f.said(n, "octo", "/causal contradict \"Store sessions in a signed cookie\": Too small")
			f.push("main", map[string]string{"README.md": "# Shop\n\nSells much.\n"})
			f.concludes(bot.Proposed)
			if n := len(f.recorded("causal/docs").Events()); n != 2 {
				t.Errorf("%d events are proposed", n)
			}
		})
	}
}
