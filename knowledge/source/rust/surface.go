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

func (b *translator) node(k surface.Kind, i int, text string) *surface.Node {
	t := b.toks[min(i, len(b.toks)-1)]
	n := b.New(k, int32(t.line), int32(t.start), int32(t.end))
	n.Text = toValid(text)
	return n
}

func (b *translator) block(i, end int) []*surface.Node {
	mark := b.Mark()
	b.statements(i, end)
	return b.Take(mark)
}

func (b *translator) inner(i int) []*surface.Node { return b.block(i+1, int(b.toks[i].mate)) }

func (b *translator) statements(i, end int) {
	if b.deep++; b.deep < deepestSurface {
		for i < end {
			i = max(b.statement(i, end), i+1)
		}
	}
	b.deep--
}

func (b *translator) statement(i, end int) int {
	if b.toks[i].skip || b.is(i, ";") {
		return i + 1
	}
	mark, behind := b.Mark(), b.attributes(end, i)
	for a := range b.attributesIn(i, behind) {
		x, _ := b.expression(a.From, a.To)
		b.Push(x)
	}
	marks := b.Take(mark)
	rest, _ := b.visibility(behind)
	at, kind := b.qualifiers(rest)
	switch {
	case kind == "fn" && b.class(at+1) == word:
		return b.function(at, end, marks)
	case kind == "const" || kind == "static" || b.is(behind, "let"):
		return b.binding(max(at, behind), end)
	case readers[kind] != nil && kind != "extern":
		body := b.to("{", at, end)
		if b.is(body, "{") && (kind == "impl" || kind == "mod" || kind == "trait") {
			b.statements(body+1, int(b.toks[body].mate))
		}
		return b.after(min(body, len(b.toks)-1))
	}
	x, next := b.expression(behind, end)
	if next >= end {
		x = b.result(x)
	}
	b.Push(x)
	return next
}

// result makes the last expression of a block its result, unless that is in the blocks inside.
func (b *translator) result(x *surface.Node) *surface.Node {
	if x.Kind >= surface.Bind {
		return x
	}
	n := b.New(surface.Return, x.Line, x.From, x.To)
	n.X = x
	return n
}

func (b *translator) function(at, end int, marks []*surface.Node) int {
	n := b.node(surface.Func, at+1, b.name(at+1))
	n.Marks = marks
	open := b.to("(", at, end)
	if b.is(open, "(") {
		n.Args = b.parameters(open+1, int(b.toks[open].mate))
	}
	body := b.to("{", open, end)
	if b.is(body, "{") {
		n.Body = b.inner(body)
	}
	b.Push(n)
	return b.after(min(body, len(b.toks)-1))
}

func (b *translator) parameters(i, end int) []*surface.Node {
	mark := b.Mark()
	for ; i < end; i = b.to(",", i, end) + 1 {
		for b.is(i, "&") || b.is(i, "mut") {
			i++
		}
		n := b.node(surface.Name, i, b.name(i))
		if b.is(i+1, ":") {
			n.Type, _ = b.operand(i+2, end)
		}
		b.Push(n)
	}
	return b.Take(mark)
}

func (b *translator) binding(i, end int) int {
	n := b.node(surface.Bind, i, "")
	if i++; b.is(i, "mut") {
		i++
	}
	if b.is(i+1, "=") || b.is(i+1, ":") {
		n.Args = []*surface.Node{b.node(surface.Name, i, b.name(i))}
	} else if b.is(i, "(") {
		all := b.node(surface.List, i, "")
		all.Args = b.parameters(i+1, int(b.toks[i].mate))
		n.Args = []*surface.Node{all}
	}
	if i = b.to("=", i, end); b.is(i, "=") {
		n.X, i = b.expression(i+1, end)
	}
	b.Push(n)
	return i
}

// ending are the tokens after an expression.
var ending = set(",", ";", "=>", ":", "#")

// expression reads operands with operators between them.
func (b *translator) expression(i, end int) (*surface.Node, int) {
	group := b.Group()
	for {
		x, next := b.operand(i, end)
		if i = next; i < end && b.is(i, "=") && b.deep < deepestSurface {
			bind := b.node(surface.Bind, i, "")
			bind.Args, bind.Key = []*surface.Node{x}, surface.Dotted(x)
			b.deep++
			bind.X, i = b.expression(i+1, end)
			b.deep--
			x = bind
		}
		b.Push(x)
		if i >= end || b.class(i) != punct || ending[string(b.text(i))] {
			return group.End(), i
		}
		group.Operator(string(b.text(i)))
		i++
	}
}

