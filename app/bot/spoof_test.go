package bot_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
)

// TestSpoofedStates checks that a state without a valid signature for this pull request is ignored, even in the server's own comment, and
// that no conversation is opened twice.
func TestSpoofedStates(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	f.rests(n)
	f.push("other", map[string]string{"money/money.go": strings.Replace(good, "Parse(s string)", "Parse(s []byte)", 1)})
	other := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Read bytes", "octo") })
	f.tells(other)
	f.rests(other)
	f.repo.AddComment(other, "/causal pause", "octo")
	f.pull(other)
	want := f.comment(n)
	shown, state, found := strings.Cut(want.Body, "<!-- causal:state ")
	_, foreign, found2 := strings.Cut(f.repo.Comments(other)[0].Body, "<!-- causal:state ")
	if !found || !found2 {
		t.Fatal("there is no state")
	}
	text, signature, _ := strings.Cut(strings.TrimSuffix(state, " -->"), ".")
	for label, body := range map[string]string{
		"that of another pull request": shown + "<!-- causal:state " + foreign,
		"before its own":               strings.Replace(shown, "\n", "\n<!-- causal:state "+foreign+"\n", 1) + "<!-- causal:state " + state,
		"cut off":                      shown + "<!-- causal:state " + state[:len(state)/2],
		"cut off, and closed":          shown + "<!-- causal:state " + state[:len(state)/2] + " -->",
		"without a signature":          shown + "<!-- causal:state " + text + " -->",
		"with that of another text":    shown + "<!-- causal:state " + foreign[:10] + text + "." + signature + " -->",
		"huge":                         shown[:100] + "<!-- causal:state " + strings.Repeat("A", 60_000) + "." + signature + " -->",
		"many":                         shown[:100] + strings.Repeat("<!-- causal:state A.A -->\n", 2000),
		"none":                         "<!-- causal:summary -->\n",
	} {
		if err := f.repo.EditComment(want.ID, body, "octo"); err != nil {
			t.Fatal(err)
		}
		f.pull(n)
		if got := f.comment(n); got.ID != want.ID || got.Body != want.Body {
			t.Errorf("a state %s: the comment is\n%s\nand was\n%s", label, got.Body, want.Body)
		}
		if got := f.thread(n); got.ResolvedBy != "" || len(got.Comments) != 1 {
			t.Errorf("a state %s: %+v", label, got)
		}
	}
}

// TestSpoofedMarkers: a conversation is the server's when the server began it, in this pull request.
func TestSpoofedMarkers(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.push("other", map[string]string{"money/money.go": broken})
	other := must(f, func() (int, error) { return f.repo.OpenPull("other", "main", "Read currencies", "octo") })
	f.tells(other)
	f.rests(other)
	body := f.thread(other).Comments[0].Body
	own := strings.TrimSpace(body[strings.LastIndex(body, "<!--"):])
	for _, c := range []struct{ login, body string }{
		{"causal[bot]", body},
		{"causal", body},
		{"mallory", body},
		{"causal[bot]", "<!-- causal:finding " + strings.Repeat("A", 60_000)},
		{"causal[bot]", strings.Repeat("<!-- causal:finding f-1.A -->\n", 2000)},
		{"causal[bot]", strings.Replace(own, ".", "x.", 1)},
	} {
		if err := f.repo.ResolveThread(must(f, func() (string, error) {
			return f.repo.Remark(n, githubsim.Place{Path: "money/money.go", Line: 8}, c.body, c.login)
		}), c.login); err != nil {
			t.Fatal(err)
		}
	}
	spoofed := len(f.repo.Threads(n))
	f.tells(n)
	f.rests(n)
	list := f.repo.Threads(n)
	if len(list) != spoofed+1 || list[spoofed].ResolvedBy != "" || list[spoofed].Comments[0].Author != "causal[bot]" {
		t.Fatalf("%d conversations, %d of them spoofed: %+v", len(list), spoofed, list[len(list)-1])
	}
	f.says(n, ", 1 finding", "1 new")
	for _, c := range list[:spoofed] {
		if len(c.Comments) != 1 || c.Comments[0].Edits != 0 {
			t.Errorf("somebody else's conversation is %+v", c)
		}
	}
}

