package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// commandID returns the ID of the command, or list of commands, in an expression, or "".
func (c *commander) commandID(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return c.commandID(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return c.commandID(x.X)
		}
	case *ast.CompositeLit:
		kind := c.commandType(x.Type)
		if kind == "" || c.seen[x] {
			return ""
		}
		id := c.fresh(c.function + ".")
		c.command(kind, id, x)
		return id
	case *ast.Ident:
		h, local := c.held[x.Name]
		switch {
		case !local && x.Name != "nil":
			return x.Name
		case !h.set:
			return h.id
		}
	case *ast.CallExpr:
		return c.made(x)
	case *ast.SelectorExpr:
		return c.member(x)
	}
	return ""
}

func (c *commander) made(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if _, local := c.held[f.Name]; !local && !predeclared.Get()[f.Name] {
			return f.Name
		}
	case *ast.SelectorExpr:
		return c.member(f)
	}
	return ""
}

var predeclared = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"append": true, "make": true, "new": true, "len": true, "cap": true, "string": true, "min": true, "max": true, "panic": true, "copy": true, "delete": true}
}}

// member returns the ID of a member of a package, or of a value of known type.
func (c *commander) member(s *ast.SelectorExpr) string {
	switch x := s.X.(type) {
	case *ast.SelectorExpr:
		if typ := c.fieldType(x); typ != "" {
			return typ + "." + s.Sel.Name
		}
	case *ast.Ident:
		h, local := c.held[x.Name]
		switch {
		case local && h.typ == "", c.libraries[x.Name] != "":
			return ""
		case local:
			return h.typ + "." + s.Sel.Name
		case c.own[x.Name] != "":
			return c.own[x.Name] + "." + s.Sel.Name
		}
		return x.Name + "." + s.Sel.Name // of a package, or of a variable from another file
	}
	return ""
}

func (c *commander) fieldType(s *ast.SelectorExpr) string {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	typ := c.own[x.Name]
	if h, local := c.held[x.Name]; local {
		typ = h.typ
	}
	return c.fieldTypes()[typ+"."+s.Sel.Name]
}

func (c *commander) fieldTypes() map[string]string {
	if c.ofFields != nil {
		return c.ofFields
	}
	c.ofFields = map[string]string{}
	for name, t := range c.types {
		for _, f := range t.Fields.List {
			typ := c.typeID(f.Type)
			for _, n := range f.Names {
				c.ofFields[name+"."+n.Name] = typ
			}
			if len(f.Names) == 0 {
				c.ofFields[name+"."+typ[strings.LastIndexByte(typ, '.')+1:]] = typ
			}
		}
	}
	return c.ofFields
}

// typeOf returns the explicit type of a value, if it is declared in the package.
func (c *commander) typeOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		return c.typeOf(x.X)
	case *ast.CompositeLit:
		return c.typeID(x.Type)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "new" && len(x.Args) == 1 {
			return c.typeID(x.Args[0])
		}
	}
	return ""
}

func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

func (c *commander) typeIn(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		if pkg, ok := s.X.(*ast.Ident); ok && c.libraries[pkg.Name] != "" {
			return c.libraries[pkg.Name] + "." + s.Sel.Name
		}
	}
	return ""
}

func (c *commander) commandType(e ast.Expr) string {
	switch typ := c.typeIn(e); typ {
	case "cobra.Command", "urfave.Command", "urfave.App":
		return typ
	}
	return ""
}
