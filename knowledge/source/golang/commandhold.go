package golang

import (
	"go/ast"
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
)

func (c *commander) fresh(id string) string {
	c.ids[id]++
	if n := c.ids[id]; n > 1 {
		return id + "#" + strconv.Itoa(n)
	}
	return id
}

// assign records the new value of a variable, or of a field of a known value.
func (c *commander) assign(to, value ast.Expr, define bool) {
	switch to := to.(type) {
	case *ast.Ident:
		if to.Name == "_" {
			return
		}
		c.loop.assign(to.Name, value)
		_, local := c.held[to.Name]
		id := to.Name
		if define || local {
			id = c.function + "." + to.Name
			if to.Name == c.returns {
				id = c.function
			}
		}
		h := c.hold(id, value)
		if define || local {
			c.held[to.Name] = h
		}
		if !appends(to.Name, value) {
			c.changed(to)
		}
		if define {
			c.lists[to.Name] = value
		}
	case *ast.SelectorExpr:
		c.loop.change(to)
		c.changed(to.X)
		if owner := c.commandID(to.X); owner != "" && c.field(owner, to.Sel.Name, value) {
			return
		}
		if id := c.member(to); id != "" {
			c.hold(id, value)
		}
	}
}

func (c *commander) hold(id string, value ast.Expr) holding {
	if lit := literalOf(value); lit != nil {
		if kind := c.commandType(lit.Type); kind != "" && !c.seen[lit] {
			id = c.fresh(id)
			c.command(kind, id, lit)
			return holding{id: id}
		}
		if c.isFlag(lit) && !c.seen[lit] {
			c.urfaveFlag(lit, id, "")
			return holding{id: id}
		}
		if c.isFlagList(lit.Type) && !c.seen[lit] {
			c.flagList(lit, id)
			return holding{id: id}
		}
		if _, ok := lit.Type.(*ast.ArrayType); ok {
			return c.listed(id, lit)
		}
		c.fields(lit)
		return holding{typ: c.typeOf(value)}
	}
	if call, ok := value.(*ast.CallExpr); ok {
		if h, ok := c.appended(call); ok {
			return h
		}
		if name, ok := c.newSet(call); ok {
			return c.set(id, name, call)
		}
		if c.isNew(call) {
			id = c.fresh(id)
			c.declared(source.Fact{Kind: source.Command, ID: id}, call)
			return holding{id: id}
		}
	}
	if id, ok := c.setOf(value); ok {
		return holding{id: id, set: true}
	}
	if name, ok := value.(*ast.Ident); ok {
		if h, local := c.held[name.Name]; local {
			return h
		}
	}
	return holding{id: c.commandID(value), typ: c.typeOf(value)}
}

// fields names the commands in the fields of a literal after its type.
func (c *commander) fields(lit *ast.CompositeLit) {
	typ := typeName(lit.Type)
	if typ == "" {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && literalOf(kv.Value) != nil {
				c.hold(typ+"."+key.Name, kv.Value)
			}
		}
	}
}

func (c *commander) listed(id string, e ast.Expr) holding {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		if name, ok := e.(*ast.Ident); ok && c.held[name.Name].list {
			return c.held[name.Name]
		}
		return holding{}
	}
	list, ok := lit.Type.(*ast.ArrayType)
	if !ok || c.commandType(list.Elt) == "" || c.seen[lit] {
		return holding{}
	}
	c.seen[lit] = true
	id = c.fresh(id)
	c.commandList(lit, id)
	return holding{id: id, list: true}
}

func (c *commander) appended(call *ast.CallExpr) (holding, bool) {
	f, ok := call.Fun.(*ast.Ident)
	if !ok || f.Name != "append" || len(call.Args) == 0 {
		return holding{}, false
	}
	name, ok := call.Args[0].(*ast.Ident)
	if !ok || !c.held[name.Name].list {
		return holding{}, true
	}
	h := c.held[name.Name]
	for _, a := range call.Args[1:] {
		if lit := literalOf(a); lit != nil && lit.Type != nil && c.commandType(lit.Type) == "" {
			continue
		}
		if id := c.commandID(a); id != "" {
			c.join(id, h.id, a)
		}
	}
	return h, true
}

func appends(name string, value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	return ok && nameOf(call.Fun) == "append" && len(call.Args) > 0 && nameOf(call.Args[0]) == name
}
