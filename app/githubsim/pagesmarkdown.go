package githubsim

import (
	"bytes"
	"html/template"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// markdown reads what GitHub's does, and of HTML lets only through what folds and sets text.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(tags{}, 1))),
)

func rendered(text string) template.HTML {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		return ""
	}
	return template.HTML(out.String()) //nolint:gosec // of the text's own HTML only harmless tags without attributes are left
}

// tags renders the HTML in Markdown.
type tags struct{}

// RegisterFuncs is for goldmark.
func (tags) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		text := block.Lines().Value(source)
		if block.HasClosure() {
			text = append(text, block.ClosureLine.Value(source)...)
		}
		_, err := w.Write(harmless(text))
		return ast.WalkContinue, err
	})
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := w.Write(harmless(n.(*ast.RawHTML).Segments.Value(source)))
		return ast.WalkContinue, err
	})
}

var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	allowed = regexp.MustCompile(`^</?(?:details|summary|sub|sup|br|b|i|em|strong|code|pre|kbd|p)\s*/?>`)
)

// harmless keeps plain tags of a list; everything else that begins one is text.
func harmless(text []byte) []byte {
	var out []byte
	text = comment.ReplaceAll(text, nil)
	for i := 0; i < len(text); i++ {
		if tag := allowed.Find(text[i:]); tag != nil {
			out = append(out, tag...)
			i += len(tag) - 1
			continue
		}
		if text[i] == '<' {
			out = append(out, "&lt;"...)
			continue
		}
		out = append(out, text[i])
	}
	return out
}
