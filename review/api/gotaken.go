package api

import (
	"go/types"

	"github.com/causaldocs/causal/knowledge/survey"
)

// mostUses limits the number of interfaces of a package. Hand-written packages have a tenth of it.
const mostUses = 500

// handsOut reports whether the old version returns values of an interface and accepts none, so users implement it
// only for test doubles. Other packages of the repository that name the interface might accept it.
func (c *goComparer) handsOut(name *types.TypeName) bool {
	if c.uses == nil {
		c.uses = usesOf(c.old)
	}
	if len(c.uses) > mostUses {
		return false
	}
	asked, _ := name.Type().Underlying().(*types.Interface)
	returned := false
	for other, use := range c.uses {
		has, _ := other.Type().Underlying().(*types.Interface)
		if other != name && !hasAll(has, asked) { // a value with more methods is a value of the interface as well
			continue
		}
		if use.taken {
			return false
		}
		returned = returned || use.given
	}
	if !returned {
		return false
	}
	callers, err := survey.CallersOf(c.pair.was.reader, c.pair.name, name.Name())
	if err != nil {
		return false
	}
	for _, caller := range callers {
		if caller.Module != c.pair.name && !aside(caller.Module) {
			return false
		}
	}
	return true
}

func hasAll(i, asked *types.Interface) bool {
	if i == nil || asked == nil || i.NumMethods() < asked.NumMethods() {
		return false
	}
	has := methodsOf(i)
	for m := range asked.Methods() {
		if has[m.Name()] == nil {
			return false
		}
	}
	return asked.NumMethods() > 0
}

type goUse struct{ given, taken bool }

type goUses map[*types.TypeName]goUse

func usesOf(p *types.Package) goUses {
	uses := goUses{}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				uses.of(o.Type(), true)
			}
		case *types.Var:
			if o.Exported() {
				uses.of(o.Type(), false)
			}
		case *types.TypeName:
			uses.within(o)
		}
	}
	return uses
}

// within visits a type's methods and structure. Exported types may embed unexported ones.
func (u goUses) within(o *types.TypeName) {
	named, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok {
		return
	}
	for m := range named.Methods() {
		if m.Exported() {
			u.of(m.Type(), true)
		}
	}
	switch t := named.Underlying().(type) {
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if m.Exported() {
				u.of(m.Type(), true)
			}
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() && o.Exported() {
				u.of(f.Type(), false)
			}
		}
	default: // default: others both write and call functions of the type
		if o.Exported() {
			u.of(t, false)
			u.of(t, true)
		}
	}
}

// of visits a type whose values a package returns or accepts.
func (u goUses) of(t types.Type, given bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if types.IsInterface(t) {
			use := u[t.Obj()]
			u[t.Obj()] = goUse{use.given || given, use.taken || !given}
		}
		for arg := range t.TypeArgs().Types() {
			u.of(arg, given)
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array, map or channel
		u.of(t.Elem(), given)
	case *types.Signature:
		for p := range t.Params().Variables() {
			u.of(p.Type(), !given)
		}
		for r := range t.Results().Variables() {
			u.of(r.Type(), given)
		}
	}
}
