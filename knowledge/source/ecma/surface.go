package ecma

import (
	"github.com/causaldocs/causal/knowledge/source/surface"
)

type translator struct {
	*extractor
	surface.Tree
	deep  int
	marks []*surface.Node // decorators of the next declaration
}

// deepestNode bounds the nesting of the translation.
const deepestNode = 100

func translated(x *extractor) *surface.Tree {
	b := &translator{extractor: x}
	b.Reset(string(x.src))
	b.Tree.Body = b.block(0, len(x.t))
	return &b.Tree
}

func (b *translator) node(k surface.Kind, i, end int) *surface.Node {
	t := b.at(i)
	return b.New(k, t.line, t.off, max(t.off, b.at(max(end-1, i)).end))
}

func (b *translator) name(i int) *surface.Node {
	n := b.node(surface.Name, i, i+1)
	n.Text = b.text(i)
	return n
}

func (b *translator) text(i int) string {
	t := b.at(i)
	return b.Src[t.off:t.end]
}

// closing returns the partner of the bracket at i.
func (b *translator) closing(i, limit int) int {
	if m := int(b.at(i).match); m > i {
		return min(m, limit)
	}
	return min(i+1, limit)
}

func (b *translator) block(i, limit int) []*surface.Node {
	mark := b.Mark()
	if b.deep++; b.deep < deepestNode {
		for i < limit {
			i = max(b.statement(i, limit), i+1)
		}
	}
	b.deep--
	return b.Take(mark)
}

func (b *translator) one(i, limit int) ([]*surface.Node, int) {
	if b.at(i).isPunct('{') {
		end := b.closing(i, limit)
		return b.block(i+1, end), end + 1
	}
	mark := b.Mark()
	if b.deep++; b.deep < deepestNode && i < limit {
		i = b.statement(i, limit)
	}
	b.deep--
	return b.Take(mark), i
}

func (b *translator) head(i, limit int) (*surface.Node, int) {
	if !b.at(i).isPunct('(') {
		return nil, i
	}
	end := b.closing(i, limit)
	n, _ := b.expression(i+1, end)
	return n, end + 1
}

func (b *translator) statement(i, limit int) int {
	t, next := b.at(i), b.at(i+1)
	n := b.node(surface.Block, i, i+1)
	switch {
	case t.isPunct('{'):
		n.Text = "{"
		n.Body, i = b.one(i, limit)
		b.Push(n)
		return i
	case t.isPunct(';'):
		return i + 1
	case t.isPunct('@'):
		return b.decorator(i, limit)
	case t.kind != tIdent || b.afterDot(i):
		return b.plain(i, limit)
	}
	switch t.id {
	case kImport:
		if !next.isPunct('(') && !next.isPunct('.') {
			return b.skipStatement(i)
		}
	case kExport:
		if next.isKeyword(kDefault) {
			return b.exported(i+2, limit)
		}
		if !next.isPunct('{') && !next.isPunct('*') && !next.isPunct('=') {
			return i + 1
		}
		return b.skipStatement(i)
	case kType, kInterface, kEnum:
		if next.kind == tIdent && !next.has(fNewline) {
			return b.skipStatement(i)
		}
	case kDeclare, kAbstract, kElse, kFinally:
		if next.kind == tIdent || next.isPunct('{') {
			return i + 1
		}
	case kNamespace, kModule:
		if next.kind == tIdent || next.kind == tString {
			return i + 2
		}
	case kConst, kLet, kVar, kUsing:
		if next.isKeyword(kEnum) {
			return b.skipStatement(i)
		}
		if next.kind == tIdent || next.isPunct('{') || next.isPunct('[') {
			return b.variables(i+1, limit)
		}
	case kIf:
		n.Kind = surface.If
		n.X, i = b.head(i+1, limit)
		if n.Body, i = b.one(i, limit); b.at(i).isKeyword(kElse) && i < limit {
			n.Else, i = b.one(i+1, limit)
		}
		b.Push(n)
		return i
	case kFor, kWhile, kWith, kSwitch:
		return b.loop(n, i, limit)
	case kTry, kDo, kCatch:
		if t.id == kCatch && next.isPunct('(') {
			i = b.closing(i+1, limit)
		}
		n.Body, i = b.one(i+1, limit)
		b.Push(n)
		return i
	case kReturn, kThrow:
		n.Kind = surface.Return
		if i++; !next.has(fNewline) && !next.isPunct(';') && !next.isPunct('}') && i < limit {
			n.X, i = b.expression(i, limit)
		}
		b.Push(n)
		return b.semicolon(i)
	case kCase:
		x, end := b.expression(i+1, limit)
		b.Push(x)
		return end + 1
	case kBreak, kContinue:
		return i + 1
	}
	if next.isPunct(':') {
		return i + 2
	}
	return b.plain(i, limit)
}

