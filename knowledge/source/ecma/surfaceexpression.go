package ecma

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/source/surface"
)

// expression reads an expression up to a comma.
func (b *translator) expression(i, limit int) (*surface.Node, int) {
	if b.deep > deepestNode || i >= limit {
		return b.node(surface.Unknown, i, i+1), max(min(b.skipExpression(i), limit), i)
	}
	b.deep++
	defer func() { b.deep-- }()
	n, i := b.operations(i, limit)
	switch t := b.at(i); {
	case i >= limit:
	case t.isPunct('='), t.isPunct(pAssign):
		bind := b.New(surface.Bind, n.Line, n.From, n.To)
		bind.Text = b.text(i)
		if text := surface.Dotted(n); text == "module.exports" {
			n.Kind, n.Text, n.X = surface.Name, defaultName, nil
		}
		bind.Args = []*surface.Node{n}
		bind.X, i = b.expression(i+1, limit)
		bind.To = bind.X.To
		n = bind
	case t.isPunct('?'):
		then, next := b.expression(i+1, limit)
		other := then
		if b.at(next).isPunct(':') {
			other, next = b.expression(next+1, limit)
		}
		n, i = b.Operation("if", then, n, other), next
	}
	return n, i
}

func (b *translator) operations(i, limit int) (*surface.Node, int) {
	group := b.Group()
	for {
		n, next := b.operand(i, limit)
		b.Push(n)
		i = next
		for (b.at(i).isKeyword(kAs) || b.at(i).isKeyword(kSatisfies)) && !b.at(i).has(fNewline) && i < limit {
			i = max(b.skipType(i+1), i+1)
		}
		t, word := b.at(i), ""
		if i < limit-1 {
			word = b.text(i)
		}
		switch {
		case word == "":
		case t.kind == tIdent && (t.id == kIn || t.id == kInstanceof):
		case t.kind != tPunct:
			word = ""
		default:
			switch t.id {
			case '<', '>':
				if t.match >= 0 {
					word = ""
				}
				for b.at(i).has(fJoint) && i+1 < limit {
					i++
				}
			case pBinary, '+', '-', '*', '/', '%', '&', '|', '^':
			default:
				word = ""
			}
		}
		if word == "" {
			return group.End(), i
		}
		group.Operator(word)
		i++
	}
}

func (b *translator) operand(i, limit int) (*surface.Node, int) {
	start, t := i, b.at(i)
	if i >= limit || b.deep > deepestNode {
		return b.node(surface.Unknown, i, i+1), limit
	}
	b.deep++
	defer func() { b.deep-- }()
	var n *surface.Node
	switch t.kind {
	case tString, tTemplate:
		n = b.node(surface.Text, i, i+1)
		n.Text = unquote(b.src[t.off:t.end])
		i++
	case tTemplateHead:
		n, i = b.template(i, limit)
	case tNumber:
		n = b.node(surface.Number, i, i+1)
		n.Text = b.text(i)
		i++
	case tIdent, tPrivate:
		var done bool
		if n, i, done = b.word(i, limit); done {
			return n, i
		}
	case tPunct:
		switch t.id {
		case '!', '~', '+', '-', pIncrement, pSpread, '*':
			x, next := b.operand(i+1, limit)
			n = b.Operation(b.text(i), x)
			n.From = t.off
			return n, next
		case '(', '[', '{', '<':
			n, i = b.bracket(i, limit)
		default:
			return b.node(surface.Unknown, i, i+1), i
		}
	default:
		n = b.node(surface.Unknown, i, i+1)
		i++
	}
	return b.postfix(n, start, i, limit)
}

// word reads an operand that begins with a word; done means that no selectors follow.
func (b *translator) word(i, limit int) (n *surface.Node, next int, done bool) {
	t, after := b.at(i), b.at(i+1)
	if after.isPunct(pArrow) {
		n, i = b.function(i, limit)
		return n, i, true
	}
	switch t.id {
	case kFunction:
		n, i = b.function(i+1, limit)
		return n, i, false
	case kClass:
		n, i = b.class(i, limit)
		return n, i, true
	case kAsync:
		if (after.kind == tIdent || b.isArrow(i+1)) && !after.has(fNewline) {
			n, i = b.operand(i+1, limit)
			return n, i, true
		}
	case kTypeof, kVoid, kAwait, kYield, kDelete, kNew:
		if t.id == kNew && after.isPunct('.') || after.isPunct(')') || after.isPunct(';') || after.isPunct(',') {
			break
		}
		if n, i = b.operand(i+1, limit); t.id == kDelete {
			n = b.Operation("del", n)
		}
		return n, i, true
	}
	return b.name(i), i + 1, false
}

