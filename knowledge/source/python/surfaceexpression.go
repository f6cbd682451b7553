package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source/surface"
)

func (b *translator) expression(i, end int) (*surface.Node, int) {
	if i >= end {
		return b.node(surface.Unknown, end-1, end), end
	}
	n, next := b.operations(i, end)
	switch {
	case b.is(next, end, "if"):
		cond, at := b.operations(next+1, end)
		other := cond
		if b.is(at, end, "else") {
			other, at = b.expression(at+1, end)
		}
		n = b.Operation("if", n, cond, other)
		next = at
	case b.is(next, end, ":="):
		bind := b.node(surface.Bind, i, next)
		bind.Args = []*surface.Node{n}
		bind.X, next = b.expression(next+1, end)
		n = bind
	}
	return n, next
}

func (b *translator) operations(i, end int) (*surface.Node, int) {
	group := b.Group()
	for {
		n, next := b.operand(i, end)
		b.Push(n)
		i = next
		word := b.symbol(i, end)
		switch word {
		case "or", "and", "+", "-", "*", "/", "%", "//", "**", "@", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "in", "is":
		case "not":
			if word = "in"; !b.is(i+1, end, "in") {
				word = ""
			}
			i++
		default:
			word = ""
		}
		if word == "" || i+1 >= end {
			return group.End(), i
		}
		group.Operator(word)
		i++
	}
}

func (b *translator) symbol(i, end int) string {
	b.meter.Step()
	if i < end && (b.toks[i].kind == op || b.toks[i].kind == keyword) {
		return b.text(i)
	}
	return ""
}

func (b *translator) operand(i, end int) (*surface.Node, int) {
	start := i
	if i >= end || b.deep > deepest {
		return b.node(surface.Unknown, min(i, end-1), min(i, end-1)), end
	}
	b.deep++
	defer func() { b.deep-- }()
	var n *surface.Node
	switch word := b.symbol(i, end); word {
	case "":
		switch b.toks[i].kind {
		case name:
			n, i = b.name(i), i+1
		case number:
			n = b.node(surface.Number, i, i+1)
			n.Text = b.text(i)
			i++
		case str, fpart:
			n, i = b.texts(i, end)
		default:
			return b.node(surface.Unknown, i, i+1), i + 1
		}
	case "await", "yield":
		return b.operand(i+1, end)
	case "not", "-", "+", "~", "*", "**":
		x, next := b.operand(i+1, end)
		n = b.Operation(word, x)
		n.From = b.toks[start].start
		return n, next
	case "lambda":
		n = b.node(surface.Func, i, i+1)
		for i < end && !b.is(i, end, ":") {
			i++
		}
		body, next := b.expression(i+1, end)
		n.Body, n.To = []*surface.Node{body}, body.To
		return n, next
	case "True", "False", "None", "...":
		n, i = b.name(i), i+1
	case "(", "[", "{":
		n, i = b.bracket(i, end)
	default:
		return b.node(surface.Unknown, i, i+1), i
	}
	for i < end {
		post := surface.Call
		switch b.symbol(i, end) {
		case ".":
			if !b.isName(i+1, end) {
				return n, i
			}
			post, i = surface.Member, i+1
		case "[":
			post = surface.Index
		case "(":
		default:
			return n, i
		}
		x := n
		n = b.node(post, start, i+1)
		n.X = x
		if post == surface.Member {
			n.Text, n.Line = b.text(i), b.toks[i].line
			i++
			continue
		}
		n.Args, n.Line = b.list(i, false), x.Line
		i = min(int(b.match[i])+1, end)
		n.To = b.toks[i-1].end
	}
	return n, i
}

func (b *translator) name(i int) *surface.Node {
	n := b.node(surface.Name, i, i+1)
	n.Text = b.text(i)
	return n
}

