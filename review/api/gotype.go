package api

import (
	"fmt"
	"go/types"
	"reflect"
)

func (c *goComparer) typeName(was, now *types.TypeName) {
	old, new := types.Unalias(was.Type()), types.Unalias(now.Type())
	if was.IsAlias() {
		if !c.same(old, new) {
			c.value(was.Name(), was, now)
		}
		return
	}
	from, ok := old.(*types.Named)
	to, still := new.(*types.Named)
	if !ok || !still || opaque(from) || opaque(to) {
		return
	}
	if from.TypeParams().Len() != to.Origin().TypeParams().Len() {
		c.add(breakage{
			symbol: was.Name(), kind: "type parameters changed",
			text: fmt.Sprintf("had %d type parameters and has %d now: code that names it no longer compiles", from.TypeParams().Len(), to.TypeParams().Len()),
		}, was, now)
		return
	}
	if c.constraints(was, now, from.TypeParams(), to.Origin().TypeParams()) {
		return
	}
	c.underlying(was, now, from, to)
	if !types.IsInterface(from) && !types.IsInterface(to) {
		c.methods(was, from, to)
	}
}

func (c *goComparer) underlying(was, now *types.TypeName, from, to *types.Named) {
	switch old := from.Underlying().(type) {
	case *types.Struct:
		if new, ok := to.Underlying().(*types.Struct); ok {
			c.fields(was, old, new, to)
			return
		}
	case *types.Interface:
		if new, ok := to.Underlying().(*types.Interface); ok {
			c.interfaces(was, now, old, new)
			return
		}
	case *types.Basic:
		if new, ok := to.Underlying().(*types.Basic); ok && widens(old, new) {
			return
		}
	}
	if !c.same(from.Underlying(), to.Underlying()) {
		c.add(breakage{
			symbol: was.Name(), kind: "type changed", proof: func(use) bool { return false },
			text: fmt.Sprintf("was %s and is %s now: existing code for the old type does not compile", c.shown(from, c.old), c.shown(to, c.new)),
		}, was, now)
	}
}

func (c *goComparer) shown(t *types.Named, in *types.Package) string {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return "a struct"
	case *types.Interface:
		return "an interface"
	default:
		return c.text(u, in)
	}
}

// widths groups the numeric kinds and orders each group so that later kinds hold all values of earlier ones.
var widths = map[types.BasicKind][2]int{
	types.Int8: {1, 1}, types.Int16: {1, 2}, types.Int32: {1, 3}, types.Int: {1, 4}, types.Int64: {1, 5},
	types.Uint8: {2, 1}, types.Uint16: {2, 2}, types.Uint32: {2, 3}, types.Uint: {2, 4}, types.Uint64: {2, 5},
	types.Float32: {3, 1}, types.Float64: {3, 2}, types.Complex64: {4, 1}, types.Complex128: {4, 2},
}

func widens(was, now *types.Basic) bool {
	old, new := widths[was.Kind()], widths[now.Kind()]
	return was.Kind() == now.Kind() || old[0] != 0 && old[0] == new[0] && old[1] < new[1]
}

func (c *goComparer) fields(was *types.TypeName, old, new *types.Struct, to *types.Named) {
	current, selectable := map[string]*types.Var{}, newMembers(to)
	for f := range new.Fields() {
		current[f.Name()] = f
	}
	for f := range old.Fields() {
		symbol := was.Name() + "." + f.Name()
		switch still := current[f.Name()]; {
		case !f.Exported():
		case still != nil:
			c.value(symbol, f, still)
		case !selectable.may(f.Name()):
			c.add(breakage{symbol: symbol, kind: "field removed", text: "was removed: code that reads or sets it no longer compiles"}, f, nil)
		}
	}
}

// methods compares the exported methods of a type: its own and those promoted from unexported types.
func (c *goComparer) methods(was *types.TypeName, from, to *types.Named) {
	current, selectable := map[string]*types.Func{}, newMembers(to)
	for s := range types.NewMethodSet(types.NewPointer(to)).Methods() {
		current[s.Obj().Name()], _ = s.Obj().(*types.Func)
	}
	values, valuesNow := types.NewMethodSet(from), types.NewMethodSet(to)
	for s := range types.NewMethodSet(types.NewPointer(from)).Methods() {
		m := s.Obj()
		symbol := was.Name() + "." + m.Name()
		switch still := current[m.Name()]; {
		case !m.Exported() || len(s.Index()) > 1 && (m.Pkg() != c.old || !hidden(m)): // methods promoted from an exported type are reported there
		case still != nil && len(s.Index()) == 1 && values.Lookup(m.Pkg(), m.Name()) != nil && valuesNow.Lookup(still.Pkg(), m.Name()) == nil:
			c.add(breakage{
				symbol: symbol, kind: "receiver made a pointer", unplaced: true,
				text: fmt.Sprintf("is a method of *%s now: a %s, and not its address, lacks it where an interface asks for it", was.Name(), was.Name()),
			}, m, still)
		case still != nil:
			c.value(symbol, m, still)
		case !selectable.may(m.Name()) && c.pair.now.declared[symbol] == nil:
			c.add(breakage{symbol: symbol, kind: "method removed", text: "was removed: code that calls it no longer compiles"}, m, nil)
		}
	}
}