func (b *translator) operand(i, end int) (*surface.Node, int) {
	n := b.node(surface.Unknown, i, "")
	if b.deep >= deepestSurface || i >= end {
		return n, min(i+1, end)
	}
	b.deep++
	defer func() { b.deep-- }()
	switch b.class(i) {
	case text:
		n.Kind, n.Text = surface.Text, b.unquote(i)
		return b.behind(n, i+1, end)
	case literal:
		n.Kind, n.Text = surface.Number, strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(toValid(string(b.text(i))), "_", ""), "i32"), "u8")
		return b.behind(n, i+1, end)
	case opener:
		if b.is(i, "{") {
			n.Kind, n.Text, n.Body = surface.Block, "{", b.inner(i)
			return n, b.after(i)
		}
		n.Kind = surface.List
		if n.Args = b.list(i); b.is(i, "(") && len(n.Args) == 1 {
			n = n.Args[0]
		}
		return b.behind(n, b.after(i), end)
	case word:
		return b.words(i, end)
	}
	switch string(b.text(i)) {
	case "|", "||":
		return b.closure(i, end)
	case "-":
		x, next := b.operand(i+1, end)
		return b.Operation("-", x), next
	case "&", "*", "!", "&&":
		return b.operand(i+1, end)
	}
	return n, i + 1
}

func (b *translator) words(i, end int) (*surface.Node, int) {
	n := b.node(surface.Block, i, "")
	switch string(b.text(i)) {
	case "mut", "move", "ref", "async", "unsafe", "await", "break", "loop", "else":
		return b.operand(i+1, end)
	case "return":
		n.Kind = surface.Return
		n.X, i = b.expression(i+1, end)
		return n, i
	case "let":
		return b.expression(b.to("=", i, end)+1, end)
	case "if":
		n.Kind = surface.If
	case "for":
		for n.Kind = surface.For; i < end && !b.is(i, "in") && !b.is(i+1, "{"); {
			i = b.after(i)
		}
	case "while", "match":
	default:
		x, next := b.path(i, end)
		return b.behind(x, next, end)
	}
	if n.X, i = b.expression(i+1, end); i >= end || !b.is(i, "{") {
		return n, i
	}
	n.Body, i = b.inner(i), b.after(i)
	if n.Kind == surface.If && i < end && b.is(i, "else") {
		mark := b.Mark()
		x, next := b.operand(i+1, end)
		b.Push(x)
		n.Else, i = b.Take(mark), next
	}
	return n, i
}

// path reads a name with its modules, or a macro.
func (b *translator) path(i, end int) (*surface.Node, int) {
	n := b.node(surface.Name, i, b.name(i))
	for i++; i+1 < end && b.is(i, "::"); i++ {
		if i++; b.is(i, "<") { // generic arguments
			i = min(b.outside(i+1, end, ">"), end-1)
			continue
		}
		owner := n
		if n = b.node(surface.Name, i, b.name(i)); !relative[owner.Text] || owner.Kind == surface.Member {
			n.Kind, n.X, n.From = surface.Member, owner, owner.From
		}
	}
	if i+1 < end && b.is(i, "!") && b.class(i+1) == opener {
		return b.macro(n, i+1)
	}
	return n, i
}

func (b *translator) macro(name *surface.Node, open int) (*surface.Node, int) {
	n := b.node(surface.Call, open-1, "")
	n.X, n.Args = name, b.list(open)
	switch name.Text += "!"; name.Text {
	case "stringify!":
		n.Kind, n.Text = surface.Text, toValid(string(b.src[b.toks[open].end:b.toks[b.toks[open].mate].start]))
	case "paste!":
		if len(n.Args) == 1 && n.Args[0].Kind == surface.Text {
			n = n.Args[0]
			n.Text = pasted(n.Text)
		}
	case "vec!":
		n.Kind = surface.List
	case "env!", "option_env!":
		if len(n.Args) > 0 && (strings.HasPrefix(n.Args[0].Text, "CARGO_") || n.Args[0].Text == "OUT_DIR") {
			n.Kind = surface.Unknown
		}
	case "format!":
		n.Args = b.format(n.Args)
		fallthrough
	case "concat!":
		n.Kind = surface.Sum
	}
	return n, b.after(open)
}

