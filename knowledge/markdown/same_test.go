package markdown_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// page is one with all that formatters touch.
const page = "---\ntype: Go Package\ngenerated:\n  by: causal\n---\n\n# a\n\n*One* and **two**.\n\n* x\n* y\n\n| a | b |\n|---|---|\n| 1 | long text |\n\n```ts\nconst x = {a: 'b'}\n```\n"

func TestSame(t *testing.T) {
	t.Parallel()
	prettier := "---\ntype: Go Package\ngenerated: { by: causal }\n---\n\n# a\n\n_One_ and **two**.\n\n- x\n- y\n\n| a   | b         |\n| --- | --------- |\n| 1   | long text |\n\n```ts\nconst x = { a: \"b\" };\n```\n"
	for name, c := range map[string]struct {
		other string
		same  bool
	}{
		"equal":                          {page, true},
		"prettier":                       {prettier, true},
		"line ends of Windows":           {crlf(page), true},
		"a word":                         {replace(page, "two", "three"), false},
		"emphasis":                       {replace(page, "**two**", "two"), false},
		"a cell":                         {replace(page, "| 1 |", "| 2 |"), false},
		"code":                           {replace(page, "const x", "let x"), false},
		"front matter":                   {replace(page, "Go Package", "Command"), false},
		"a heading":                      {replace(page, "# a", "## a"), false},
		"a link":                         {replace(page, "*One*", "[One](x.md)"), false},
		"a megabyte":                     {page + strings.Repeat("[", 1<<20), false},
		"columns aligned to a long cell": {replace(page, "| 1 |", "| 1"+strings.Repeat(" ", 1<<12)+"|"), true},
		"a union of types, one a line":   {replace(page, "const x = {a: 'b'}", "const x = | {a: 'b'}"), true},
		"aliases":                        {"---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n" + page, false},
	} {
		if got := markdown.Same(page, c.other); got != c.same {
			t.Errorf("%s: same is %t", name, got)
		}
	}
}

// TestSameWrapped: where lines are wrapped beside Chinese, there was no blank.
func TestSameWrapped(t *testing.T) {
	t.Parallel()
	if !markdown.Same("See 中国.icom now.\n", "See 中国\n.icom\nnow.\n") {
		t.Error("a wrapped line differs")
	}
	if markdown.Same("See it now.\n", "See itnow.\n") {
		t.Error("two words are one")
	}
}

func replace(text, old, with string) string { return strings.Replace(text, old, with, 1) }

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