func (b *translator) postfix(n *surface.Node, start, i, limit int) (*surface.Node, int) {
	for i < limit {
		t := b.at(i)
		if t.isPunct(pOptional) && (b.at(i+1).isPunct('(') || b.at(i+1).isPunct('[')) {
			i++
			t = b.at(i)
		}
		x := n
		switch {
		case (t.isPunct('.') || t.isPunct(pOptional)) && (b.at(i+1).kind == tIdent || b.at(i+1).kind == tPrivate):
			n = b.node(surface.Member, i+1, i+2)
			n.Text = b.text(i + 1)
			i += 2
		case t.isPunct('('), t.isPunct('[') && !t.has(fNewline):
			n = b.node(surface.Call, i, i+1)
			if t.isPunct('[') {
				n.Kind = surface.Index
			}
			end := b.closing(i, limit)
			n.Args, n.Line = b.list(i+1, end), x.Line
			i = end + 1
			n.To = b.at(end).end
		case t.isPunct('!') && t.has(fOperand):
			i++
			continue
		case t.isPunct('<') && !t.has(fJSX) && !b.javascript && b.typeArguments(i) > i:
			i = b.typeArguments(i)
			continue
		case t.isPunct(pIncrement) && !t.has(fNewline):
			return n, i + 1
		case t.kind == tTemplate:
			n = b.node(surface.Call, i, i+1)
			piece := b.node(surface.Text, i, i+1)
			piece.Text = unquote(b.src[t.off:t.end])
			n.Args, n.Line = []*surface.Node{piece}, x.Line
			i++
		case t.kind == tTemplateHead:
			n = b.node(surface.Call, i, i+1)
			var text *surface.Node
			text, i = b.template(i, limit)
			n.Args, n.Line = []*surface.Node{text}, x.Line
		default:
			return n, i
		}
		n.X, n.From = x, b.at(start).off
	}
	return n, i
}

func (b *translator) template(i, limit int) (*surface.Node, int) {
	end := b.closing(i, limit)
	n := b.node(surface.Sum, i, end+1)
	mark := b.Mark()
	for i <= end && i < limit {
		piece := b.node(surface.Text, i, i+1)
		piece.Text = strings.TrimSuffix(strings.TrimLeft(b.text(i), "`}"), "${")
		if piece.Text = strings.TrimSuffix(piece.Text, "`"); piece.Text != "" {
			b.Push(piece)
		}
		if i++; i >= end {
			break
		}
		x, next := b.expression(i, end)
		b.Push(x)
		for i = next; i < end && b.at(i).kind != tTemplateMiddle; i = b.skip(i) {
		}
	}
	n.Args = b.Take(mark)
	return n, end + 1
}

// isArrow reports whether the parenthesis at i opens the parameters of an arrow function.
func (b *translator) isArrow(i int) bool {
	end := int(b.at(i).match)
	if !b.at(i).isPunct('(') || end <= i {
		return false
	}
	after := b.at(end + 1)
	return after.isPunct(pArrow) || after.isPunct(':') && !b.javascript && b.at(b.skipType(end+2)).isPunct(pArrow)
}

func (b *translator) bracket(i, limit int) (*surface.Node, int) {
	if t := b.at(i); t.isPunct('<') && !t.has(fJSX) {
		end := max(b.skipAngles(i), i+1)
		return b.operand(end, limit)
	}
	if b.isArrow(i) {
		return b.function(i, limit)
	}
	end := b.closing(i, limit)
	n := b.node(surface.List, i, end+1)
	switch b.at(i).id {
	case '{':
		n.Kind = surface.Map
		n.Args = b.object(i, end)
	case '<':
		n.Kind = surface.Unknown
		mark := b.Mark()
		for j := i + 1; j < end; j++ {
			if b.at(j).isPunct('{') {
				x, _ := b.expression(j+1, b.closing(j, end))
				b.Push(x)
				j = b.closing(j, end)
			}
		}
		n.Args = b.Take(mark)
	default:
		n.Args = b.list(i+1, end)
		if b.at(i).isPunct('(') && len(n.Args) == 1 {
			return n.Args[0], end + 1
		}
	}
	return n, end + 1
}

func (b *translator) list(i, end int) []*surface.Node {
	mark := b.Mark()
	for i < end {
		if b.at(i).isPunct(',') {
			i++
			continue
		}
		n, next := b.expression(i, end)
		b.Push(n)
		for i = max(next, i+1); i < end && !b.at(i).isPunct(','); i = b.skip(i) {
		}
	}
	return b.Take(mark)
}

func (b *translator) object(open, end int) []*surface.Node {
	mark := b.Mark()
	for i := open + 1; i < end; {
		n, next := b.property(i, end, false)
		if n != nil {
			b.Push(n)
		}
		for i = max(next, i+1); i < end && !b.at(i-1).isPunct(','); i = b.skip(i) {
		}
	}
	return b.Take(mark)
}

