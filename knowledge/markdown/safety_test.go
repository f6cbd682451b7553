package markdown

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	gmtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/costtest"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

var allLanguages = []string{"go", "python", "typescript", "java", "rust", "cpp", "markdown", "fortran"}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// reference is what GitHub would make a link or a picture of, were it outside code.
var reference = regexp.MustCompile(`(?i)@[a-z0-9]|#[0-9]|gh-[0-9]|:[a-z0-9_+-]+:|\$\S+\$`)

// audit says what is unsafe about Markdown, or "".
func audit(md string) string {
	if !utf8.ValidString(md) {
		return "invalid UTF-8"
	}
	if strings.TrimSpace(md) != md {
		return "blanks at an end"
	}
	if m := forged.FindString(md); m != "" {
		return "forged marker"
	}
	for _, r := range md {
		if Hidden(r) {
			return fmt.Sprintf("hidden character %U", r)
		}
	}
	src := []byte(md + "\n\nsentinel\n")
	doc := gfm.Parser().Parse(gmtext.NewReader(src))
	if last := doc.LastChild(); last.Kind() != ast.KindParagraph || string(last.Lines().Value(src)) != "sentinel\n" && string(last.Lines().Value(src)) != "sentinel" {
		return "an open block swallows what follows"
	}
	problem := ""
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && problem == "" {
			problem = auditNode(n, src)
		}
		return ast.WalkContinue, nil
	})
	return problem
}

func auditNode(n ast.Node, src []byte) string {
	switch n := n.(type) {
	case *ast.Heading, *ast.ThematicBreak, *ast.HTMLBlock, *ast.RawHTML, *ast.Image, *ast.CodeBlock,
		*extast.FootnoteLink, *extast.FootnoteList, *extast.Strikethrough, *extast.TaskCheckBox:
		if raw, ok := n.(*ast.RawHTML); ok && ownTag.Match(raw.Segments.Value(src)) {
			return ""
		}
		return n.Kind().String()
	case *ast.Link:
		if dest := string(n.Destination); !strings.HasPrefix(strings.ToLower(dest), "http") {
			return "link to " + dest
		}
	case *ast.AutoLink:
		if dest := string(n.URL(src)); !strings.HasPrefix(dest, "http") || crossReference.MatchString(dest) {
			return "autolink to " + dest
		}
	case *ast.FencedCodeBlock:
		if acting[string(n.Language(src))] {
			return "acting fence"
		}
	case *ast.Text:
		parent := n.Parent().Kind()
		if parent == ast.KindCodeSpan || parent == ast.KindLink || n.SoftLineBreak() && parent != ast.KindParagraph {
			return ""
		}
		return auditText(string(n.Segment.Value(src)), inCode(n, src))
	}
	return ""
}

// inCode reports whether text stands in code that is written in HTML. GitHub makes no references there.
func inCode(n ast.Node, src []byte) bool {
	for n = n.PreviousSibling(); n != nil; n = n.PreviousSibling() {
		if tag, ok := n.(*ast.RawHTML); ok {
			return string(tag.Segments.Value(src)) == "<code>"
		}
	}
	return false
}

// ownTag matches the HTML that code is written in where backticks do not do, named the names of single characters.
var (
	ownTag   = regexp.MustCompile(`^</?code>$`)
	numbered = regexp.MustCompile(`&(#[0-9]+|lt|amp);`)
)

// auditText looks at source text that Markdown shows as it is.
func auditText(s string, code bool) string {
	if m := reference.FindString(numbered.ReplaceAllStringFunc(s, html.UnescapeString)); m != "" && !code {
		return "reference " + m
	}
	for i := range len(s) {
		if s[i] == '<' || s[i] == '{' && (i == 0 || s[i-1] != '\\') {
			return "bare " + s[i:i+1]
		}
	}
	return ""
}

func check(t interface{ Fatalf(string, ...any) }, doc string) {
	for _, lang := range allLanguages {
		out := Text(doc, lang)
		if problem := audit(out); problem != "" {
			t.Fatalf("%s: %s\ndoc: %q\nout: %q", lang, problem, doc, out)
		}
		line := Summary(doc, lang)
		if strings.Contains(line, "\n") {
			t.Fatalf("%s: summary of %q has more than one line: %q", lang, doc, line)
		}
		if problem := audit(line); problem != "" {
			t.Fatalf("%s: summary: %s\ndoc: %q\nout: %q", lang, problem, doc, line)
		}
		checkRow(t, line)
		if plain := Plain(doc, lang); strings.ContainsAny(plain, "\n\t") || utf8.RuneCountInString(plain) > summaryRunes {
			t.Fatalf("%s: plain %q of %q", lang, plain, doc)
		}
	}
	if problem := audit(Escape(doc)); problem != "" {
		t.Fatalf("Escape: %s\ndoc: %q\nout: %q", problem, doc, Escape(doc))
	}
	checkShown(t, doc)
}

// checkRow puts a line into a table and counts the cells that come out.
func checkRow(t interface{ Fatalf(string, ...any) }, line string) {
	src := []byte("| a | b |\n|---|---|\n| " + Cell(line) + " | end |\n")
	doc := gfm.Parser().Parse(gmtext.NewReader(src))
	rows := doc.FirstChild()
	if rows.NextSibling() != nil || rows.Kind() != extast.KindTable || rows.ChildCount() != 2 {
		t.Fatalf("line %q breaks its table", line)
	}
	last := rows.LastChild().LastChild()
	if rows.LastChild().ChildCount() != 2 || string(last.FirstChild().(*ast.Text).Segment.Value(src)) != "end" {
		t.Fatalf("line %q moves its neighbour", line)
	}
}

