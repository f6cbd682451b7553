package ecma

import "github.com/causaldocs/causal/knowledge/source"

// longestValue bounds the length of a value shown in a signature.
const longestValue = 80

// variables reads `const a = 1, {b, c: d} = f()`; i is the keyword.
func (x *extractor) variables(i int, m modifiers) int {
	kind := source.Var
	if x.at(i).id == kConst {
		kind = source.Const
	}
	keyword := span{From: m.headFrom, To: i + 1}
	for j := i + 1; ; {
		end := x.declarator(j, keyword, kind, m)
		if !x.at(end).isPunct(',') {
			return max(x.semicolon(end), i+1)
		}
		j = end + 1
		m.start = j // the first declarator has the documentation
	}
}

func (x *extractor) declarator(i int, keyword span, kind source.Kind, m modifiers) int {
	t := x.at(i)
	pattern := t.isPunct('{') || t.isPunct('[')
	if t.kind != tIdent && !pattern {
		return x.skipExpression(i)
	}
	j := x.skip(i)
	if x.at(j).isPunct('!') {
		j++
	}
	if x.at(j).isPunct(':') {
		j = x.skipType(j + 1)
	}
	value := span{From: j, To: j}
	if x.at(j).isPunct('=') {
		value = x.assignedTo(i, span{From: j + 1, To: x.skipExpression(j + 1)})
	}
	if !value.Empty() && x.requires(i, value) {
		return value.To
	}
	d := declaration{kind: kind, line: m.start, content: []span{{From: min(m.start, keyword.From), To: keyword.To}, {From: i, To: value.To}}}
	if pattern {
		x.destructured(i, value, keyword, d, m)
		return value.To
	}
	d.name = x.text(i)
	x.noteList(d.name, value, false)
	if x.classValue(span{From: i, To: j}, value, d, m) {
		return value.To
	}
	x.bind(&d, []span{keyword, {From: i, To: j}}, value)
	x.noteObject(x.complete(d, m), value)
	return value.To
}

func (x *extractor) bind(d *declaration, name []span, value span) {
	typed := name[len(name)-1].To > name[len(name)-1].From+1
	head := x.renderAs(false, name...)
	if value.Empty() {
		d.visible, d.signature = name, head
		return
	}
	d.typ = x.annotation(name[len(name)-1])
	if end, call, ok := x.functionValue(value); ok {
		d.kind, d.call, d.words = source.Func, call, span{From: value.From, To: call}
		d.visible = append(name, span{From: value.From, To: end})
		d.signature = head + " = " + x.functionSignature(value.From, end)
		return
	}
	shown := x.short(value)
	d.visible = name
	if !typed || shown != "" {
		d.visible = append(name, value)
	}
	d.signature = head
	if shown != "" {
		d.signature += " = " + shown
	}
}

func (x *extractor) functionSignature(from, head int) string {
	if x.at(head - 1).isPunct(pArrow) {
		return x.render(from, head) + " …"
	}
	return x.render(from, head)
}

func (x *extractor) short(value span) string {
	if size := x.at(value.To-1).end - x.at(value.From).off; size > 4*longestValue {
		return ""
	}
	for i := value.From; i < value.To; i++ {
		if x.t[i].has(fBlock) {
			return ""
		}
	}
	if shown := x.render(value.From, value.To); len(shown) <= longestValue {
		return shown
	}
	return ""
}

// functionValue reports whether the value is a function or arrow expression, and returns the end of its head and the
// start of its type parameters or parameters.
func (x *extractor) functionValue(value span) (head, call int, ok bool) {
	i := value.From
	if x.at(i).isKeyword(kAsync) && !x.at(i+1).has(fNewline) && !x.at(i+1).isPunct(pArrow) {
		i++
	}
	if x.at(i).isKeyword(kFunction) {
		_, i = x.functionName(i)
		head, params := x.signatureEnd(i)
		return head, i, params >= 0 && x.at(head).isPunct('{') && x.skip(head) >= value.To
	}
	if x.at(i).kind == tIdent && x.at(i+1).isPunct(pArrow) {
		return i + 2, i, true
	}
	head, params := x.signatureEnd(i)
	return head + 1, i, params >= 0 && x.at(head).isPunct(pArrow)
}

func (x *extractor) classValue(name, value span, d declaration, m modifiers) bool {
	if value.Empty() || !x.at(value.From).isKeyword(kClass) {
		return false
	}
	open := x.classBody(value.From + 1)
	if !x.at(open).isPunct('{') || x.skip(open) < value.To {
		return false
	}
	d.kind = source.Class
	d.visible, d.bases = []span{name, {From: value.From, To: open}}, span{From: value.From + 1, To: open}
	x.classVisible(open, &d)
	d.signature = x.render(name.From, name.To) + " = " + x.render(value.From, open)
	x.classMembers(open, x.scopes[x.current].prefix+d.name, x.complete(d, m))
	return true
}

func (x *extractor) destructured(open int, value, keyword span, d declaration, m modifiers) {
	for _, i := range x.patternNames(open) {
		d := d
		d.name = x.text(i)
		d.visible = []span{keyword, {From: i, To: i + 1}, {From: open, To: x.skip(open)}, value}
		d.signature = x.render(keyword.From, keyword.To) + " " + d.name
		x.complete(d, m)
	}
}

func (x *extractor) patternNames(open int) []int {
	var names []int
	end := int(x.t[open].match)
	for i := open + 1; i < end; {
		t, next := x.t[i], x.at(i+1)
		switch {
		case t.kind == tIdent && (next.isPunct(',') || next.isPunct('}') || next.isPunct(']')):
			names = append(names, i)
			i++
		case t.kind == tIdent && next.isPunct('='):
			names = append(names, i)
			i = x.skipExpression(i + 2)
		case t.isPunct('='):
			i = x.skipExpression(i + 1)
		case t.isPunct('[') && x.skip(i) <= end && x.at(x.skip(i)).isPunct(':'):
			i = x.skip(i) // a computed key
		default:
			i++
		}
	}
	return names
}
