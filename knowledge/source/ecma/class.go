package ecma

import "github.com/causaldocs/causal/knowledge/source"

func (x *extractor) class(i int, m modifiers) int {
	name, j := "", i+1
	if t := x.at(j); t.kind == tIdent && t.id != kExtends && t.id != kImplements {
		name = x.text(j)
		j++
	}
	open := x.classBody(j)
	if !x.at(open).isPunct('{') || name == "" && !m.byName {
		return max(open, i+1)
	}
	end := x.skip(open)
	d := declaration{name: name, kind: source.Class, line: m.start, content: []span{{From: m.start, To: end}}}
	d.visible = []span{m.decor, {From: m.headFrom, To: open}}
	x.classVisible(open, &d)
	d.words, d.bases = span{From: m.headFrom, To: i}, span{From: j, To: open}
	d.signature = x.renderDecorated(m.decor, span{From: m.headFrom, To: open})
	symbol := x.complete(d, m)
	if name == "" {
		name = "default"
	}
	x.classMembers(open, x.scopes[x.current].prefix+name, symbol)
	return end
}

// classBody finds the opening brace of a class body; i is at the heritage.
func (x *extractor) classBody(i int) int {
	for i < len(x.t) {
		t := x.t[i]
		if t.isPunct('{') && (t.has(fClass) || x.at(i-1).kind == tIdent && !x.at(i-1).isKeyword(kExtends)) || t.isPunct(';') {
			return i
		}
		i = x.skip(i)
	}
	return i
}

// member is a class or interface element.
type member struct {
	start, from int // first token, with and without decorators
	name        string
	key         int
	kind        source.Kind
	head        int // end of its signature and type
	params      int
	call        int // type parameters, or params if it has none
	value       span
	end         int
	private     bool
	readonly    bool
	modified    bool // has a modifier that turns a parameter into a property
}

// member reads one element of a body. Index, call and construct signatures and static blocks have no name.
func (x *extractor) member(i, limit int) member {
	e := member{start: i, params: -1, kind: source.Field}
	i = x.decorators(i)
	e.from = i
	i = x.memberModifiers(i, &e)
	if x.at(i).isPunct('*') {
		i++
	}
	if x.at(i).isPunct('{') && x.at(i-1).isKeyword(kStatic) {
		e.head, e.end = i, x.skip(i)
		return e
	}
	i = x.memberKey(i, &e)
	for x.at(i).isPunct('?') || x.at(i).isPunct('!') {
		i++
	}
	if t := x.at(i); t.isPunct('(') || t.isPunct('<') {
		e.call = i
		e.head, e.params = x.signatureEnd(i)
		if e.kind != source.Field || !x.accessor(&e) {
			e.kind = source.Method
		}
		e.end = x.bodyEnd(e.head)
	} else {
		x.fieldRest(i, &e)
	}
	e.end = min(max(e.end, e.start+1), limit)
	e.head = min(max(e.head, e.from), e.end)
	if x.at(e.end).isPunct(';') || x.at(e.end).isPunct(',') {
		e.end++
	}
	return e
}

func (x *extractor) accessor(e *member) bool {
	for i := e.from; i < e.key; i++ {
		if x.t[i].isKeyword(kGet) || x.t[i].isKeyword(kSet) {
			return true
		}
	}
	return false
}

// memberModifiers skips modifiers that are not themselves the name.
func (x *extractor) memberModifiers(i int, e *member) int {
	for x.at(i).is(kwModifier) {
		next := x.at(i + 1)
		if next.kind == tPunct && next.id != '[' && next.id != '*' && next.id != '{' && next.id != '#' {
			return i
		}
		if next.isPunct('{') && x.t[i].id != kStatic {
			return i
		}
		id := x.t[i].id
		if next.has(fNewline) && (id == kAsync || id == kAccessor || id == kDeclare || id == kAbstract) {
			return i
		}
		e.private = e.private || id == kPrivate
		e.readonly = e.readonly || id == kReadonly
		e.modified = e.modified || id == kPublic || id == kPrivate || id == kProtected || id == kReadonly || id == kOverride
		i++
	}
	return i
}

func (x *extractor) memberKey(i int, e *member) int {
	t, next := x.at(i), x.at(i+1)
	e.key = i
	switch {
	case t.isKeyword(kNew) && next.isCall(): // construct signature
	case t.isPunct('['):
		if next.kind != tIdent || !x.at(i+2).isPunct(':') && !x.at(i+2).isKeyword(kIn) {
			e.name = x.render(i, x.skip(i))
		}
		return x.skip(i)
	case t.kind == tString:
		e.name = unquote([]byte(x.text(i)))
	case t.isName(), t.kind == tNumber:
		e.name, e.private = x.text(i), e.private || t.kind == tPrivate
	default:
		return i
	}
	return i + 1
}

