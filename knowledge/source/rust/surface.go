package rust

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

type translator struct {
	*outline
	surface.Tree
	deep int
}

// deepestSurface bounds the nesting of expressions.
const deepestSurface = 100

func (o *outline) translated() *surface.Tree {
	b := &translator{outline: o}
	b.Reset(string(o.src))
	b.Body = b.block(0, len(o.toks))
	return &b.Tree
}

func (b *translator) node(k surface.Kind, i int) *surface.Node {
	t := b.toks[min(i, len(b.toks)-1)]
	return b.New(k, int32(t.line), int32(t.start), int32(t.end))
}

func (b *translator) named(text string, i int) *surface.Node {
	n := b.node(surface.Name, i)
	n.Text = text
	return n
}

func (b *translator) block(i, end int) []*surface.Node {
	mark := b.Mark()
	b.statements(i, end)
	return b.Take(mark)
}

func (b *translator) statements(i, end int) {
	if b.deep++; b.deep < deepestSurface {
		for i < end {
			i = max(b.statement(i, end), i+1)
		}
	}
	b.deep--
}

func (b *translator) statement(i, end int) int {
	if b.toks[i].skip || b.toks[i].documents() || b.is(i, ";") {
		return i + 1
	}
	mark := b.Mark()
	for b.is(i, "#") && i+1 < end {
		if i++; b.is(i, "!") {
			i++
		}
		if b.class(i) == opener {
			x, _ := b.expression(i+1, int(b.toks[i].mate), true)
			b.Push(x)
			i = b.after(i)
		}
		for i < end && b.toks[i].documents() {
			i++
		}
	}
	marks := b.Take(mark)
	rest, _ := b.visibility(i)
	at, kind := b.qualifiers(rest)
	switch {
	case kind == "fn" && b.class(at+1) == word:
		return b.function(at, end, marks)
	case kind == "const" || kind == "static" || b.is(i, "let"):
		return b.binding(max(at, i), end)
	case readers[kind] != nil && kind != "extern":
		body := b.to("{", at, end)
		if body < end && b.is(body, "{") && (kind == "impl" || kind == "mod" || kind == "trait") {
			b.statements(body+1, int(b.toks[body].mate))
		}
		return b.to("", body, end)
	}
	x, next := b.expression(i, end, true)
	if next >= end && x.Kind != surface.Return && x.Kind != surface.Bind {
		x = b.result(x)
	}
	b.Push(x)
	return next
}

// to returns the next token with a text on the same level, or a semicolon; without a text, the one after the next token.
func (b *translator) to(text string, i, end int) int {
	for i < end && !b.is(i, text) && !b.is(i, ";") && text != "" {
		i = b.after(i)
	}
	if text == "" && i < end {
		return b.after(i)
	}
	return i
}

// result makes the last expression of a block its result.
func (b *translator) result(x *surface.Node) *surface.Node {
	if x.Kind == surface.If || x.Kind == surface.For || x.Kind == surface.Block {
		return x // so are the blocks in it
	}
	n := b.New(surface.Return, x.Line, x.From, x.To)
	n.X = x
	return n
}

func (b *translator) function(at, end int, marks []*surface.Node) int {
	n := b.node(surface.Func, at+1)
	n.Text, n.Marks = b.validName(at+1), marks
	open := b.to("(", at, end)
	if open < end && b.is(open, "(") {
		n.Args = b.parameters(open+1, int(b.toks[open].mate))
	}
	body := b.to("{", open, end)
	if body < end && b.is(body, "{") {
		n.Body = b.block(body+1, int(b.toks[body].mate))
	}
	b.Push(n)
	return b.to("", body, end)
}

func (b *translator) parameters(i, end int) []*surface.Node {
	mark := b.Mark()
	for ; i < end; i = b.to(",", i, end) + 1 {
		for b.is(i, "&") || b.is(i, "mut") {
			i++
		}
		if b.class(i) != word {
			continue
		}
		n := b.named(b.validName(i), i)
		if b.is(i+1, ":") {
			at := i + 2
			for at < end && (b.is(at, "&") || b.is(at, "mut") || b.class(at) == lifetime) {
				at++
			}
			n.Type, _ = b.path(at, end)
		}
		b.Push(n)
	}
	return b.Take(mark)
}

func (b *translator) binding(i, end int) int {
	n := b.node(surface.Bind, i)
	if i++; b.is(i, "mut") {
		i++
	}
	if b.class(i) == word && (b.is(i+1, "=") || b.is(i+1, ":")) {
		n.Args = []*surface.Node{b.named(b.validName(i), i)}
	}
	if i = b.to("=", i, end); i < end && b.is(i, "=") {
		n.X, i = b.expression(i+1, end, true)
	}
	b.Push(n)
	return i
}

