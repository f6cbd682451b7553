package markdown

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

func (t tree) inlines(parent ast.Node) []inline { return t.appendAll(nil, parent) }

func (t tree) appendAll(out []inline, parent ast.Node) []inline {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = t.append(out, n)
	}
	return out
}

func (t tree) append(out []inline, n ast.Node) []inline {
	switch n := n.(type) {
	case *ast.Text:
		s := unescape(string(n.Value(t.source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += " "
		}
		return append(out, inline{plainText, s})
	case *ast.String: // from the custom parsers
		return append(out, inline{plainText, string(n.Value)})
	case *ast.CodeSpan:
		return append(out, inline{codeText, t.literal(n)})
	case *ast.Emphasis:
		return t.emphasised(out, n)
	case *ast.AutoLink:
		s := string(n.Label(t.source))
		if n.AutoLinkType == ast.AutoLinkURL && !address.MatchString(s) {
			s = "<" + s + ">" // std::string
		}
		return append(out, inline{plainText, s})
	case *ast.Image:
		return append(out, inline{pictureText, rawText(t.inlines(n))})
	case *ast.Link:
		return t.link(out, n)
	}
	return out
}

var address = lazyregexp.New(`^(?:https?|ftp|mailto):`)

func (t tree) literal(parent ast.Node) string {
	var b strings.Builder
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(t.source))
		case *ast.String:
			b.Write(n.Value)
		}
	}
	return b.String()
}

func (t tree) emphasised(out []inline, n *ast.Emphasis) []inline {
	start := len(out)
	if t.withinWord(n) {
		marks := inline{plainText, strings.Repeat("*", n.Level)}
		return append(t.appendAll(append(out, marks), n), marks)
	}
	out = t.appendAll(out, n)
	inner := out[start:]
	if slices.ContainsFunc(inner, func(piece inline) bool { return piece.kind != plainText }) {
		return out
	}
	kind := emphText
	if n.Level == 2 {
		kind = strongText
	}
	return append(out[:start], inline{kind, joined(inner)})
}

// withinWord reports marks that touch a letter or a digit outside, as in 2**32 and a*b: they multiply.
func (t tree) withinWord(n *ast.Emphasis) bool {
	first, isText := n.FirstChild().(*ast.Text)
	last, ends := n.LastChild().(*ast.Text)
	if !isText || !ends {
		return false
	}
	before, after := first.Segment.Start-n.Level-1, last.Segment.Stop+n.Level
	return before >= 0 && isWordByte(t.source[before]) || after < len(t.source) && isWordByte(t.source[after])
}

func (t tree) link(out []inline, n *ast.Link) []inline {
	dest := unescape(string(n.Destination))
	if n.FirstChild() == nil && n.Reference == nil {
		return append(out, inline{plainText, "[](" + dest + ")"}) // operator[](int)
	}
	start := len(out)
	out = t.appendAll(out, n)
	shown := joined(out[start:])
	switch {
	case t.named && n.Reference != nil && codeName.MatchString(shown):
		return append(out[:start], inline{codeText, shown})
	case n.Reference == nil && isWeb(dest) && strings.TrimSpace(shown) != dest:
		return append(out, inline{plainText, " (" + dest + ")"})
	}
	return out
}

func isWeb(dest string) bool { return strings.HasPrefix(dest, "http") }

var entity = lazyregexp.New(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte(asciiPunct, s[i+1]) >= 0:
			i++
		case s[i] == '&':
			rest := s[i:min(len(s), i+40)]
			if m := entity.FindStringIndex(rest); m != nil {
				b.WriteString(clean(html.UnescapeString(rest[:m[1]])))
				i += m[1] - 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

const asciiPunct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

var codeName = lazyregexp.New(`^(?:::)?[A-Za-z_][A-Za-z0-9_]*((?:::|\.)[A-Za-z_<][A-Za-z0-9_<>]*)*(\(\)|!)?$|^(fn|struct|enum|trait|mod|macro|type|const|method|value|derive|prim|primitive)@[^\s]+$`)

// namingContext resolves references to code without definitions.
type namingContext struct{ parser.Context }

var toCode = parser.NewReference(nil, nil, nil)

func (c namingContext) Reference(label string) (parser.Reference, bool) {
	defined, ok := c.Context.Reference(label)
	if !ok && (strings.HasPrefix(label, "`") || codeName.MatchString(label)) {
		return toCode, true
	}
	return defined, ok
}