// pasted returns the name that a macro for names makes of a text: "[<name:upper>]".
func pasted(text string) string {
	inner, begins := strings.CutPrefix(strings.ReplaceAll(text, " ", ""), "[<")
	inner, ends := strings.CutSuffix(inner, ">]")
	if !begins || !ends {
		return text
	}
	if name, ok := strings.CutSuffix(inner, ":upper"); ok {
		return strings.ToUpper(name)
	}
	return inner
}

// format returns the parts of a text with placeholders.
func (b *translator) format(args []*surface.Node) []*surface.Node {
	if len(args) == 0 || args[0].Kind != surface.Text {
		return args
	}
	var out []*surface.Node
	for rest, more := args[0].Text, args[1:]; rest != ""; {
		text, after, placed := strings.Cut(rest, "{")
		name, tail, _ := strings.Cut(after, "}")
		out, rest = append(out, b.node(surface.Text, 0, text)), tail
		switch {
		case placed && name == "" && len(more) > 0:
			out, more = append(out, more[0]), more[1:]
		case placed:
			out = append(out, b.node(surface.Name, 0, name))
		}
	}
	return out
}

func (b *translator) list(open int) []*surface.Node {
	mark, end := b.Mark(), int(b.toks[open].mate)
	for i := open + 1; i < end; {
		x, next := b.expression(i, end)
		b.Push(x)
		if i = max(next, i+1); b.class(i) == punct {
			i++
		}
	}
	return b.Take(mark)
}

func (b *translator) closure(i, end int) (*surface.Node, int) {
	n := b.node(surface.Func, i, "")
	if i++; b.is(i-1, "|") {
		from := i
		i = b.to("|", i, end)
		n.Args = b.parameters(from, i)
		i++
	}
	if b.is(i, "->") {
		i = b.to("{", i, end)
	}
	mark := b.Mark()
	x, next := b.expression(i, end)
	b.Push(b.result(x))
	n.Body = b.Take(mark)
	return n, next
}

// same are methods whose result has the value of their receiver.
var same = set("await", "to_string", "to_owned", "into", "clone", "as_str", "as_ref")

// behind reads the calls and selections that follow an operand.
func (b *translator) behind(n *surface.Node, i, end int) (*surface.Node, int) {
	reads := b.readsVariable(n)
	for i < end {
		switch {
		case b.is(i, "?"):
			i++
		case b.is(i, ".") && i+1 < end:
			name := string(b.text(i + 1))
			x := b.node(surface.Member, i+1, name)
			x.X, x.From = n, n.From
			if i += 2; b.is(i, "::") {
				_, i = b.path(i-1, end)
			}
			called := i < end && b.is(i, "(")
			switch {
			case same[name]:
			case called && n.Kind == surface.List && name == "concat":
				n.Kind = surface.Sum
			case called && reads:
				n = b.otherwise(n, x, b.list(i))
			default:
				n, called = x, false
			}
			if called {
				i = b.after(i)
			}
		case b.is(i, "(") && surface.Dotted(n) == "String.from" && b.class(i+1) == text:
			n, i = b.node(surface.Text, i+1, b.unquote(i+1)), b.after(i)
		case b.is(i, "(") || b.is(i, "["):
			x := b.New(surface.Call, n.Line, n.From, int32(b.toks[b.toks[i].mate].end))
			if x.X, x.Args = n, b.list(i); b.is(i, "[") {
				x.Kind = surface.Index
			}
			n, i, reads = x, b.after(i), reads || b.readsVariable(x)
		case b.is(i, "as"):
			_, i = b.operand(i+1, end)
		default:
			return n, i
		}
	}
	return n, i
}

// readsVariable reports whether a call reads an environment variable.
func (o *outline) readsVariable(n *surface.Node) bool {
	return n.Kind == surface.Call && frameworks.Get().Env.Calls[o.library(surface.Dotted(n.X))]
}

// otherwise reads a method of such a result: unwrap_or("x") gives a default.
func (b *translator) otherwise(n, method *surface.Node, args []*surface.Node) *surface.Node {
	or := b.New(surface.Or, n.Line, n.From, n.To)
	switch method.Text {
	case "unwrap_or", "unwrap_or_else":
		if len(args) == 1 && args[0].Kind == surface.Func && args[0].Body[0].X != nil {
			args[0] = args[0].Body[0].X
		}
	case "unwrap", "expect":
		args = []*surface.Node{b.node(surface.Unknown, 0, source.Required)}
	default:
		or.Kind, or.X, or.Args = surface.Call, method, args
		return or
	}
	or.Args = append([]*surface.Node{n}, args...)
	return or
}