// checkShown renders escaped words and compares what a reader sees with what was meant.
func checkShown(t interface{ Fatalf(string, ...any) }, doc string) {
	md := Escape(doc)
	src := []byte(md)
	var shown strings.Builder
	_ = ast.Walk(gfm.Parser().Parse(gmtext.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Text:
				value := n.Segment.Value(src)
				if n.Parent().Kind() != ast.KindCodeSpan {
					value = unescapeSource(value)
				}
				shown.Write(value)
			case *ast.AutoLink:
				shown.Write(n.Label(src))
			}
		}
		return ast.WalkContinue, nil
	})
	strip := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if want := disarm(squeeze(clean(doc))); strip(shown.String()) != strip(want) {
		t.Fatalf("Escape(%q) = %q shows %q", doc, md, shown.String())
	}
}

func unescapeSource(s []byte) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(asciiPunct, s[i+1]) >= 0 {
			i++
		} else if name := numbered.Find(s[i:]); s[i] == '&' && name != nil && bytes.HasPrefix(s[i:], name) {
			out = append(out, html.UnescapeString(string(name))...)
			i += len(name) - 1
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// pieces are what hostile comments are made of.
var pieces = []string{
	"\n", "\n\n", "\n    ", "\n  ", "\t", " ", "a", "word", "Foo", "x_y", "__init__", "*", "**", "_", "~~", "`", "``", "```", "\n```go\n", "\n~~~\n",
	"\n```mermaid\n", "[", "]", "(", ")", "[a](b)", "![i](http://x.y/z)", "[^1]", "\n[^1]: note", "\n[a]: http://x.y\n", "<", ">", "<b>", "</b>", "<p>", "<pre>", "</pre>",
	"<ul><li>", "</ul>", "<code>", "</code>", "<script>alert(1)</script>", "<!--", "-->", "<!-- causal:keep x -->", "<!--\n/causal:keep", "<a href=\"javascript:x\">", "<a href='http://x.y'>",
	"@user", "@org/team", "#12", "GH-12", "o/r#1", "a@b.c", "www.x.y", "http://x.y", "https://x.y/a_(b)*c", "ftp://x.y", "mailto:a@b.c", "https://github.com/a/b/issues/1",
	"|", "\n|---|\n", "\n| a | b |\n|---|:-:|\n| c | d |\n", "\n---\n", "\n===\n", "\n# H\n", "\n- ", "\n1. ", "\n> ", "\n* * *\n", "+", "-", ":--", "&amp;", "&lt;b&gt;", "&#64;user", "{", "}", "{{ x }}", "{% y %}",
	"{@code ", "{@link X#y z}", "\n@param x ", "\n@return ", "\n@example\n", "\n@see ", "\\brief ", "\\c ", "\\code\n", "\\endcode\n", "\\f$", "\\", "\n:param x: ", "\n.. note:: ", "::\n\n    ", "\n>>> ", "\nArgs:\n    x: ",
	"\nParameters\n----------\n", "$x$", "$$", ":+1:", ":::", "\nimport x", "\nexport y", "\r", "\r\n", "\x00", "\x1b", "\u202e", "\u200b", "\u200d", "\ufeff", "\xff", "é", "日本", "🎉", "!", "?", ". ", "…",
	"0123456789abcdef0123456789abcdef01234567", "deadbeef1", "\U000E0041", "\u2028", "\u00a0", "\u3000", "\"", "'", ";", "=", "<https://x.y>", "<a@b.c>", ":foo:`x`", "`t <http://x.y>`_", "\n+---+\n",
	"\uFDD00\uFDD0", "\uFDD17\uFDD1", "[a][b]", "**b**", "2**", "<table><tr><td>", "<th>", "</table>", "<caption>", "\n| x", "\n====  ====\n", "\n+--+--+\n| a | b |\n+--+--+\n",
	"\n!!! note \"", "\n.. attribute:: x\n    :type: y\n\n    ", "\n.. versionadded:: ", "\n:type x: ", "{@return ", "{@value ", "@summary ", "\n@throws ", "\n@param {a} [b=c] ", " \\code ", " \\endcode ", " \\param ",
}

func TestAnythingIsSafe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		check(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 14).Draw(t, "doc"), ""))
	})
}

func FuzzText(f *testing.F) {
	for i, p := range pieces {
		f.Add(p + pieces[(i*7+3)%len(pieces)] + "x" + pieces[(i*13+5)%len(pieces)])
	}
	f.Fuzz(func(t *testing.T, doc string) {
		check(t, doc)
		costtest.Hold(t, []byte(doc), func(doc []byte) { Read(string(doc), "").Text() })
	})
}

func TestCodeHoldsAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 10).Draw(t, "code"), "")
		if problem := audit(Code(s)); problem != "" {
			t.Fatalf("Code(%q) = %q: %s", s, Code(s), problem)
		}
		checkRow(t, Cell(Code(s)))
		if problem := audit(Fence("go", s)); problem != "" {
			t.Fatalf("Fence(%q): %s", s, problem)
		}
		if Cell(Cell(s)) != Cell(s) {
			t.Fatalf("Cell(%q) changes when repeated", s)
		}
	})
}
