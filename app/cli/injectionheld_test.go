package cli_test

import (
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/causaldocs/causal/knowledge/markdown"
)

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// live matches what GitHub acts on in text outside of code after Markdown is read.
var live = regexp.MustCompile(`(?i)@[a-z0-9]|#[0-9]|\bgh-[0-9]|:[a-z0-9_+-]+:|\$[^ ].*\$|://|\bwww\.|\b(?:mailto|xmpp):|\b[0-9a-f]{7,64}\b`)

// inert are elements of Markdown that only hold others.
var inert = map[ast.NodeKind]bool{ast.KindDocument: true, ast.KindParagraph: true, ast.KindTextBlock: true, ast.KindCodeSpan: true, ast.KindText: true, ast.KindString: true}

// elements lists everything on a page that is more than text, and how often it occurs.
func elements(page string) map[string]int {
	source, out := []byte(page), map[string]int{}
	_ = ast.Walk(gfm.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		key := n.Kind().String()
		switch n := n.(type) {
		case *ast.Text:
			shown := string(n.Segment.Value(source))
			if found := live.FindString(html.UnescapeString(shown)); found != "" && n.Parent().Kind() != ast.KindCodeSpan {
				out["text "+found]++
			}
		case *ast.Link:
			key += " " + string(n.Destination)
		case *ast.Image:
			key += " " + string(n.Destination)
		case *ast.AutoLink:
			key += " " + string(n.URL(source))
		case *ast.RawHTML:
			key += " " + string(n.Segments.Value(source))
		case *ast.Heading, *ast.HTMLBlock, *ast.FencedCodeBlock, *ast.CodeBlock:
			key += " " + strings.TrimSpace(string(n.Lines().Value(source)))
		}
		if !inert[n.Kind()] {
			out[key]++
		}
		return ast.WalkContinue, nil
	})
	for _, r := range page {
		if r != '\n' && (markdown.Hidden(r) || r == '\u2028' || r == '\u2029') {
			out[fmt.Sprintf("hidden character %U", r)]++
		}
	}
	return out
}

// more lists the new elements of a page, except expected ones.
func more(before, after string, expected func(element string) bool) (out []string) {
	had := elements(before)
	for element, n := range elements(after) {
		if n > had[element] && !expected(element) {
			out = append(out, element)
		}
	}
	slices.Sort(out)
	return out
}

// proseElements allows what causal itself writes around a model's sentences: headings of slots, and sources with links within the repository.
func (r *repo) proseElements(page string) func(element string) bool {
	return func(element string) bool {
		kind, what, _ := strings.Cut(element, " ")
		switch kind {
		case "Heading":
			return what == "Overview" || what == "How it works"
		case "RawHTML":
			return what == "<sub>" || what == "</sub>"
		case "Link":
			to, _, _ := strings.Cut(what, "#")
			return !strings.Contains(to, ":") && !strings.HasPrefix(to, "/") && !strings.HasPrefix(path.Join(path.Dir(page), to), "..") && (to == "" || r.has(path.Join(path.Dir(page), to)))
		}
		return false
	}
}

// outOfPlace lists control characters and invisible characters.
func outOfPlace(printed string) (out []string) {
	for _, r := range printed {
		if r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || markdown.Hidden(r) || r == '\u2028' || r == '\u2029') {
			out = append(out, fmt.Sprintf("%U", r))
		}
	}
	return out
}

// command matches a command for the workflow runner.
var command = regexp.MustCompile(`(?m)^\s*(?:::[a-z-]+|##\[)`)

// undescribed matches the line of a module without a purpose in a list.
var undescribed = regexp.MustCompile(`^(?:\| \[[^|]*\) \|  \||- \[[^ ]*\))$`)

// untouched lists lines of a page that a model's prose added without a mark, and removed lines except those of modules
// that it describes.
func untouched(before, after string) (out []string) {
	count := map[string]int{}
	for line := range strings.Lines(before) {
		count[line]++
	}
	for line := range strings.Lines(after) {
		count[line]--
	}
	for line, n := range count {
		bare := strings.TrimSpace(line)
		switch {
		case n == 0, bare == "":
		case n > 0 && (undescribed.MatchString(bare) || strings.HasSuffix(bare, "All content is derived from the code.")):
		case n < 0 && (strings.Contains(bare, "<sub>") || strings.Contains(bare, "✎") || bare == "## Overview" || strings.HasSuffix(bare, "All other content is derived from the code.") || bare == "## How it works"):
		default:
			out = append(out, bare)
		}
	}
	return out
}

// prose matches the parts of a node that a model fills.
var prose = regexp.MustCompile(`(?m)^(?:prose|prose_evidence):.*\n(?:[ -].*\n)*`)

// TestHeldCanFail: each attack is noticed if its text is written as it is. Attacks of words alone are not noticed.
func TestHeldCanFail(t *testing.T) {
	t.Parallel()
	const page = "# Page\n\nReads an amount.\n"
	for _, a := range attacks {
		if a.says == "" || a.invalid() { // the sentence itself is looked for
			continue
		}
		said := strings.ReplaceAll(a.says, "CANARY", "http://127.0.0.1:1/canary")
		r := &repo{t: t, dir: t.TempDir()}
		noticed := slices.Concat(more(page, page+"\n"+said+" <sub>x</sub>\n", r.proseElements("page.md")), outOfPlace(said), command.FindAllString(said, -1))
		if strings.Contains(said, modelKey) {
			noticed = append(noticed, "the key")
		}
		if (len(noticed) == 0) != a.words {
			t.Errorf("%s: %q: noticed: %q", a.name, said, noticed)
		}
	}
	if len(untouched(page, page+"func Evil()\n")) == 0 || len(untouched(page, "# Page\n")) == 0 {
		t.Error("a changed fact is not noticed")
	}
}
