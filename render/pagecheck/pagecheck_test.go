package pagecheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/costtest"
	"github.com/causaldocs/causal/knowledge/markdown"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

func files(names ...string) func(string) bool {
	return func(path string) bool { return slices.Contains(names, path) }
}

// found shows problems as "page:line: what".
func found(problems []Problem) []string {
	out := []string{}
	for _, p := range problems {
		if p.Mend == "" {
			out = append(out, "no mend for "+p.What)
		}
		out = append(out, fmt.Sprintf("%s:%d: %s", p.Page, p.Line, p.What))
	}
	return out
}

func TestCheckOnePage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, page string
		want       []string
	}{
		{"good page", "---\ntype: Go Package\ntags: [a, b]\nsources:\n  - {id: a, resource: b}\n  - c\ngenerated: {by: causal, at: 2026-02-18T09:12:44Z}\nx: 1\n---\n\n# A `b_c` *d*\n\n[x](#a-b_c-d) [y](../../main.go#L3) [z](other.md#two-1) <https://x.y> [w](https://x.y/nowhere#z)\n", nil},
		{"missing file", "[x](nowhere.md)\n", []string{"docs/p/a.md:1: the link to nowhere.md leads nowhere: there is no docs/p/nowhere.md"}},
		{"missing anchor", "\n[x](#nowhere)\n", []string{`docs/p/a.md:2: the link to #nowhere leads nowhere: docs/p/a.md has no anchor "nowhere"`}},
		{"missing anchor elsewhere", "text\nmore [x](other.md#three)\n", []string{`docs/p/a.md:2: the link to other.md#three leads nowhere: docs/p/other.md has no anchor "three"`}},
		{"image", "![x](no.png)\n", []string{"docs/p/a.md:1: the link to no.png leads nowhere: there is no docs/p/no.png"}},
		{"link in code is text", "`[x](no.md)` and ``a ` [x](no.md)``\n\n```go\n[x](no.md)\n```\n", nil},
		{"backticks in items", "- a ` [x](no.md)\n- b ` c\n  2. d ` [y](no.md)\n", []string{
			"docs/p/a.md:1: the link to no.md leads nowhere: there is no docs/p/no.md", "docs/p/a.md:3: the link to no.md leads nowhere: there is no docs/p/no.md"}},
		{"escaped brackets", "\\[x\\](no.md) a\\[0\\]\\[1\\]\n", nil},
		{"encoded path", "[x](a%20b%28c%29.md)\n", nil},
		{"bad encoding", "[x](a%zz.md)\n", []string{"docs/p/a.md:1: the link to a%zz.md is not encoded correctly"}},
		{"outside", "[x](../../../x.md)\n", []string{"docs/p/a.md:1: the link to ../../../x.md leaves the repository"}},
		{"from the root", "[x](/main.go)\n", nil},
		{"scheme", "[x](javascript:alert)\n", []string{"docs/p/a.md:1: the link to javascript:alert has a scheme that is not shown"}},
		{"explicit anchor", "<a id=\"Here\"></a>\n\n[x](#Here) [y](#here)\n", []string{`docs/p/a.md:3: the link to #here leads nowhere: docs/p/a.md has no anchor "here"`}},
		{"anchor twice", "<a id=\"x\"></a>\n\n<a id=\"x\"></a>\n", []string{`docs/p/a.md:3: anchor "x" comes twice`}},
		{"HTML link", "<a href=\"no.md\">x</a>\n", []string{"docs/p/a.md:1: the link to no.md leads nowhere: there is no docs/p/no.md"}},
		{"repeated heading", "# One\n\n# One\n\n[x](#one-1) [y](#one-2)\n", []string{`docs/p/a.md:5: the link to #one-2 leads nowhere: docs/p/a.md has no anchor "one-2"`}},
		{"open fence", "```go\nx\n", []string{"docs/p/a.md:1: the fence is not closed"}},
		{"good diagram", "```mermaid\nflowchart LR\n  n1[\"a\"] --> n2[\"b\"]\n```\n", nil},
		{"bad diagram", "text\n\n```mermaid\nflowchart LR\n  end --> n2\n```\n", []string{"docs/p/a.md:3: the diagram does not parse: line 2: \"end --> n2\" is not known here"}},
		{"keep blocks", "<!-- causal:keep a -->\n# B\n[x](no.md)\n```mermaid\npie\n```\n<!-- /causal:keep -->\n[y](no.md) [z](#b)\n", []string{
			"docs/p/a.md:8: the link to no.md leads nowhere: there is no docs/p/no.md"}},
		{"open fence in a keep block", "<!-- causal:keep a -->\n```\n<!-- /causal:keep -->\n", []string{"docs/p/a.md:2: the fence is not closed"}},
		{"keep marker in code", "```html\n<!-- causal:keep a -->\n```\n", nil},
		{"open comment", "<!-- note\n", []string{"docs/p/a.md:1: the comment is not closed"}},
		{"other comment", "<!-- note\n[x](no.md)\n-->\n", nil},
		{"CRLF", "# One\r\n\r\n[x](#one)\r\n", nil},
		{"empty page", "", nil},
	}
	exists := files("main.go", "docs/p/a b(c).md")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pages := []Page{{"docs/p/a.md", []byte(test.page)}, {"docs/p/other.md", []byte("# Two\n\n## Two\n")}}
			got := found(Check(pages, exists))
			if len(got) != len(test.want) {
				t.Fatalf("got %q, want %q", got, test.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], test.want[i]) {
					t.Errorf("got %q, want %q", got[i], test.want[i])
				}
			}
		})
	}
}

