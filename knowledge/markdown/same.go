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

// Same reports whether two pages read the same: they may differ in what a formatter changes, which is white space, the spelling of
// markup and front matter, and the style of code in fences.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	a, b = unpad(a), unpad(b)
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

var (
	tableRow = lazyregexp.New(`(?m)^[ \t>]*\|.*`)
	padding  = lazyregexp.New(`  +|---+`)
)

// unpad removes what aligns the columns of tables, which makes a page many times as long.
func unpad(page string) string {
	return tableRow.ReplaceAllStringFunc(page, func(row string) string {
		return padding.ReplaceAllStringFunc(row, func(run string) string { return run[:min(len(run), 1+2*strings.Count(run[:1], "-"))] })
	})
}

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
	looseCode   = strings.NewReplacer(" ", "", "\t", "", "\n", "", ";", "", ",", "", "&quot;", "", "'", "", "(", "", ")", "")
	unionStart  = lazyregexp.New(`([=:\[]|&[lg]t;)\|`) // the first | of a union of types on several lines
	blankRun    = lazyregexp.New(`\s+`)
	wideBlank   = lazyregexp.New(`\s*([\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])\s*`) // wrapped lines break beside such letters
	looseTags   = strings.NewReplacer("<p>", "", "</p>", " ")
)

// rendered is a page as HTML without what formatters change.
func rendered(page string) string {
	var out bytes.Buffer
	if err := converter.Get().Convert([]byte(page), &out); err != nil {
		return page
	}
	text := preElements.ReplaceAllStringFunc(out.String(), func(code string) string {
		return unionStart.ReplaceAllString(looseCode.Replace(code), "$1")
	})
	text = wideBlank.ReplaceAllString(text, "$1")
	text = blankRun.ReplaceAllString(looseTags.Replace(text), " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, "> ", ">"), " <", "<")
}
