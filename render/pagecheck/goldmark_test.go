package pagecheck

import (
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/markdown"
	_ "github.com/causaldocs/causal/knowledge/rapidseed"
)

// TestScanFindsWhatGoldmarkFinds: no link and no heading that a Markdown processor shows is passed over, on pages as causal writes
// them: code spans end in their line, and links have no definitions. The scan is an own one because it takes less than half the
// time that parsing takes, on every page that is written, and linear time.
func TestScanFindsWhatGoldmarkFinds(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"word", " ", "\n", "\n\n", "\n- x ", "\n  ", "\n1. y ", "\n> z ", "\n# ", "\n### ", "`c`", "`` ` ](e.md) ``", "*b*", " _e_ ", "snake_case", "[a](b.md)", "[a](<b c.md> \"t\")",
		"![i](j.png)", "[`c`](d.md#e)", "\\[", "\\`", "\n```go\n[no](no.md)\n```\n", "<https://x.y>", "&amp;", "(", ")",
	}
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	rapid.Check(t, func(t *rapid.T) {
		page := "start " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "page"), "") + "\n"
		s := scanPage(Page{Path: "a.md", Content: []byte(page)})
		var slugs markdown.Slugger
		_ = ast.Walk(parser.Parse(gmtext.NewReader([]byte(page))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Link:
				mustFollow(t, s, page, n.Destination)
			case *ast.Image:
				mustFollow(t, s, page, n.Destination)
			case *ast.Heading:
				text := textOf(n, []byte(page))
				slug := slugs.Slug(text)
				// What looks like a link without being one is not worth a parser.
				if n.Parent().Kind() == ast.KindDocument && !strings.Contains(text, "](") && !s.anchors[slug] {
					t.Fatalf("no anchor %q among %v of %q", slug, s.anchors, page)
				}
			}
			return ast.WalkContinue, nil
		})
	})
}

func mustFollow(t *rapid.T, s *scan, page string, dest []byte) {
	if !slices.ContainsFunc(s.links, func(l link) bool { return l.dest == string(dest) }) {
		t.Fatalf("the link to %s is passed over: %v of %q", dest, s.links, page)
	}
}

// textOf is the visible text of a heading.
func textOf(heading ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(heading, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		case *ast.Text:
			if !entering {
				break
			}
			text := strings.ReplaceAll(string(n.Value(source)), "\n", " ") // within code
			if n.Parent().Kind() != ast.KindCodeSpan {
				text = html.UnescapeString(string(util.UnescapePunctuations([]byte(text))))
			}
			b.WriteString(text)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ") // headings of pages have single spaces
}