func hidden(m types.Object) bool {
	f, ok := m.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	return ok && !named.Obj().Exported()
}

// opaque reports whether only the name of a type is known.
func opaque(t types.Type) bool {
	u := t.Underlying()
	return u == unknown || u == types.Typ[types.Invalid]
}

// members holds the names that can be selected from a type.
type members struct {
	names   map[string]bool
	unknown bool // whether there may be further members
	seen    map[types.Type]bool
}

func newMembers(t *types.Named) *members {
	m := &members{names: map[string]bool{}, seen: map[types.Type]bool{}}
	m.take(t)
	return m
}

func (m *members) may(name string) bool { return m.unknown || m.names[name] }

func (m *members) take(t types.Type) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if m.seen[t] {
		return
	}
	m.seen[t] = true
	m.unknown = m.unknown || opaque(t)
	if named, ok := t.(*types.Named); ok {
		for f := range named.Methods() {
			m.names[f.Name()] = true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			m.names[f.Name()] = true
			if f.Embedded() {
				m.take(f.Type())
			}
		}
	case *types.Interface:
		m.unknown = m.unknown || unknownMethods(u)
		for f := range u.Methods() {
			m.names[f.Name()] = true
		}
	}
}

// unknownMethods reports whether an interface embeds an opaque type.
func unknownMethods(i *types.Interface) bool {
	for t := range i.EmbeddedTypes() {
		if opaque(t) {
			return true
		}
		if u, ok := t.Underlying().(*types.Interface); ok && unknownMethods(u) {
			return true
		}
	}
	return false
}

func (c *goComparer) interfaces(was, now *types.TypeName, old, new *types.Interface) {
	if !old.IsMethodSet() || !new.IsMethodSet() || unknownMethods(old) || unknownMethods(new) {
		return
	}
	before, after, sealed := methodsOf(old), methodsOf(new), false
	kept, told := c.embedded(old, new), c.embedded(new, old)
	for m := range old.Methods() {
		sealed = sealed || !m.Exported()
		symbol := was.Name() + "." + m.Name()
		switch still := after[m.Name()]; {
		case !m.Exported() || kept[m.Name()]:
		case still != nil:
			at := len(c.broken)
			c.value(symbol, m, still)
			if len(c.broken) > at {
				c.broken[at].structural = !sealed
				c.broken[at].early = c.callsFit(m.Signature(), still.Signature()) && c.handsOut(was)
			}
		default:
			c.add(breakage{symbol: symbol, kind: "method removed from interface", text: "was removed: code that calls it no longer compiles"}, m, nil)
		}
	}
	for m := range new.Methods() {
		if sealed || before[m.Name()] != nil || told[m.Name()] {
			continue
		}
		b := breakage{
			symbol: was.Name() + "." + m.Name(), kind: "method added to interface", implementers: true, structural: true,
			early: old.NumMethods() >= manyMethods || c.handsOut(was),
			text:  "was added: types that implement " + was.Name() + " and are declared elsewhere do so no longer",
		}
		if m.Pkg() == c.new {
			c.add(b, nil, m)
		} else {
			c.add(b, was, now)
		}
	}
}

func methodsOf(i *types.Interface) map[string]*types.Func {
	out := map[string]*types.Func{}
	for m := range i.Methods() {
		out[m.Name()] = m
	}
	return out
}

// embedded returns the methods that an interface gets from exported interfaces which another one embeds too. Changes
// of these are reported at the embedded interface.
func (c *goComparer) embedded(in, other *types.Interface) map[string]bool {
	both, out := map[string]bool{}, map[string]bool{}
	for t := range other.EmbeddedTypes() {
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Exported() {
			both[types.TypeString(named.Origin(), nil)] = true
		}
	}
	for t := range in.EmbeddedTypes() {
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || !both[types.TypeString(named.Origin(), nil)] {
			continue
		}
		if i, ok := named.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				out[m.Name()] = true
			}
		}
	}
	return out
}

func sameKind(a, b types.Type) bool { return reflect.TypeOf(a) == reflect.TypeOf(b) }
