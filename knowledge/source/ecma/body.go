package ecma

import (
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
)

// longestPath bounds the names in a reference; further selectors count as open members.
const longestPath = 16

// resolve replays the events with complete scopes and resolves each name.
func (b *binder) resolve() {
	b.prepare()
	for i := range b.events {
		b.meet(&b.events[i])
	}
}

func (b *binder) prepare() {
	b.names.top = make([]int32, b.names.Len())
	b.prefixes = nil
	b.branches, b.forks = b.findBranches()
	b.owners = newOwners(b.x.spans)
	b.interfaces = newOwners(b.x.shown)
	b.expose(0)
}

func (b *binder) meet(e *event) {
	switch e.kind {
	case opens:
		b.expose(e.name)
		if p := b.blocks[e.name].apart; p.to > 0 {
			b.apart = append(b.apart, p)
		}
	case closes:
		b.hide(e.name)
		if b.blocks[e.name].apart.to > 0 {
			b.apart = b.apart[:len(b.apart)-1]
		}
	case refers, passes:
		b.reference(e)
	case selects:
		b.member(e, int(e.token), e.use)
	}
}

func (b *binder) expose(n int32) {
	for i := b.blocks[n].locals; i != 0; i = b.locals[i].next {
		l := &b.locals[i]
		l.hidden = b.names.top[l.name]
		b.names.top[l.name] = i
	}
	if p := b.blocks[n].prefix; p != "" {
		b.prefixes = append(b.prefixes, p+".")
	}
}

func (b *binder) hide(n int32) {
	for i := b.blocks[n].locals; i != 0; i = b.locals[i].next {
		l := b.locals[i]
		for top := b.names.top[l.name]; top != 0 && b.locals[top].block == n; top = b.locals[top].hidden {
			b.names.top[l.name] = b.locals[top].hidden
		}
	}
	if b.blocks[n].prefix != "" {
		b.prefixes = b.prefixes[:len(b.prefixes)-1]
	}
}

func (b *binder) reference(e *event) {
	n := b.lookup(e)
	if e.name < reservedNames || n != 0 && !b.blocks[b.locals[n].block].outer {
		b.bound(e, b.locals[n].typ)
		return
	}
	b.t[e.token].flags |= fFree
	if e.kind == refers && b.unnamed == nil {
		b.interfaceNames(int(e.token))
	}
	if e.use != source.AsType || e.meaning == asValue {
		b.t[e.token].flags |= fValue
	}
	if n == 0 && (b.exported(e) || b.fromOutside(e)) {
		return
	}
	if imp, ok := b.x.bindings[b.names.Text(e.name)]; ok && b.unnamed == nil {
		b.x.use(int(e.token), imp)
	}
	parent := b.holder(e, n)
	if n != 0 && parent == 0 && b.locals[n].nested && b.owners.inner(int(e.token)).symbol < 0 {
		return // top-level statements use a variable of the file
	}
	p, i := b.free(e, parent)
	if e.types > 0 && e.kind == refers && !b.locals[n].vague {
		b.locals[e.types].typ = p
	}
	b.add(e, p, e.useAt(i-1))
	b.openMembers(e, i)
}

// lookup returns the local of a name, or 0 if no enclosing block binds it with the requested meaning.
func (b *binder) lookup(e *event) int32 {
	n := b.names.top[e.name]
	for n != 0 && b.locals[n].meaning&e.meaning == 0 {
		n = b.locals[n].hidden
	}
	return n
}

// free returns the path of a name with its selectors, and the token after it.
func (b *binder) free(e *event, parent int32) (p int32, i int) {
	p = b.paths.Join(parent, e.name)
	i = int(e.token) + 1
	for n := 1; i < int(e.end) && n < longestPath; i++ {
		if !b.t[i].isName() || i+1 < int(e.end) && b.x.textIs(i, "prototype") {
			continue
		}
		p = b.paths.Join(p, b.number(i))
		n++
	}
	if !b.typed && b.at(i).isPunct('=') && i > int(e.token)+1 {
		// An assignment of a method to a class uses the class.
		if _, ok := b.x.index[string(b.spelled(p))]; ok {
			p, _ = b.paths.Split(p)
		}
	}
	return p, i
}

