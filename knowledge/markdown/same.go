package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Same reports whether two pages read the same: they may differ in what a formatter changes, which is white space, the spelling of
// markup and front matter, and the style of code in fences.
func Same(a, b string) bool {
	if a == b {
		return true
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
	var value any
	if yaml.Unmarshal([]byte(front), &value) != nil {
		return "", page
	}
	spelled, err := yaml.Marshal(value)
	if err != nil {
		return "", page
	}
	return string(spelled), rest
}

var (
	preElements = lazyregexp.New(`(?s)<pre>.*?</pre>`)
	looseCode   = strings.NewReplacer(" ", "", "\t", "", "\n", "", ";", "", ",", "", "&quot;", "", "'", "", "(", "", ")", "")
	blankRun    = lazyregexp.New(`\s+`)
	looseTags   = strings.NewReplacer("<p>", "", "</p>", " ")
)

// rendered is a page as HTML without what formatters change.
func rendered(page string) string {
	var out bytes.Buffer
	if err := converter.Get().Convert([]byte(page), &out); err != nil {
		return page
	}
	text := preElements.ReplaceAllStringFunc(out.String(), looseCode.Replace)
	text = blankRun.ReplaceAllString(looseTags.Replace(text), " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, "> ", ">"), " <", "<")
}