func (x *extractor) fieldRest(i int, e *member) {
	if x.at(i).isPunct(':') {
		i = x.skipType(i + 1)
	}
	e.head, e.end, e.value = i, i, span{From: i, To: i}
	if x.at(i).isPunct('=') {
		e.end = x.skipExpression(i + 1)
		e.value = span{From: i + 1, To: e.end}
	}
}

func (x *extractor) members(open int, each func(member)) {
	limit := int(x.t[open].match)
	for i := open + 1; i < limit; {
		if t := x.t[i]; t.isPunct(';') || t.isPunct(',') {
			i++
			continue
		}
		e := x.member(i, limit)
		each(e)
		i = max(e.end, i+1)
	}
}

// classVisible collects the tokens of the class's own interface: non-private fields, index signatures and the
// constructor.
func (x *extractor) classVisible(open int, d *declaration) {
	x.members(open, func(e member) {
		if e.private || e.kind != source.Field && e.name != "constructor" || x.at(e.head).isPunct('{') && e.kind == source.Field && e.name == "" {
			return
		}
		d.visible = append(d.visible, x.memberVisible(e)...)
	})
}

func (x *extractor) memberVisible(e member) []span {
	visible := []span{{From: e.start, To: e.head}}
	if x.showsValue(e) {
		visible = append(visible, e.value)
	}
	return visible
}

// showsValue reports whether a field's value is part of its interface: the field is constant or has no declared type.
func (x *extractor) showsValue(e member) bool {
	return !e.value.Empty() && (e.readonly || e.head == e.key+1)
}

func (x *extractor) classMembers(open int, class string, parent int) {
	if len(class) > longestPrefix {
		return
	}
	x.classes[open] = class
	x.fieldTypes(open, class)
	x.members(open, func(e member) {
		if e.name == "" {
			return
		}
		x.addMember(e, class, parent)
		x.properties(e, func(p member) {
			p.value = span{}
			x.addMember(p, class, parent)
		})
	})
}

func (x *extractor) addMember(e member, holder string, parent int) {
	d := x.memberOf(holder, e.name, parent, e.kind, span{From: e.start, To: e.end})
	d.exported, d.visible = !e.private, x.memberVisible(e)
	d.bare = e.kind == source.Method && !x.at(e.head).isPunct('{')
	d.signature = x.renderDecorated(span{From: e.start, To: e.from}, span{From: e.from, To: e.head})
	x.describe(&d, e)
	if x.showsValue(e) {
		if head, call, ok := x.functionValue(e.value); ok {
			d.kind, d.call = source.Method, call
			d.visible = []span{{From: e.start, To: e.head}, {From: e.value.From, To: head}}
			d.signature += " = " + x.functionSignature(e.value.From, head)
		} else if shown := x.short(e.value); shown != "" {
			d.signature += " = " + shown
		}
	}
	x.add(d)
}

// properties calls each with the parameters of a constructor that declare fields.
func (x *extractor) properties(e member, each func(member)) {
	if e.name != "constructor" || e.params < 0 {
		return
	}
	limit := int(x.t[e.params].match)
	x.list(e.params, limit, func(i int) int {
		p := x.member(i, limit)
		if p.modified && p.name != "" {
			each(p)
		}
		return p.end - 1
	})
}

func (x *extractor) interfaceDeclaration(i int, m modifiers) int {
	open := i + 2
	for open < len(x.t) && !x.t[open].isPunct('{') && !x.t[open].isPunct(';') {
		if x.t[open].isPunct('<') {
			open = x.skipAngles(open)
			continue
		}
		open = x.skip(open)
	}
	if !x.at(open).isPunct('{') {
		return open
	}
	end := x.skip(open)
	d := declaration{name: x.text(i + 1), kind: source.Interface, line: m.start, content: []span{{From: m.start, To: end}}}
	d.visible, d.bases = []span{{From: m.headFrom, To: end}}, span{From: i + 2, To: open}
	x.objectType(d, m, open)
	return end
}

func (x *extractor) objectType(d declaration, m modifiers, open int) {
	d.signature = x.renderMembers(m.headFrom, open)
	name := x.scopes[x.current].prefix + d.name
	symbol := x.complete(d, m)
	if len(name) > longestPrefix {
		return
	}
	x.members(open, func(e member) {
		if e.name != "" {
			x.addMember(e, name, symbol)
		}
	})
}