func (b *translator) decorator(i, limit int) int {
	m, end := b.operand(i+1, limit)
	b.marks = append(b.marks, m)
	return end
}

func (b *translator) plain(i, limit int) int {
	for i < limit {
		n, next := b.expression(i, limit)
		b.Push(n)
		if i = max(next, i+1); !b.at(i).isPunct(',') {
			break
		}
		i++
	}
	return b.semicolon(i)
}

func (b *translator) exported(i, limit int) int {
	n := b.node(surface.Bind, i, i+1)
	to := b.node(surface.Name, i, i)
	to.Text = defaultName
	n.Args = []*surface.Node{to}
	n.X, i = b.expression(i, limit)
	n.Line = n.X.Line
	b.Push(n)
	return b.semicolon(i)
}

// typed reads a type after a colon. A list of values represents its element type.
func (b *translator) typed(i int) (*surface.Node, int) {
	if !b.at(i).isPunct(':') {
		return nil, i
	}
	end := b.skipType(i + 1)
	n := b.node(surface.Unknown, i+1, max(end, i+2))
	if b.at(i+1).kind == tIdent {
		n.Kind, n.Text = surface.Name, b.text(i+1)
	}
	return n, end
}

func (b *translator) variables(i, limit int) int {
	for i < limit {
		n := b.node(surface.Bind, i, i+1)
		var to *surface.Node
		to, i = b.operand(i, limit)
		n.Args = []*surface.Node{to}
		n.Type, i = b.typed(i)
		if b.at(i).isPunct('=') {
			n.X, i = b.expression(i+1, limit)
		}
		b.Push(n)
		if !b.at(i).isPunct(',') {
			break
		}
		i++
	}
	return b.semicolon(i)
}

func (b *translator) loop(n *surface.Node, i, limit int) int {
	n.Kind = surface.For
	isFor, isSwitch := b.at(i).isKeyword(kFor), b.at(i).isKeyword(kSwitch)
	if i++; b.at(i).isKeyword(kAwait) {
		i++
	}
	if !b.at(i).isPunct('(') {
		return i
	}
	end := b.closing(i, limit)
	mark := b.Mark()
	at := i + 1
	if t := b.at(at); isFor && (t.isKeyword(kConst) || t.isKeyword(kLet) || t.isKeyword(kVar)) {
		at++
	}
	if of := b.skip(at); isFor && (b.textIs(of, "of") || b.textIs(of, "in")) {
		for ; at < of; at++ {
			if b.at(at).kind == tIdent {
				b.Push(b.name(at))
			}
		}
		n.Args = b.Take(mark)
		n.X, _ = b.expression(of+1, end)
	} else {
		for at < end {
			at = max(b.plain(at, end), at+1)
		}
		for _, s := range b.Take(mark) {
			b.Push(s)
		}
	}
	if n.Body, i = b.one(end+1, limit); isSwitch {
		n.Kind = surface.Block
	}
	b.Push(n)
	return i
}
