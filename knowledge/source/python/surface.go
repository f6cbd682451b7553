package python

import (
	"github.com/causaldocs/causal/knowledge/source/surface"
)

type translator struct {
	*reader
	surface.Tree
	next  int     // next line
	match []int32 // by token: its closing bracket
	deep  int
}

const deepest = 100

func translated(x *reader) *surface.Tree {
	b := &translator{reader: x, match: make([]int32, len(x.toks))}
	b.Reset(x.src)
	b.pair()
	b.Tree.Body = b.block(0)
	return &b.Tree
}

// pair matches brackets; unmatched ones end at the end of their line.
func (b *translator) pair() {
	var open []int32
	for _, l := range b.lines {
		open = open[:0]
		for i := l.first; i < l.end; i++ {
			b.match[i] = l.end
			switch d := b.depth(int(i)); {
			case d > 0:
				open = append(open, i)
			case d < 0 && len(open) > 0:
				b.match[open[len(open)-1]] = i
				open = open[:len(open)-1]
			}
		}
	}
}

func (b *translator) node(k surface.Kind, i, end int) *surface.Node {
	i = min(i, len(b.toks)-1) // behind the end of an unfinished file
	t, to := b.toks[i], b.toks[i].end
	if end > i {
		to = b.toks[end-1].end
	}
	return b.New(k, t.line, t.start, to)
}

func (b *translator) block(level int32) []*surface.Node {
	mark := b.Mark()
	var marks []*surface.Node
	var above *surface.Node // previous statement of the block, which may be continued
	for b.next < len(b.lines) && b.lines[b.next].level >= level {
		l := &b.lines[b.next]
		first, end := int(l.first), int(l.end)
		b.next++
		if first >= end {
			continue
		}
		if b.is(first, end, "@") {
			n, _ := b.expression(first+1, end)
			marks = append(marks, n)
			continue
		}
		if !l.block && !b.is(first, end, "async") {
			b.simple(first, end)
			marks, above = nil, nil
			continue
		}
		above = b.compound(l, above, marks)
		marks = nil
	}
	return b.Take(mark)
}

// compound reads a block with its header. An elif or else is appended to the Else of its if.
func (b *translator) compound(l *line, above *surface.Node, marks []*surface.Node) *surface.Node {
	first, end := int(l.first), int(l.end)
	header := end
	if l.colon >= 0 {
		header = int(l.colon)
	}
	at := first
	if b.is(first, end, "async") {
		at++
	}
	n := b.node(surface.Block, first, header)
	switch word := b.text(min(at, end-1)); {
	case (word == "def" || word == "class") && b.isName(at+1, end):
		n.Kind, n.Text, n.Marks, n.Line = surface.Func, b.text(at+1), marks, b.toks[at+1].line
		if word == "class" {
			n.Kind = surface.Class
		}
		if b.is(at+2, end, "(") {
			n.Args = b.list(at+2, word == "def")
			for j, base := range n.Args {
				if word == "class" && base.Kind == surface.Index { // with type arguments
					n.Args[j] = base.X
				}
			}
		}
	case header > at+1 && (word == "if" || word == "elif" || word == "while" || word == "except" || word == "case"):
		n.Kind = surface.If
		n.X, _ = b.expression(at+1, header)
	case word == "for":
		n = b.loop(at, header, false)
	case header > at+1:
		n.X, _ = b.expression(at+1, header)
	}
	attach := above != nil && above.Kind == surface.If && (b.is(at, end, "elif") || b.is(at, end, "else"))
	if !attach {
		b.Push(n)
	}
	mark := b.Mark()
	if header+1 < end {
		b.simple(header+1, end)
	}
	if b.deep++; b.deep < deepest && b.next < len(b.lines) && b.lines[b.next].level > l.level {
		for _, s := range b.block(l.level + 1) {
			b.Push(s)
		}
	}
	b.deep--
	n.Body = b.Take(mark)
	switch {
	case !attach:
		return n
	case n.Kind == surface.If:
		above.Else = []*surface.Node{n}
		return n
	}
	above.Else = n.Body
	return nil
}

func (b *translator) loop(i, end int, inList bool) *surface.Node {
	n := b.node(surface.For, i, end)
	mark, at := b.Mark(), i+1
	for at < end && !b.is(at, end, "in") {
		if b.isName(at, end) {
			b.Push(b.name(at))
		}
		at++
	}
	n.Args = b.Take(mark)
	if at+1 >= end {
		return n
	}
	mark, first := b.Mark(), at+1
	for at++; at < end; at++ {
		n.X, at = b.operations(at, end)
		if b.Push(n.X); inList || !b.is(at, end, ",") {
			break
		}
	}
	n.To = b.toks[max(at-1, i)].end
	if all := b.Take(mark); len(all) > 1 {
		n.X = b.node(surface.List, first, at)
		n.X.Args = all
	}
	return n
}

func (b *translator) simple(i, end int) {
	for i < end {
		if b.is(i, end, ";") {
			i++
			continue
		}
		n, next := b.statementAt(i, end)
		if n != nil {
			b.Push(n)
		}
		for i = max(next, i+1); i < end && !b.is(i, end, ";"); {
			if b.is(i, end, ",") || b.is(i, end, "from") || b.toks[i].kind != op { // the statement's other expressions
				n, next = b.expression(i+b.comma(i), end)
				b.Push(n)
				i = max(next, i+1)
				continue
			}
			i++
		}
	}
}

func (b *translator) comma(i int) int {
	if b.toks[i].kind == name || b.toks[i].kind == str || b.toks[i].kind == fpart {
		return 0
	}
	return 1
}

func (b *translator) statementAt(i, end int) (*surface.Node, int) {
	switch {
	case b.is(i, end, "return"):
		n := b.node(surface.Return, i, i+1)
		next := i + 1
		if next < end && !b.is(next, end, ";") {
			n.X, next = b.expression(next, end)
		}
		return n, next
	case b.toks[i].kind == imported:
		return nil, end
	case b.toks[i].kind == keyword && !b.is(i, end, "not") && !b.is(i, end, "await") && !b.is(i, end, "lambda") && !b.is(i, end, "yield"):
		if i+1 >= end || b.is(i+1, end, ";") {
			return nil, i + 1
		}
		x, next := b.expression(i+1, end)
		return b.Operation(b.text(i), x), next
	}
	left, next := b.expression(i, end)
	bind := b.node(surface.Bind, i, next)
	mark := b.Mark()
	b.Push(left)
	for next < end {
		switch {
		case b.is(next, end, ":"):
			bind.Type, next = b.expression(next+1, end)
			bind.X = nil
			continue
		case b.is(next, end, "="), b.is(next, end, "+="):
			if bind.X != nil {
				b.Push(bind.X)
			}
			bind.Text = b.text(next)
			bind.X, next = b.expression(next+1, end)
			continue
		case b.is(next, end, ",") && bind.X == nil:
			left, next = b.expression(next+1, end)
			b.Push(left)
			continue
		}
		break
	}
	bind.To = b.toks[max(next-1, i)].end
	bind.Args = b.Take(mark)
	if bind.X == nil && bind.Type == nil && len(bind.Args) == 1 {
		return left, next
	}
	return bind, next
}
