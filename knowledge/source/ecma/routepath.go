package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// property is the value of a property of the object literal at open; -1 where there is none.
func (x *extractor) property(open int, key string) int {
	found := -1
	if x.at(open).isPunct('{') && x.at(open).match > int32(open) {
		x.properties(open, func(name string, _, value int) {
			if name == key {
				found = value
			}
		})
	}
	return found
}

// textOf is the text of the literal at i.
func (x *extractor) textOf(i int) (string, bool) {
	if t := x.at(i); i < 0 || t.kind != tString && t.kind != tTemplate {
		return "", false
	}
	return unquote([]byte(x.text(i))), true
}

// mostArguments is how many arguments of a call are looked at.
const mostArguments = 32

// arguments are those of the call whose parenthesis is at open.
func (x *extractor) arguments(open int) []span {
	var out []span
	for i, limit := open+1, int(x.at(open).match); i < limit && len(out) < mostArguments; {
		end := min(max(x.skipExpression(i), i+1), limit)
		out = append(out, span{From: i, To: end})
		i = end + 1
	}
	return out
}

const (
	// mostPathBytes is how many bytes a path has that is put together.
	mostPathBytes = 1024
	// deepestCall bounds the nesting of calls around a handler.
	deepestCall = 4
)

// pathAt is the path that the expression at i spells out; empty where i is negative.
func (x *extractor) pathAt(i int) string {
	if i < 0 {
		return ""
	}
	return x.pathOf(span{From: i, To: x.skipExpression(i)})
}

// pathOf is the path that an expression spells out: literals, templates, sums and names. Computed parts become placeholders.
func (x *extractor) pathOf(s span) string {
	var b strings.Builder
	for i := s.From; i < s.To && b.Len() < mostPathBytes; {
		switch t := x.at(i); {
		case t.kind == tString || t.kind == tTemplate:
			b.WriteString(unquote([]byte(x.text(i))))
			i++
		case t.kind == tTemplateHead || t.kind == tTemplateMiddle:
			text := x.text(i)
			b.WriteString(text[1:max(1, len(text)-len("${"))])
			i++
			name := ""
			if x.at(i).kind == tIdent {
				name, i = x.dottedName(i)
			}
			for ; i < s.To && x.at(i).kind != tTemplateMiddle && x.at(i).kind != tTemplateTail; i = x.skip(i) {
				name = "" // more than a name is computed
			}
			b.WriteString(source.Placeholder(name))
		case t.kind == tTemplateTail:
			b.WriteString(strings.Trim(x.text(i), "}`"))
			i++
		case t.kind == tIdent && !x.at(i).isKeyword(kFunction) && !x.at(i).isKeyword(kAsync) && !x.at(i).isKeyword(kNew):
			var name string
			name, i = x.dottedName(i)
			b.WriteString(source.Placeholder(name))
		case t.isPunct('+'):
			i++
		default:
			return source.Placeholder("")
		}
	}
	return b.String()
}

// isPath reports whether a text is that of a path. A name alone may be one if it is given to a router and is called so.
func isPath(text string, router bool) bool {
	if strings.HasPrefix(text, "/") {
		return true
	}
	name, rest, ok := strings.Cut(text, ")")
	if !ok || !strings.HasPrefix(name, "$(") {
		return router && text == "*"
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	lower := strings.ToLower(name)
	called := name == strings.ToUpper(name) || strings.Contains(lower, "path") || strings.Contains(lower, "prefix") || strings.Contains(lower, "base") ||
		strings.Contains(lower, "url")
	return strings.HasPrefix(rest, "/") || router && called && len(name) > len("$(")
}

// handlerText is what code calls a handler, with the calls that wrap it: auth(list).
func (x *extractor) handlerText(s span, depth int) string {
	switch {
	case x.isFunction(s):
		return source.Anonymous
	case x.at(s.From).kind != tIdent || depth == deepestCall:
		return ""
	}
	name, end := x.dottedName(s.From)
	if bare, bound := strings.CutSuffix(name, ".bind"); bound {
		return bare
	}
	if end >= s.To {
		return name
	}
	if !x.at(end).isPunct('(') || int(x.at(end).match)+1 < s.To {
		return ""
	}
	var inner []string
	for _, a := range x.arguments(end) {
		if text := x.handlerText(a, depth+1); text != "" {
			inner = append(inner, text)
		}
	}
	return name + "(" + strings.Join(inner, ",") + ")"
}

// below puts a path behind another one.
func below(prefix, rest string) string {
	switch {
	case prefix == "" || rest == "":
		return prefix + rest
	case rest == "/":
		return prefix
	}
	return strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(rest, "/")
}