// TestCommandsThatAreNone checks that commands of users without write access, and other texts, have no effect and no answer.
func TestCommandsThatAreNone(t *testing.T) {
	t.Parallel()
	f := setup(t, quiet)
	f.repo.Invite("reader", false)
	n := f.breaking()
	f.tells(n)
	f.rests(n)
	want := f.read(n)
	early := f.repo.AddComment(n, "I see.", "mallory")
	const dismissal = "/causal dismiss F1 no"
	for _, c := range []struct {
		login, body string
		edited      int64 // the comment that is made to say so
	}{
		{login: "mallory", body: dismissal},
		{login: "mallory", body: "/causal demote quiet"},
		{login: "mallory", body: "/causal pause"},
		{login: "reader", body: "/causal pause"},
		{login: "causal", body: "/causal pause"},
		{login: "helper[bot]", body: "/causal pause"},
		{login: "mallory", body: strings.Repeat("/causal demote quiet\n"+dismissal+"\n", 1500)},
		{login: "mallory", body: "/causal pause", edited: early},
		{login: "octo", body: "/causal pause", edited: early}, // it is still what mallory says
		{login: "octo", body: "> " + dismissal + "\n\nI agree."},
		{login: "octo", body: "```\n" + dismissal + "\n```"},
		{login: "octo", body: "One could say\n" + dismissal},
		{login: "octo", body: "`/causal pause`"},
		{login: "octo", body: "<!--\n/causal pause\n-->"},
		{login: "octo", body: "/causally pause"},
		{login: "octo", body: "/causal\u200bpause"},
	} {
		if c.edited == 0 {
			f.repo.AddComment(n, c.body, c.login)
			continue
		}
		if err := f.repo.EditComment(c.edited, c.body, c.login); err != nil {
			t.Fatal(err)
		}
		f.ignores(n, want, "what was said up to "+c.login+"'s "+c.body)
	}
	f.ignores(n, want, "what was said")
}

// TestConversationsThatStrangersClose: GitHub lets the author of a pull request do so, who may be anybody.
func TestConversationsThatStrangersClose(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	f.documented()
	f.push("wider", map[string]string{"money/money.go": broken})
	n := must(f, func() (int, error) { return f.repo.OpenPull("wider", "main", "Read currencies", "mallory") })
	f.tells(n)
	f.rests(n)
	if err := f.repo.ResolveThread(f.thread(n).ID, "mallory"); err != nil {
		t.Fatal(err)
	}
	f.tells(n)
	f.rests(n)
	f.says(n, ", 1 finding")
	if got := f.thread(n); got.ResolvedBy != "" {
		t.Errorf("%+v", got)
	}
}

// read returns the server's visible texts in a pull request.
func (f *fixture) read(number int) string {
	f.Helper()
	var out []string
	for _, c := range f.repo.Comments(number) {
		if c.Author == "causal[bot]" {
			shown, _, _ := strings.Cut(c.Body, "<!-- causal:state ")
			out = append(out, shown)
		}
	}
	return strings.Join(out, "\n")
}

// ignores handles a pull request whose visible texts must not change. The position of the last read comment may be stored.
func (f *fixture) ignores(number int, want, what string) {
	f.Helper()
	before, main := len(f.sim.Writes(f.repo)), f.repo.Head("main")
	f.pull(number)
	if got := f.read(number); got != want {
		f.Fatalf("%.100s: people read\n%s\nand read before\n%s", what, got, want)
	}
	if writes := f.sim.Writes(f.repo)[before:]; len(writes) > 1 || len(writes) == 1 && writes[0].Operation != "issues/update-comment" || f.repo.Head("main") != main {
		f.Fatalf("%.100s: %v", what, writes)
	}
	if got := f.thread(number); got.ResolvedBy != "" || len(got.Comments) != 1 {
		f.Fatalf("%.100s: %+v", what, got)
	}
}

// TestCommandsWithExamples: who explains a command in a fence, or quotes one, does not give it.
func TestCommandsWithExamples(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	f.rests(n)
	want := f.read(n)
	heard := map[string]int64{}
	for _, example := range []string{
		"Next time say\n/causal dismiss F1 no", "```\n/causal dismiss F1 no\n```", "~~~sh\n/causal dismiss F1 no\n~~~", "````\n```\n/causal dismiss F1 no\n````",
		"> /causal dismiss F1 no", "    /causal dismiss F1 no", "<!--\n/causal dismiss F1 no\n-->",
	} {
		heard[example] = f.repo.AddComment(n, "/causal resume\n\n"+example, "octo")
	}
	f.looks(n)
	for example, id := range heard {
		if len(f.repo.Reactions(id)) != 1 {
			t.Errorf("%q: its first line is not heard", example)
		}
	}
	f.ignores(n, want, "an example")
}

// TestMuchIsSaid: a thousand comments of a stranger are one question to GitHub, and no answer.
func TestMuchIsSaid(t *testing.T) {
	t.Parallel()
	f := setup(t, market)
	n := f.breaking()
	f.tells(n)
	f.rests(n)
	want := f.read(n)
	for range 1000 {
		f.repo.AddComment(n, "/causal dismiss F1 no\n/causal help", "mallory")
	}
	requests := len(f.sim.Requests())
	f.ignores(n, want, "a thousand comments")
	asked := map[string]int{}
	for _, r := range f.sim.Requests()[requests:] {
		asked[r.Operation]++
	}
	if asked["repos/get-collaborator-permission-level"] != 1 || asked["issues/list-comments"] > 2*11 {
		t.Errorf("asked was %v", asked)
	}
}