func (b *translator) texts(i, end int) (*surface.Node, int) {
	n := b.node(surface.Sum, i, i+1)
	mark := b.Mark()
	for i < end && (b.toks[i].kind == str || b.toks[i].kind == fpart) {
		piece := b.node(surface.Text, i, i+1)
		if b.toks[i].kind == str {
			value, ok := stringValue(b.text(i))
			if piece.Text = value; !ok {
				piece.Kind = surface.Unknown
			}
			b.Push(piece)
			i++
			continue
		}
		text, open := fieldText(b.text(i))
		if piece.Text = text; text != "" {
			b.Push(piece)
		}
		if i++; open && i < end {
			var field *surface.Node
			field, i = b.expression(i, end)
			b.Push(field)
			for i < end && b.toks[i].kind != fpart {
				i++
			}
		}
	}
	n.To = b.toks[i-1].end
	if n.Args = b.Take(mark); len(n.Args) == 1 && n.Args[0].Kind == surface.Unknown {
		return n.Args[0], i
	}
	return n.Concat(), i
}

// fieldText returns the text of an f-string piece and reports whether a field follows.
func fieldText(piece string) (text string, open bool) {
	switch {
	case strings.HasPrefix(piece, ":"):
		_, piece, _ = strings.Cut(piece, "}")
	case strings.HasPrefix(piece, "}"):
		piece = piece[1:]
	default:
		piece = piece[strings.IndexAny(piece, `"'`)+1:]
	}
	piece, open = strings.CutSuffix(piece, "{")
	text = strings.ReplaceAll(strings.Trim(piece, `"'`), "{{", "{")
	return strings.ReplaceAll(text, "}}", "}"), open
}

func (b *translator) bracket(i, end int) (*surface.Node, int) {
	next := min(int(b.match[i])+1, end)
	n := b.node(surface.List, i, next)
	n.Args = b.list(i, false)
	switch {
	case b.is(i, end, "{"):
		if len(n.Args) > 0 && n.Args[0].Kind == surface.Bind {
			n.Kind = surface.Map
		}
		if len(n.Args) == 0 {
			n.Kind = surface.Map
		}
	case b.is(i, end, "(") && len(n.Args) == 1 && !b.is(next-2, end, ","):
		return n.Args[0], next
	}
	return n, next
}

func (b *translator) list(open int, parameters bool) []*surface.Node {
	end, mark := int(b.match[open]), b.Mark()
	for i := open + 1; i < end; {
		if b.is(i, end, ",") {
			i++
			continue
		}
		n, next := b.element(i, end, parameters)
		b.Push(n)
		i = max(next, i+1)
		for i < end && !b.is(i, end, ",") {
			if at := int(b.match[i]); b.depth(i) > 0 {
				i = at
			}
			i++
		}
	}
	return b.Take(mark)
}

// element reads a list element: `value`, `key=value`, `key: value`, `name: type = value`, `value for name in values`.
func (b *translator) element(i, end int, parameter bool) (*surface.Node, int) {
	if parameter {
		for b.is(i, end, "*") || b.is(i, end, "**") {
			i++
		}
		if !b.isName(i, end) {
			return b.node(surface.Unknown, min(i, end-1), i), i
		}
		n := b.name(i)
		if i++; b.is(i, end, ":") {
			n.Type, i = b.expression(i+1, end)
		}
		if b.is(i, end, "=") {
			n.X, i = b.expression(i+1, end)
		}
		return n, i
	}
	if b.isName(i, end) && b.is(i+1, end, "=") {
		n, next := b.expression(i+2, end)
		if n.Key != "" {
			return n, next
		}
		n.Key = b.text(i)
		return n, next
	}
	n, next := b.expression(i, end)
	if b.is(next, end, ":") {
		value, at := b.expression(next+1, end)
		pair := b.node(surface.Bind, i, at)
		pair.Args, pair.X = []*surface.Node{n}, value
		n, next = pair, at
	}
	for b.is(next, end, "async") || b.is(next, end, "for") {
		at := next
		if b.is(at, end, "async") {
			at++
		}
		loop := b.loop(at, end, true)
		for next = at + 1; next < end && b.toks[next].start < loop.To; next++ {
		}
		loop.Body = []*surface.Node{n}
		for b.is(next, end, "if") {
			var cond *surface.Node
			cond, next = b.operations(next+1, end)
			loop.Body = append(loop.Body, cond)
		}
		n = loop
	}
	return n, next
}
