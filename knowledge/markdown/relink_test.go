package markdown_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// TestWords: a line of Escape shows the words that were escaped.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, words := range []string{
		"plain words", "item 3: invalid operation: <nil> > int (1:8)", ".causal/skills/list.yml:6: step a_b: *x* & __y__", "a `code` span, a@b.c and #12",
		"https://example.com/x and $HOME [a](b)", "1. one", "# no heading", `back\slash \* "quoted"`, "First sentence. Second one! Third?",
	} {
		if got := markdown.Words(markdown.Escape(words)); got != words {
			t.Errorf("%q: got %q from %q", words, got, markdown.Escape(words))
		}
	}
}

func TestRelink(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"[a](/b.md) ![c](/d.png \"t\")\n":          "[a](X/b.md) ![c](X/d.png \"t\")\n",
		"[a](</b.md>) and [`c`](/d)":               "[a](<X/b.md>) and [`c`](X/d)",
		"[a]: /b.md\n[c]: </d>\n":                  "[a]: X/b.md\n[c]: <X/d>\n",
		"<a href=\"/b.md\"><img src='/c.png'></a>": "<a href=\"X/b.md\"><img src='X/c.png'></a>",
		"`[a](/b)` [c](/d) ``[e](/f)`` `x":         "`[a](/b)` [c](X/d) ``[e](/f)`` `x",
		"\\`[a](/b) `c`":                           "\\`[a](X/b) `c`",
		"```\n[a](/b)\n```\n[c](/d)\n":             "```\n[a](/b)\n```\n[c](X/d)\n",
		"text with /paths (/b) and [brackets]":     "text with /paths (/b) and [brackets]",
	} {
		if got := markdown.Relink(page, func(to string) string { return "X" + to }); got != want {
			t.Errorf("%q: got %q, want %q", page, got, want)
		}
	}
	if page := "x " + strings.Repeat("`", 1000); markdown.Relink(page+"[a](b)", strings.ToUpper) != page+"[a](B)" {
		t.Error("backticks without an end hide a link")
	}
}
