package api

import (
	"fmt"
	"go/constant"
	"go/types"
	"strings"
)

func (c *goComparer) compare() {
	for _, name := range c.old.Scope().Names() {
		was, now := c.old.Scope().Lookup(name), c.new.Scope().Lookup(name)
		switch {
		case !was.Exported():
		case now == nil:
			c.gone(was)
		default:
			c.object(was, now)
		}
	}
}

func (c *goComparer) gone(was types.Object) {
	if c.pair.now.declared[was.Name()] != nil {
		return
	}
	c.add(breakage{symbol: was.Name(), kind: kindOf(was) + " removed", text: "was removed: code that uses it no longer compiles"}, was, nil)
}

func (c *goComparer) add(b breakage, was, now types.Object) {
	b.declared = b.symbol
	if typ, member, ok := strings.Cut(b.symbol, "."); ok && c.pair.was.declared[b.symbol] == nil && c.pair.now.declared[b.symbol] == nil {
		b.declared, b.member = typ, member // the survey lists neither fields nor interface methods
	}
	if was != nil {
		b.was = c.was.place(was.Pos())
	}
	if now != nil && now.Pos().IsValid() {
		b.now = c.now.place(now.Pos())
	}
	c.broken = append(c.broken, b)
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Const:
		return "constant"
	case *types.Var:
		if o.IsField() {
			return "field"
		}
		return "variable"
	case *types.TypeName:
		return "type"
	}
	return "function"
}

func (c *goComparer) object(was, now types.Object) {
	switch old := was.(type) {
	case *types.Const:
		if now, ok := now.(*types.Const); ok {
			c.constant(old, now)
			return
		}
	case *types.TypeName:
		if now, ok := now.(*types.TypeName); ok {
			c.typeName(old, now)
			return
		}
	default: // default: a variable may replace a function of the same name
		if kind := kindOf(now); kind == "variable" || kind == "function" && kindOf(was) == kind {
			old, generic := was.Type().(*types.Signature)
			if new, still := now.Type().(*types.Signature); generic && still && c.constraints(was, now, old.TypeParams(), new.TypeParams()) {
				return
			}
			c.value(was.Name(), was, now)
			return
		}
	}
	if converts(was, now) {
		return
	}
	c.add(breakage{
		symbol: was.Name(), kind: kindOf(was) + " changed to " + kindOf(now),
		text: fmt.Sprintf("was a %s and is a %s now: some existing code may not compile", kindOf(was), kindOf(now)),
	}, was, now)
}

// converts reports whether a function became a type that its argument converts to, so old calls are conversions.
func converts(was, now types.Object) bool {
	sig, isFunc := types.Unalias(was.Type()).(*types.Signature)
	if _, isType := now.(*types.TypeName); !isType || !isFunc || sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() != 1 {
		return false
	}
	return sameKind(sig.Params().At(0).Type().Underlying(), now.Type().Underlying())
}

func (c *goComparer) value(symbol string, was, now types.Object) {
	if c.same(was.Type(), now.Type()) {
		return
	}
	if c.grown(was.Type(), now.Type()) {
		return
	}
	old, isFunc := types.Unalias(was.Type()).(*types.Signature)
	sig, stillFunc := types.Unalias(now.Type()).(*types.Signature)
	b := breakage{symbol: symbol, kind: kindOf(was) + " retyped", proof: func(use) bool { return false }}
	if isFunc && stillFunc {
		if b.kind = c.signature(old, sig); b.kind == "" {
			return
		}
		b.proof = goBreaks(old, sig)
	}
	who := "existing code for the old type does not compile"
	if isFunc && stillFunc && declared(now) && c.callsFit(old, sig) {
		who = "calls still compile, but assignments to the old type, such as an interface or a variable, do not"
		b.breaks = func(u use) bool { return !u.called }
	}
	b.text = fmt.Sprintf("was %s and is %s now (%s): %s", c.text(was.Type(), c.old), c.text(now.Type(), c.new), b.kind, who)
	c.add(b, was, now)
}

// grown reports whether an unnamed struct kept all its fields and got more: selections stay valid.
func (c *goComparer) grown(was, now types.Type) bool {
	old, ok := types.Unalias(was).(*types.Struct)
	new, still := types.Unalias(now).(*types.Struct)
	if !ok || !still {
		return false
	}
	current := map[string]*types.Var{}
	for f := range new.Fields() {
		current[f.Name()] = f
	}
	for f := range old.Fields() {
		if still := current[f.Name()]; still == nil || !c.same(f.Type(), still.Type()) {
			return false
		}
	}
	return true
}