// TestRenderedTextHasNoLinks proves that what package markdown makes of a comment never gives this package a link to
// follow, an anchor, or a marker.
func TestRenderedTextHasNoLinks(t *testing.T) {
	t.Parallel()
	pieces := []string{"[a](b.md)", "[x][y]", "[^1]", "\n# H\n", "<a id=\"x\">", "<!-- causal:keep x -->", "\n```mermaid\nx\n```\n", "\n\n", " word ", "`", "```\n", "\n- ", "@param x ", "\n---\n", "https://x.y/[z](a.md)", "\\", "<pre>", "![a](b)"}
	rapid.Check(t, func(t *rapid.T) {
		doc := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "doc"), "")
		for _, lang := range []string{"go", "python", "typescript", "java", "rust", "cpp", ""} {
			if got := found(Check([]Page{{"a.md", []byte(markdown.Text(doc, lang) + "\n")}}, files())); len(got) > 0 {
				t.Fatalf("%s: %q of %q", lang, got, doc)
			}
		}
	})
}

// TestHeadingTextIsWhatMarkdownShows compares the text of headings with that of a Markdown processor.
func TestHeadingTextIsWhatMarkdownShows(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"`Amount`": "amount", "Type `Map[K, V]`": "type-mapk-v", "a *b* **c**": "a-b-c", "snake_case_name": "snake_case_name", "_x_ y": "x-y",
		"[`Foo`](x.md#y) bar": "foo-bar", `\<T> \_x\_`: "t-_x_", "Über Größe": "über-größe", "日本語": "日本語", "a &amp; b": "a--b", "C++ & C#": "c--c",
		"1. First: `go test ./...`": "1-first-go-test-", "Emoji 🎉 here": "emoji--here", "<a id=\"x\"></a>Title": "title",
	}
	for heading, want := range tests {
		s := scanPage(Page{"a.md", []byte("## " + heading + "\n")})
		if !s.anchors[want] {
			t.Errorf("heading %q gives %v, want %q", heading, s.anchors, want)
		}
		src := []byte("## " + heading + "\n")
		node := goldmark.DefaultParser().Parse(gmtext.NewReader(src)).FirstChild()
		if node.Kind() != ast.KindHeading {
			t.Errorf("%q is no heading", heading)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"---\ntitle: x\n---\n# A\n[x](#a)", "```mermaid\nflowchart LR\na-->b\n```", "<!-- causal:keep a -->\n[a][b]\n<!-- /causal:keep -->", "a\n===\n`[x](y)`", "---\na: &a [*a, *a]\n---\n"} {
		f.Add(s)
	}
	f.Add("```mermaid")
	f.Fuzz(func(t *testing.T, page string) {
		costtest.Hold(t, []byte(page), func(page []byte) { Check([]Page{{"a.md", page}}, files()) })
		lines := strings.Count(page, "\n") + 1
		for _, p := range Check([]Page{{"a.md", []byte(page)}}, files()) {
			if p.Line < 1 || p.Line > lines || p.What == "" || p.Mend == "" {
				t.Fatalf("problem %+v of %q", p, page)
			}
		}
	})
}

// benchPages makes n pages of about 10 KB that link to one another.
func benchPages(n int) []Page {
	pages := make([]Page, 0, n)
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntype: Go Package\ntitle: m%d\ntags: [go]\n---\n\n# m%d\n\n```mermaid\nflowchart LR\n  n0[\"a\"] --> n1[\"b\"]\n```\n\n", i, i)
		for j := 0; b.Len() < 10_000; j++ {
			fmt.Fprintf(&b, "### `Symbol%d`\n\nReads an *amount* in `large` units, see [other](m%d.md#symbol0). Text of a usual length follows here.\n\n```go\nfunc Symbol%d(s string) (Amount, error)\n```\n\n", j, (i+1)%n, j)
		}
		pages = append(pages, Page{fmt.Sprintf("docs/m%d.md", i), []byte(b.String())})
	}
	return pages
}

func BenchmarkCheck1000Pages(b *testing.B) {
	pages := benchPages(1000)
	for b.Loop() {
		if problems := Check(pages, files()); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}