// expression reads operands with operators between them. A brace may begin a literal only if literals are allowed.
func (b *translator) expression(i, end int, literals bool) (*surface.Node, int) {
	if i >= end {
		return b.node(surface.Unknown, i), end
	}
	group, x := b.Group(), (*surface.Node)(nil)
	for {
		if x, i = b.operand(i, end, literals); i < end && b.is(i, "=") && b.deep < deepestSurface {
			bind := b.node(surface.Bind, i)
			bind.Args, bind.Key = []*surface.Node{x}, surface.Dotted(x)
			b.deep++
			bind.X, i = b.expression(i+1, end, literals)
			b.deep--
			x = bind
		}
		b.Push(x)
		if i >= end || b.class(i) != punct || b.is(i, ",") || b.is(i, ";") || b.is(i, "=>") || b.is(i, ":") || b.is(i, "#") {
			return group.End(), i
		}
		group.Operator(string(b.text(i)))
		i++
	}
}

func (b *translator) operand(i, end int, literals bool) (*surface.Node, int) {
	if b.deep++; b.deep >= deepestSurface || i >= end {
		b.deep--
		return b.node(surface.Unknown, i), min(i+1, end)
	}
	defer func() { b.deep-- }()
	switch b.class(i) {
	case text:
		n := b.node(surface.Text, i)
		n.Text = b.unquote(i)
		return b.behind(n, i+1, end)
	case literal:
		n := b.node(surface.Number, i)
		n.Text = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(toValid(string(b.text(i))), "_", ""), "i32"), "u8")
		return b.behind(n, i+1, end)
	case opener:
		n := b.node(surface.List, i)
		if b.is(i, "{") {
			n.Kind, n.Text, n.Body = surface.Block, "{", b.block(i+1, int(b.toks[i].mate))
			return n, b.after(i)
		}
		if n.Args = b.list(i); b.is(i, "(") && len(n.Args) == 1 {
			n = n.Args[0]
		}
		return b.behind(n, b.after(i), end)
	case word:
		return b.words(i, end, literals)
	case punct:
		if b.is(i, "|") || b.is(i, "||") {
			return b.closure(i, end, literals)
		}
		if b.is(i, "-") {
			x, next := b.operand(i+1, end, literals)
			return b.Operation("-", x), next
		}
		if b.is(i, "&") || b.is(i, "*") || b.is(i, "!") || b.is(i, "&&") {
			return b.operand(i+1, end, literals)
		}
	}
	return b.node(surface.Unknown, i), i + 1
}

func (b *translator) words(i, end int, literals bool) (*surface.Node, int) {
	n := b.node(surface.Block, i)
	switch string(b.text(i)) {
	case "mut", "move", "ref", "async", "unsafe", "await", "break":
		return b.operand(i+1, end, literals)
	case "return":
		n.Kind = surface.Return
		n.X, i = b.expression(i+1, end, literals)
		return n, i
	case "let":
		i = b.to("=", i, end)
		return b.expression(min(i+1, end), end, false)
	case "if":
		n.Kind = surface.If
	case "for":
		n.Kind = surface.For
		for i < end && !b.is(i, "in") && !b.is(i, "{") {
			i = b.after(i)
		}
	case "while", "match":
	case "loop", "else":
		i--
	default:
		x, next := b.path(i, end)
		if literals && next < end && b.is(next, "{") && capital(b.name(next - 1)[:min(1, len(b.name(next-1)))]) {
			x = b.node(surface.Map, i)
			x.Args = b.list(next)
			return b.behind(x, b.after(next), end)
		}
		return b.behind(x, next, end)
	}
	if i++; i < end && !b.is(i, "{") {
		n.X, i = b.expression(i, end, false)
	}
	if i >= end || !b.is(i, "{") {
		return n, max(i, 1)
	}
	n.Body, i = b.block(i+1, int(b.toks[i].mate)), b.after(i)
	if n.Kind == surface.If && i < end && b.is(i, "else") {
		mark := b.Mark()
		x, next := b.operand(i+1, end, literals)
		b.Push(x)
		n.Else, i = b.Take(mark), next
	}
	return n, i
}

// path reads a name with its modules, or a macro.
func (b *translator) path(i, end int) (*surface.Node, int) {
	var n *surface.Node
	for i < end {
		switch {
		case b.is(i, "<"): // generic arguments
			for depth := 0; i < end; i = b.after(i) {
				if b.is(i, "<") {
					depth++
				} else if b.is(i, ">") {
					depth--
				}
				if depth == 0 {
					break
				}
			}
		case b.class(i) != word:
			return b.node(surface.Unknown, i), i + 1
		case n == nil:
			n = b.named(b.validName(i), i)
		default:
			if owner := n; !isRelative(owner.Text) || owner.Kind == surface.Member {
				n = b.named(b.validName(i), i)
				n.Kind, n.X, n.From = surface.Member, owner, owner.From
			} else {
				n = b.named(b.validName(i), i)
			}
		}
		if i++; i >= end || !b.is(i, "::") {
			break
		}
		i++
	}
	if n == nil {
		n = b.node(surface.Unknown, i)
	}
	if i+1 < end && b.is(i, "!") && b.class(i+1) == opener {
		return b.macro(n, i+1)
	}
	return n, i
}