// property reads `key: value`, `key`, `key = value`, `key() {}` and `...value`.
func (b *translator) property(i, end int, field bool) (*surface.Node, int) {
	for b.at(i).is(kwModifier) && i+1 < end && (b.at(i+1).kind == tIdent || b.at(i+1).kind == tString || b.at(i+1).isPunct('[')) {
		i++
	}
	n := b.node(surface.Bind, i, i+1)
	var key *surface.Node
	switch t := b.at(i); {
	case t.isPunct(','):
		return nil, i
	case t.isPunct(pSpread):
		return b.operand(i, end)
	case t.kind == tIdent, t.kind == tNumber, t.kind == tPrivate:
		key = b.name(i)
		key.Kind, n.Key = surface.Text, key.Text
	case t.kind == tString:
		key = b.node(surface.Text, i, i+1)
		key.Text = unquote(b.src[t.off:t.end])
		n.Key = key.Text
	case t.isPunct('['):
		key, _ = b.expression(i+1, b.closing(i, end))
	default:
		return nil, i
	}
	n.Args = []*surface.Node{key}
	after := b.skip(i)
	if field {
		if b.at(after).isPunct('?') || b.at(after).isPunct('!') {
			after++
		}
		n.Type, after = b.typed(after)
	}
	switch next := b.at(after); {
	case field && next.isPunct('='):
		n.X, after = b.expression(after+1, end)
	case field && !next.isPunct('(') && !next.isPunct('<'):
		return n, after
	case after >= end, next.isPunct(','), next.isPunct('}'):
		n.X = b.name(i)
	case next.isPunct(':'):
		n.X, after = b.expression(after+1, end)
	case next.isPunct('='):
		n.X = b.node(surface.Bind, i, i+1)
		n.X.Args = []*surface.Node{b.name(i)}
		n.X.X, after = b.expression(after+1, end)
	case next.isPunct('('), next.isPunct('<'):
		n.X, after = b.function(after, end)
	}
	return n, after
}

func (b *translator) function(i, limit int) (*surface.Node, int) {
	n := b.node(surface.Func, i, i+1)
	if b.at(i).isPunct('*') {
		i++
	}
	mark := b.Mark()
	if b.at(i).kind == tIdent {
		if b.at(i + 1).isPunct(pArrow) {
			b.Push(b.name(i))
		} else {
			n.Text = b.text(i)
		}
		i++
	}
	if b.at(i).isPunct('<') {
		i = b.skipAngles(i)
	}
	if b.at(i).isPunct('(') {
		end := b.closing(i, limit)
		for i++; i < end; {
			p, next := b.parameter(i, end)
			b.Push(p)
			for i = max(next, i+1); i < end && !b.at(i).isPunct(','); i = b.skip(i) {
			}
			i++
		}
		i = end + 1
	}
	n.Args = b.Take(mark)
	if b.at(i).isPunct(':') {
		i = b.skipType(i + 1)
	}
	if b.at(i).isPunct(pArrow) {
		i++
		if !b.at(i).isPunct('{') {
			x, next := b.expression(i, limit)
			ret := b.New(surface.Return, x.Line, x.From, x.To)
			ret.X = x
			n.Body = []*surface.Node{ret}
			return n, next
		}
	}
	if b.at(i).isPunct('{') && i < limit {
		end := b.closing(i, limit)
		n.Body = b.block(i+1, end)
		i = end + 1
	}
	return n, i
}

func (b *translator) parameter(i, end int) (*surface.Node, int) {
	for b.at(i).is(kwModifier) && b.at(i+1).kind == tIdent || b.at(i).isPunct(pSpread) {
		i++
	}
	for b.at(i).isPunct('@') {
		_, i = b.operand(i+1, end)
	}
	for b.at(i).is(kwModifier) && b.at(i+1).kind == tIdent {
		i++
	}
	n := b.node(surface.Unknown, i, i+1)
	if b.at(i).kind == tIdent {
		n = b.name(i)
	}
	if i = b.skip(i); b.at(i).isPunct('?') {
		i++
	}
	n.Type, i = b.typed(i)
	if b.at(i).isPunct('=') && i < end {
		n.X, i = b.expression(i+1, end)
	}
	return n, i
}

func (b *translator) class(i, limit int) (*surface.Node, int) {
	n := b.node(surface.Class, i, i+1)
	n.Marks, b.marks = b.marks, nil
	if i++; b.at(i).kind == tIdent && !b.at(i).isKeyword(kExtends) {
		n.Text = b.text(i)
	}
	for i < limit && !b.at(i).isPunct('{') {
		if b.at(i).isKeyword(kExtends) && b.at(i+1).kind == tIdent {
			n.Args = []*surface.Node{b.name(i + 1)}
		}
		i = b.skip(i)
	}
	end, mark := b.closing(i, limit), b.Mark()
	for i++; i < end; {
		if b.at(i).isPunct('@') {
			i = max(b.decorator(i, end), i+1)
			continue
		}
		marks := b.marks
		b.marks = nil
		m, next := b.property(i, end, true)
		if m == nil {
			i = b.skip(i)
			continue
		}
		if m.X != nil && m.X.Kind == surface.Func {
			m.X.Text, m.X.Line = m.Key, m.Line
			m = m.X
		}
		m.Marks = marks
		b.Push(m)
		i = max(next, i+1)
	}
	n.Body = b.Take(mark)
	return n, end + 1
}