// exported records a use of exports.name as a use of the symbol name.
func (b *binder) exported(e *event) bool {
	i := int(e.token)
	if !b.typed && b.t[i].isKeyword(kModule) {
		i += 2
	}
	if b.typed || i >= int(e.end) || !b.t[i].isKeyword(kExports) {
		return false
	}
	if i += 2; i >= int(e.end) {
		return false
	}
	if _, ok := b.x.index[b.x.text(i)]; !ok || i+1 == int(e.end) && b.at(i+1).isPunct('=') {
		return false
	}
	b.add(e, b.paths.Join(0, b.number(i)), e.useAt(i))
	b.openMembers(e, i+1)
	return true
}

// fromOutside reports whether an unbound name is not part of the program.
func (b *binder) fromOutside(e *event) bool {
	known := globals[b.names.Text(e.name)]
	if known == closed && e.types > 0 && int(e.end) == int(e.token)+1 {
		b.locals[e.types].typ = builtin
	}
	return known != unknown && b.holder(e, 0) == 0
}

// holder returns the path of the namespace that declares a name, or 0.
func (b *binder) holder(e *event, n int32) int32 {
	if n != 0 && b.locals[n].block != 0 {
		return b.literal(b.blocks[b.locals[n].block].prefix)
	}
	for i := len(b.prefixes) - 1; i >= 0; i-- {
		// Another part of the namespace may declare it.
		if _, ok := b.x.index[b.prefixes[i]+b.names.Text(e.name)]; ok {
			return b.literal(b.prefixes[i][:len(b.prefixes[i])-1])
		}
	}
	return 0
}

func (b *binder) bound(e *event, typ int32) {
	i := int(e.token) + 1
	if e.use == source.AsType && e.meaning != asValue || i >= int(e.end) {
		if e.name == nameSuper && typ > 0 && e.use == source.AsCall {
			b.add(e, typ, source.AsType)
		}
		return
	}
	for !b.t[i].isName() {
		i++
	}
	if typ == 0 && b.t[i].kind == tPrivate {
		typ = b.locals[b.names.top[namePrivate]].typ
	}
	switch {
	case typ > 0:
		member := b.paths.Join(typ, b.number(i))
		b.add(e, member, e.useAt(i))
		for i++; i+1 < int(e.end) && !b.t[i].isName(); {
			i++
		}
		if typ = b.fieldType(member); typ > 0 && i < int(e.end) && e.name == nameThis {
			b.add(e, b.paths.Join(typ, b.number(i)), e.useAt(i))
			i++
		}
	case typ == builtin:
		i++
	}
	b.openMembers(e, i)
}

// openMembers records the selectors from token i on for a value of unknown type.
func (b *binder) openMembers(e *event, i int) {
	for ; i < int(e.end); i++ {
		if b.t[i].isName() {
			b.member(e, i, e.useAt(i))
		}
	}
}

// useAt is the use of the member at token i: only the last one is used as the whole is.
func (e *event) useAt(i int) source.How {
	if i+1 < int(e.end) {
		return source.AsValue
	}
	return e.use
}

// member records a member of a value of unknown type. A private member belongs to the enclosing class.
func (b *binder) member(e *event, i int, use source.How) {
	if typ := b.locals[b.names.top[namePrivate]].typ; typ > 0 && b.t[i].kind == tPrivate {
		b.add(e, b.paths.Join(typ, b.number(i)), use)
		return
	}
	b.add(e, b.paths.Join(0, b.number(i)), use|source.AsOpen)
}

func (b *binder) add(e *event, p int32, how source.How) {
	m := source.Mention{Owner: e.types, Name: p, At: e.token, Place: e.token, How: how}
	if how&^source.AsOpen == source.AsCall {
		m.Place = e.close
	}
	if b.unnamed != nil {
		if owner, branch := b.unnamed(e, b.owners.inner(int(e.token))); owner >= 0 && e.kind != passes {
			if m.Owner, m.Branch = int32(owner), branch; e.later {
				m.Branch = control.Apart
			}
			b.found.List = append(b.found.List, m)
		}
		return
	}
	if e.kind == passes {
		if e.types >= 0 {
			b.found.List = append(b.found.List, m)
		}
		return
	}
	b.owners.each(int(e.token), func(s ownSpan) {
		if m.Branch = b.branchOf(e.token, s); e.later {
			m.Branch = control.Apart
		}
		m.Owner = int32(s.symbol)
		b.found.List = append(b.found.List, m)
	})
}

// bodies assigns the references to the symbols, and returns those of the file.
func (b *binder) bodies() (body []source.Reference) {
	b.found.References(len(b.x.symbols), b, b.forks, func(owner int, list []source.Reference) {
		if owner < 0 {
			body = list
			return
		}
		s := &b.x.symbols[owner]
		s.Body, s.Nests = list, source.NestsOf(list, b.forks)
	})
	return body
}