func (b *translator) macro(name *surface.Node, open int) (*surface.Node, int) {
	n := b.node(surface.Call, open-1)
	n.X, n.Args = name, b.list(open)
	switch name.Text += "!"; name.Text {
	case "vec!":
		n.Kind = surface.List
	case "env!", "option_env!":
		if len(n.Args) > 0 && (strings.HasPrefix(n.Args[0].Text, "CARGO_") || n.Args[0].Text == "OUT_DIR") {
			n = b.node(surface.Unknown, open)
		}
	case "concat!":
		n.Kind = surface.Sum
	case "format!":
		n.Kind = surface.Sum
		n.Args = b.format(n.Args)
	}
	return n, b.after(open)
}

// format returns the parts of a text with placeholders.
func (b *translator) format(args []*surface.Node) []*surface.Node {
	if len(args) == 0 || args[0].Kind != surface.Text {
		return args
	}
	rest, out := args[0].Text, []*surface.Node(nil)
	for args = args[1:]; rest != ""; {
		before, after, _ := strings.Cut(rest, "{")
		name, tail, found := strings.Cut(after, "}")
		n := b.named(before, 0)
		n.Kind, out, rest = surface.Text, append(out, n), tail
		switch {
		case !found:
		case name == "" && len(args) > 0:
			out, args = append(out, args[0]), args[1:]
		default:
			out = append(out, b.named(name, 0))
		}
	}
	return out
}

func (b *translator) list(open int) []*surface.Node {
	mark := b.Mark()
	end := int(b.toks[open].mate)
	for i := open + 1; i < end; {
		from := i
		if b.class(i) == word && b.is(i+1, ":") { // a field
			i += 2
		}
		x, next := b.expression(i, end, true)
		b.Push(x)
		if i = max(next, from+1); i < end && (b.is(i, ",") || b.is(i, ";")) {
			i++
		}
	}
	return b.Take(mark)
}

func (b *translator) closure(i, end int, literals bool) (*surface.Node, int) {
	n := b.node(surface.Func, i)
	if i++; b.is(i-1, "|") {
		from := i
		for i < end && !b.is(i, "|") {
			i = b.after(i)
		}
		n.Args = b.parameters(from, i)
		i++
	}
	if i < end && b.is(i, "->") {
		i = b.to("{", i, end)
	}
	mark := b.Mark()
	x, next := b.expression(i, end, literals)
	b.Push(b.result(x))
	n.Body = b.Take(mark)
	return n, next
}

// same are methods whose result has the value of their receiver.
var same = set("to_string", "to_owned", "into", "clone", "as_str", "as_ref")

// readsVariable reports whether a call reads an environment variable.
func readsVariable(n *surface.Node) bool {
	return n.Kind == surface.Call && frameworks.Get().Env.Calls[lastTwo(surface.Dotted(n.X))]
}

// otherwise reads a method of such a result: unwrap_or("x") gives a default.
func (b *translator) otherwise(n, method *surface.Node, args []*surface.Node) *surface.Node {
	or := b.New(surface.Or, n.Line, n.From, n.To)
	switch method.Text {
	case "unwrap_or", "unwrap_or_else":
		if len(args) == 1 && args[0].Kind == surface.Func && len(args[0].Body) == 1 {
			args[0] = args[0].Body[0].X
		}
	case "unwrap", "expect":
		args = []*surface.Node{b.New(surface.Unknown, n.Line, n.From, n.To)}
		args[0].Text = source.Required
	default:
		or.Kind, or.X, or.Args = surface.Call, method, args
		return or
	}
	or.Args = append([]*surface.Node{n}, args...)
	return or
}

// behind reads the calls and selections that follow an operand.
func (b *translator) behind(n *surface.Node, i, end int) (*surface.Node, int) {
	reads := readsVariable(n)
	for i < end {
		switch {
		case b.is(i, "?"):
			i++
		case b.is(i, ".") && b.is(i+1, "await"):
			i += 2
		case b.is(i, ".") && i+1 < end:
			name := string(b.text(i + 1))
			x := b.named(toValid(name), i+1)
			x.Kind, x.X, x.From = surface.Member, n, n.From
			i += 2
			if i < end && b.is(i, "::") {
				_, i = b.path(i+1, end)
			}
			if i < end && same[name] && b.is(i, "(") && b.is(i+1, ")") {
				i += 2
				continue
			}
			if n.Kind == surface.List && name == "concat" && i < end && b.is(i, "(") {
				n.Kind, i = surface.Sum, b.after(i)
				continue
			}
			if reads && i < end && b.is(i, "(") {
				n, i = b.otherwise(n, x, b.list(i)), b.after(i)
				continue
			}
			n = x
		case b.is(i, "(") && surface.Dotted(n) == "String.from" && b.class(i+1) == text:
			n, _ = b.operand(i+1, int(b.toks[i].mate), true)
			i = b.after(i)
		case b.is(i, "(") || b.is(i, "["):
			x := b.New(surface.Call, n.Line, n.From, int32(b.toks[b.toks[i].mate].end))
			if x.X, x.Args = n, b.list(i); b.is(i, "[") {
				x.Kind = surface.Index
			}
			n, i, reads = x, b.after(i), reads || readsVariable(x)
		case b.is(i, "as"):
			_, i = b.path(i+1, end)
		default:
			return n, i
		}
	}
	return n, i
}
