package api

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var equal = token.EQL

// same reports whether a type may be unchanged. Invalid types match everything, and unexported types may have a new
// name. Exported named types are compared at their declarations.
func (c *goComparer) same(was, now types.Type) bool {
	was, now = types.Unalias(was), types.Unalias(now)
	key := [2]types.Type{was, now}
	if known, ok := c.alike[key]; ok {
		return known
	}
	c.alike[key] = true // breaks cycles of types
	c.alike[key] = c.identical(was, now)
	return c.alike[key]
}

func (c *goComparer) identical(was, now types.Type) bool {
	if was == types.Typ[types.Invalid] || now == types.Typ[types.Invalid] {
		return true
	}
	if old, ok := was.(*types.Named); ok {
		return c.sameNamed(old, now)
	}
	if !sameKind(was, now) {
		return c.mayBe(now) || c.assignable(was, now)
	}
	switch old := was.(type) {
	case *types.Basic:
		return old.Kind() == now.(*types.Basic).Kind()
	case *types.Pointer:
		return c.same(old.Elem(), now.(*types.Pointer).Elem())
	case *types.Slice:
		return c.same(old.Elem(), now.(*types.Slice).Elem())
	case *types.Array:
		new := now.(*types.Array)
		return c.same(old.Elem(), new.Elem()) && (old.Len() == new.Len() || old.Len() < 0 || new.Len() < 0)
	case *types.Map:
		return c.same(old.Key(), now.(*types.Map).Key()) && c.same(old.Elem(), now.(*types.Map).Elem())
	case *types.Chan:
		return c.same(old.Elem(), now.(*types.Chan).Elem()) && old.Dir() == now.(*types.Chan).Dir()
	case *types.TypeParam:
		return old.Index() == now.(*types.TypeParam).Index()
	case *types.Tuple:
		return c.sameTuple(old, now.(*types.Tuple))
	case *types.Signature:
		new := now.(*types.Signature)
		return old.Variadic() == new.Variadic() && c.same(old.Params(), new.Params()) && c.same(old.Results(), new.Results())
	case *types.Struct:
		return c.sameStruct(old, now.(*types.Struct))
	case *types.Interface:
		return c.sameInterface(old, now.(*types.Interface))
	}
	return true
}

func (c *goComparer) sameTuple(was, now *types.Tuple) bool {
	return slices.EqualFunc(slices.Collect(was.Variables()), slices.Collect(now.Variables()), func(a, b *types.Var) bool { return c.same(a.Type(), b.Type()) })
}

func (c *goComparer) sameStruct(was, now *types.Struct) bool {
	if was.NumFields() != now.NumFields() {
		return false
	}
	for i := range was.NumFields() {
		old, new := was.Field(i), now.Field(i)
		if old.Name() != new.Name() || old.Embedded() != new.Embedded() || was.Tag(i) != now.Tag(i) || !c.same(old.Type(), new.Type()) {
			return false
		}
	}
	return true
}

func (c *goComparer) sameInterface(was, now *types.Interface) bool {
	if !was.IsMethodSet() || !now.IsMethodSet() || unknownMethods(was) || unknownMethods(now) {
		return true
	}
	if was.NumMethods() != now.NumMethods() {
		return false
	}
	after := methodsOf(now)
	for m := range was.Methods() {
		if n := after[m.Name()]; n == nil || !c.same(m.Type(), n.Type()) {
			return false
		}
	}
	return true
}

func (c *goComparer) sameNamed(was *types.Named, now types.Type) bool {
	obj := was.Obj()
	if obj.Pkg() == c.old {
		if !obj.Exported() || c.new.Scope().Lookup(obj.Name()) == nil {
			return true // renamed, or its own removal is reported
		}
	}
	if !namedType(now) && c.assignable(now, was) {
		return true
	}
	if new, ok := now.(*types.Named); ok && c.sameName(obj, new.Obj()) {
		return c.sameArguments(was, new)
	}
	if c.aliased(obj, now) {
		return true
	}
	if new, ok := now.(*types.Named); ok && obj.Name() == new.Obj().Name() && (opaque(was) || opaque(new)) {
		return true // os.FileInfo is fs.FileInfo
	}
	return opaque(was) && thirdParty(obj.Pkg()) && !namedType(now) || c.mayBe(now) && !namedType(was)
}

func namedType(t types.Type) bool { _, ok := t.(*types.Named); return ok }

// assignable reports whether an unnamed type is the underlying type of a named one, so values are assignable.
func (c *goComparer) assignable(literal, named types.Type) bool {
	t, ok := named.(*types.Named)
	if _, basic := literal.(*types.Basic); !ok || basic || opaque(t) || t.TypeArgs().Len() > 0 || !sameKind(literal, t.Underlying()) {
		return false
	}
	if t.Obj().Pkg() == c.old {
		return c.same(t.Underlying(), literal)
	}
	return c.same(literal, t.Underlying())
}

// mayBe reports whether a type may be an alias of any type, because only its name is known.
func (c *goComparer) mayBe(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && opaque(named) && thirdParty(named.Obj().Pkg())
}

// thirdParty reports whether a package is from another module. The standard library rarely uses aliases.
func thirdParty(p *types.Package) bool {
	if p == nil {
		return false
	}
	first, _, _ := strings.Cut(p.Path(), "/")
	return strings.Contains(first, ".")
}

func (c *goComparer) sameName(was, now types.Object) bool {
	if was.Name() != now.Name() || (was.Pkg() == nil) != (now.Pkg() == nil) {
		return false
	}
	return was.Pkg() == nil || was.Pkg().Path() == now.Pkg().Path()
}

func (c *goComparer) sameArguments(was, now *types.Named) bool {
	old, new := slices.Collect(was.TypeArgs().Types()), slices.Collect(now.TypeArgs().Types())
	return len(old)*len(new) == 0 || slices.EqualFunc(old, new, c.same) // lost or gained type parameters are reported separately
}

// aliased reports whether the old name of a type, in the new version, denotes the type that is there now.
func (c *goComparer) aliased(was *types.TypeName, now types.Type) bool {
	in := c.new
	if was.Pkg() != c.old {
		if was.Pkg() == nil {
			return false
		}
		p := c.now.packages[c.now.dirOf(was.Pkg().Path())]
		if p == nil || p.types == nil {
			return c.now.dirOf(was.Pkg().Path()) != "" // in this repository, but not loaded
		}
		in = p.types
	}
	name, ok := in.Scope().Lookup(was.Name()).(*types.TypeName)
	if !ok {
		return true // its own removal is reported
	}
	t := types.Unalias(name.Type())
	if named, ok := t.(*types.Named); ok {
		if other, ok := now.(*types.Named); ok {
			return named.Origin() == other.Origin()
		}
	}
	return types.Identical(t, now)
}
