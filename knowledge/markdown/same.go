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

// mostGrowth is the largest factor by which a formatter lengthens a page. A page that grew more is not parsed.
const mostGrowth = 4

// Same reports whether two pages differ only in ways that formatters change: white space, and the spelling of markup
// and front matter. Fenced code must have the same lines, apart from blanks between words: Prettier leaves pages
// alone (keep.Verbatim).
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

// spell writes YAML in a canonical spelling. It does not follow aliases, which bounds the work by the size of the
// text.
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
	codeBlanks  = strings.NewReplacer(" ", "\v", "\t", "\f", "\n", "\r") // significant
	blankRun    = lazyregexp.New(`[ \t\n]+`)
	looseTags   = strings.NewReplacer("<p>", "", "</p>", " ")
)

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
