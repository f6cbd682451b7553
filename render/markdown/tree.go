package markdown

import (
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// inlines reads what a block says. Links become their text, and the address where it is one of the web.
func (t tree) inlines(parent ast.Node) []inline {
	var out []inline
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		out = append(out, t.inline(n)...)
	}
	return out
}

func (t tree) inline(n ast.Node) []inline {
	switch n := n.(type) {
	case *ast.Text:
		s := unescape(string(n.Value(t.source)))
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += " "
		}
		return text(s)
	case *ast.String: // what a parser of ours has read
		return text(string(n.Value))
	case *ast.CodeSpan:
		return []inline{{codeText, t.literal(n)}}
	case *ast.Emphasis:
		return t.emphasised(n)
	case *ast.AutoLink:
		s := string(n.Label(t.source))
		if n.AutoLinkType == ast.AutoLinkURL && !address.MatchString(s) {
			s = "<" + s + ">" // std::string
		}
		return text(s)
	case *ast.Image:
		return text(rawText(t.inlines(n)))
	case *ast.Link:
		return t.link(n)
	}
	return nil
}

// address matches what stands between angle brackets for its own sake.
var address = regexp.MustCompile(`^(?:https?|ftp|mailto):`)

// literal is the source of what stands in code.
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

// emphasised keeps emphasis around nothing but text.
func (t tree) emphasised(n *ast.Emphasis) []inline {
	kind := emphText
	if n.Level == 2 {
		kind = strongText
	}
	pieces := t.inlines(n)
	for _, piece := range pieces {
		if piece.kind != plainText {
			return pieces
		}
	}
	return []inline{{kind, joined(pieces)}}
}

func (t tree) link(n *ast.Link) []inline {
	if n.FirstChild() == nil && n.Reference == nil {
		return text("[](" + string(n.Destination) + ")") // operator[](int)
	}
	pieces, dest := t.inlines(n), unescape(string(n.Destination))
	shown := joined(pieces)
	switch {
	case t.rust && n.Reference != nil && codeName.MatchString(shown):
		return []inline{{codeText, shown}}
	case n.Reference == nil && isWeb(dest) && strings.TrimSpace(shown) != dest:
		return append(pieces, inline{plainText, " (" + dest + ")"})
	}
	return pieces
}

func isWeb(dest string) bool { return strings.HasPrefix(dest, "http") }

var entity = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// unescape takes the backslashes and the names of characters out of text.
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
			if m := entity.FindStringIndex(rest); m != nil && m[0] == 0 {
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

// codeName matches what rustdoc takes for the path of an item.
var codeName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_<][A-Za-z0-9_<>]*)*(\(\)|!)?$|^(fn|struct|enum|trait|mod|macro|type|const|method|value|derive|prim|primitive)@[^\s]+$`)

// rustContext knows references to code, which rustdoc resolves and no definition has to name.
type rustContext struct{ parser.Context }

var toCode = parser.NewReference(nil, nil, nil)

// Reference implements parser.Context.
func (c rustContext) Reference(label string) (parser.Reference, bool) {
	defined, ok := c.Context.Reference(label)
	if !ok && (strings.HasPrefix(label, "`") || codeName.MatchString(label)) {
		return toCode, true
	}
	return defined, ok
}
