package hostile_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim"
	_ "github.com/causaldocs/causal/app/githubsim/openapi/contract" // validates every request with GitHub's OpenAPI description
	"github.com/causaldocs/causal/app/proof/hostile"
	"github.com/causaldocs/causal/app/sandbox"
)

// hostileFiles returns one file for each hostile name. It has an exported function, a function with an outdated comment, and hostile texts in
// comments.
func hostileFiles(parameter, name string) map[string]string {
	files, texts := map[string]string{}, hostile.Texts()
	for i, c := range hostile.Names() {
		said := oneOf(texts[i%len(texts)].Text)
		said = said[:min(len(said), 1000)]
		files["money/"+strings.ReplaceAll(c.Text, "/", "")+".go"] = fmt.Sprintf(
			"package money\n\n// F%d is %s\nfunc F%d(%s) {} // %s\n\n// g%d is %s\nfunc %s%d() {}\n", i, said, i, parameter, said, i, said, name, i)
	}
	return files
}

// TestReviewOfStrangeNames checks that conversations, comments, check runs and answers to commands show hostile file names, branches,
// titles and source lines as plain text.
func TestReviewOfStrangeNames(t *testing.T) {
	long(t)
	t.Parallel()
	b := startServer(t, sandbox.DefaultLimits())
	t.Cleanup(func() {
		for _, v := range b.sim.Violations() {
			t.Errorf("outside of GitHub's description: %s", v)
		}
	})
	before := hostileFiles("s string", "g")
	before[".causal/config.yml"] = "review: {comments: 30}\n"
	push := func(branch string, files map[string]string) string {
		t.Helper()
		head, err := b.repo.Push(branch, githubsim.Change{Write: files, Message: "Fixes #1 @octocat\n\n[skip ci]"})
		if err != nil {
			t.Fatal(err)
		}
		return head
	}
	base := push("main", before)
	b.told([]string{base})
	const branch = "-x;$(touch${IFS}x)/<b>`@octocat`-->fixes#1"
	head := push(branch, hostileFiles("s, t string", "h"))
	n, err := b.repo.OpenPull(branch, "main", "<!-- causal:state x -->\u202e fixes #1 @octocat </details>```", "octo")
	if err != nil {
		t.Fatal(err)
	}
	run := b.told([]string{head})[0]
	ask := make([]string, 20)
	for i := range ask {
		ask[i] = fmt.Sprintf("/causal explain F%d", i+1)
	}
	b.repo.AddComment(n, strings.Join(ask, "\n"), "octo")
	b.eventually("the questions are answered", func() bool { return len(b.repo.Comments(n)) == 3 })
	texts := map[string]string{"the title of the check": run.Title, "its summary": run.Summary, "its text": run.Text}
	for i, c := range b.repo.Comments(n) {
		if c.Author != "octo" {
			texts[fmt.Sprint("comment ", i)] = c.Body
		}
	}
	threads := b.repo.Threads(n)
	for i, c := range threads {
		texts[fmt.Sprint("conversation ", i)] = c.Comments[0].Body
		if _, known := before[c.Path]; !known {
			t.Errorf("a conversation about %q", c.Path)
		}
	}
	if len(threads) < 5 || !strings.Contains(run.Title, " finding") {
		t.Errorf("%d conversations, and the check says %s", len(threads), run.Title)
	}
	for what, text := range texts {
		if problem := visible("", text) + within(65_535)("", text) + onlyText("", b.withoutOurs(text)); problem != "" {
			t.Errorf("%s: %s in\n%.3000q", what, problem, text)
		}
	}
	for _, a := range run.Annotations {
		if problem := visible("", a.Title+a.Message); problem != "" {
			t.Errorf("an annotation: %s: %+v", problem, a)
		}
	}
}

// tooMuch matches the note about omitted text.
var tooMuch = regexp.MustCompile(`(?m)^_… .*GitHub.*_$`)

// withoutOurs removes the server's markers and omission notes from a text, and makes its links look like foreign ones.
func (b *testServer) withoutOurs(text string) string {
	var out []string
	for line := range strings.SplitSeq(tooMuch.ReplaceAllString(text, ""), "\n") {
		if !strings.HasPrefix(line, "<!-- causal:") || !strings.HasSuffix(line, " -->") {
			out = append(out, line)
		}
	}
	const elsewhere = "https://evil.example"
	return strings.NewReplacer(b.sim.URL(), elsewhere, b.server.URL(), elsewhere).Replace(strings.Join(out, "\n"))
}