// declared reports whether an object is a function or a method with a body, not an interface method.
func declared(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && (f.Signature().Recv() == nil || !types.IsInterface(f.Signature().Recv().Type()))
}

// callsFit reports whether every valid call stays valid: the function accepts the same arguments or more.
func (c *goComparer) callsFit(was, now *types.Signature) bool {
	old, new := was.Params(), now.Params()
	if was.Variadic() && !now.Variadic() || old.Len() > new.Len() || !c.same(was.Results(), now.Results()) {
		return false
	}
	for i := range old.Len() {
		from, to := old.At(i).Type(), new.At(i).Type()
		if i == new.Len()-1 && now.Variadic() && !was.Variadic() {
			to = to.(*types.Slice).Elem()
		}
		if !c.same(from, to) && !takesAll(to) {
			return false
		}
	}
	return old.Len() == new.Len() || old.Len()+1 == new.Len() && now.Variadic() && !was.Variadic()
}

func takesAll(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.IsMethodSet() && i.NumMethods() == 0 && !unknownMethods(i)
}

// signature describes how a signature changed. It returns "" if the change may break no caller.
func (c *goComparer) signature(was, now *types.Signature) string {
	old, new := was.Params(), now.Params()
	switch {
	case was.TypeParams().Len() != now.TypeParams().Len() && old.Len() == new.Len() && was.Results().Len() == now.Results().Len():
		return "" // arguments may still be inferred
	case old.Len() > new.Len():
		return "parameter removed"
	case old.Len() < new.Len() && now.Variadic() && !was.Variadic() && old.Len()+1 == new.Len():
		return "variadic parameter added"
	case old.Len() < new.Len():
		return "parameter added"
	case was.Variadic() != now.Variadic():
		return "parameter made variadic, or no longer"
	case !c.same(old, new):
		return "parameter retyped"
	case was.Results().Len() > now.Results().Len():
		return "result removed"
	case was.Results().Len() < now.Results().Len():
		return "result added"
	}
	return "result retyped"
}

// longestType is in bytes.
const longestType = 160

func (c *goComparer) text(t types.Type, in *types.Package) string {
	if sig, ok := types.Unalias(t).(*types.Signature); ok {
		t = types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	}
	s := types.TypeString(t, func(p *types.Package) string {
		if p == in {
			return ""
		}
		return p.Name()
	})
	s = strings.ReplaceAll(s, types.Typ[types.Invalid].String(), "…") // from another module, whose package name is uncertain
	if len(s) > longestType {
		s = strings.ToValidUTF8(s[:longestType], "") + "…"
	}
	return s
}

// unnamed drops the names of parameters or results, which do not affect callers.
func unnamed(list *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, list.Len())
	for i := range vars {
		vars[i] = types.NewParam(list.At(i).Pos(), list.At(i).Pkg(), "", list.At(i).Type())
	}
	return types.NewTuple(vars...)
}

// constant compares two constants. A constant that holds a version is meant to change.
func (c *goComparer) constant(was, now *types.Const) {
	switch {
	case strings.Contains(strings.ToLower(was.Name()), "version"):
	case !c.same(was.Type(), now.Type()) && !loosened(was.Type(), now.Type()):
		c.value(was.Name(), was, now)
	case was.Val().Kind() != constant.Unknown && now.Val().Kind() != constant.Unknown && !constant.Compare(was.Val(), equal, now.Val()):
		text := fmt.Sprintf("was %s and is %s now: values that were stored, sent or compiled before have another meaning", was.Val(), now.Val())
		if list, ok := c.counted[now.Pos()]; ok {
			if c.recount[list] {
				return
			}
			c.recount[list] = true
			text += ". Values that are counted change with their places in the list: add new ones at its end"
		}
		c.add(breakage{symbol: was.Name(), kind: "constant's value changed", text: text}, was, now)
	}
}

// loosened reports whether a constant lost its explicit type, and its default type is the old one.
func loosened(was, now types.Type) bool {
	b, ok := now.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0 && types.Identical(was, types.Default(now))
}
