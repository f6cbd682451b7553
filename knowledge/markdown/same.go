package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// mostGrowth is by how much a formatter makes a page longer at most. A page that others made longer is not parsed.
const mostGrowth = 4

// Same reports whether two pages read the same: they may differ in what formatters change, which is white space, and the spelling of
// markup and front matter. Code in fences has the same lines, with other blanks between words at most: Prettier leaves pages alone (keep.Verbatim).
func Same(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > mostGrowth*len(b) || len(b) > mostGrowth*len(a) {
		return false
	}
	frontA, restA := cutFrontMatter(a)
	frontB, restB := cutFrontMatter(b)
	return frontA == frontB && rendered(restA) == rendered(restB)
}

var converter = lazy.Value[goldmark.Markdown]{Make: func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))
}}

// cutFrontMatter splits a page into its front matter, in one spelling, and the rest.
func cutFrontMatter(page string) (front, rest string) {
	page = strings.ReplaceAll(page, "\r\n", "\n")
	text, ok := strings.CutPrefix(page, "---\n")
	front, rest, closed := strings.Cut(text, "\n---\n")
	if !ok || !closed {
		return "", page
	}
	var root yaml.Node
	if yaml.Unmarshal([]byte(front), &root) != nil {
		return "", page
	}
	var b strings.Builder
	spell(&b, &root)
	return b.String(), rest
}

// spell writes YAML in one spelling. Aliases are not followed, so that the size of the text bounds the work.
func spell(b *strings.Builder, n *yaml.Node) {
	b.WriteString(n.Tag + strconv.Quote(n.Value) + "[")
	for _, child := range n.Content {
		spell(b, child)
	}
	b.WriteString("]")
}

var (
	preElements = lazyregexp.New(`(?s)<pre>.*?</pre>`)
	innerBlanks = lazyregexp.New(`(\S)[ \t]+`)
	codeBlanks  = strings.NewReplacer(" ", "\v", "\t", "\f", "\n", "\r") // these count
	blankRun    = lazyregexp.New(`[ \t\n]+`)
	looseTags   = strings.NewReplacer("<p>", "", "</p>", " ")
)

// rendered is a page as HTML without what formatters change.
func rendered(page string) string {
	var out bytes.Buffer
	if err := converter.Get().Convert([]byte(page), &out); err != nil {
		return page
	}
	text := preElements.ReplaceAllStringFunc(out.String(), func(code string) string {
		return codeBlanks.Replace(innerBlanks.ReplaceAllString(code, "$1"))
	})
	text = blankRun.ReplaceAllString(looseTags.Replace(text), " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, "> ", ">"), " <", "<")
}
