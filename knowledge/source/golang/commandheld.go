package golang

import (
	"go/ast"
	"go/token"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// mostHeld bounds the facts about fields of variables and constants per file, because several variables may hold the
// same value.
const mostHeld = 256

// holds records the values of constants named after a default, and of the fields of configuration variables: flags in
// other files may use them as defaults.
func (r *reader) holds() {
	var c *commander
	for _, d := range r.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST && g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			s, ok := s.(*ast.ValueSpec)
			if !ok || len(s.Values) != len(s.Names) {
				continue
			}
			for i, n := range s.Names {
				if !holdsDefault(g.Tok, n.Name) {
					continue
				}
				if c == nil {
					c = newCommander(r)
					c.declare()
					c.initialize()
				}
				c.holds(g.Tok, n, s.Values[i])
			}
		}
	}
	if c != nil {
		r.out.Facts = append(r.out.Facts, c.facts...)
	}
}

func holdsDefault(tok token.Token, name string) bool {
	return strings.Contains(strings.ToLower(name), "default") || tok == token.VAR && (isConfigName(name) || strings.HasSuffix(strings.ToLower(name), "preferences"))
}

func (c *commander) holds(tok token.Token, name *ast.Ident, value ast.Expr) {
	if tok == token.CONST {
		c.holdsValue(name.Name, value)
		return
	}
	if lit := c.initial(value); lit != nil && c.vars[name.Name] != nil {
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && nameOf(kv.Key) != "" {
				c.holdsValue(name.Name+"."+nameOf(kv.Key), kv.Value)
			}
		}
	}
}

// initialize records which variables the init functions change.
func (c *commander) initialize() {
	for _, d := range c.r.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Name.Name != "init" || f.Body == nil {
			continue
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, to := range a.Lhs {
					if field, ok := to.(*ast.SelectorExpr); ok {
						to = field.X
					}
					c.changed(to)
				}
			}
			return true
		})
	}
}

func (c *commander) holdsValue(id string, value ast.Expr) {
	if value.End()-value.Pos() > longestCell || len(c.facts) == mostHeld {
		return
	}
	if text := c.defaultOf(value); text != "" {
		c.add(source.Fact{Kind: source.Holds, ID: id, Default: text}, value)
	}
}

// initial returns the struct that a variable holds initially: a literal, or the result of a function that only returns
// one.
func (c *commander) initial(value ast.Expr) *ast.CompositeLit {
	if call, ok := value.(*ast.CallExpr); ok {
		return c.makers[nameOf(call.Fun)]
	}
	return literalOf(value)
}

func (c *commander) makes(f *ast.FuncDecl) {
	if f.Recv != nil || f.Body == nil || len(f.Body.List) != 1 {
		return
	}
	if ret, ok := f.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		if lit := literalOf(ret.Results[0]); lit != nil {
			c.makers[f.Name.Name] = lit
		}
	}
}

// fallback returns the default of a flag, or its name if another file declares it.
func (c *commander) fallback(e ast.Expr) (value, elsewhere string) {
	if value = c.defaultOf(e); value != "" {
		return value, ""
	}
	switch x := e.(type) {
	case *ast.Ident:
		if !c.hasHere(x.Name) && x.Name != "false" && x.Name != "nil" {
			return "", x.Name
		}
	case *ast.SelectorExpr:
		if owner := nameOf(x.X); owner != "" {
			return c.fieldOf(owner, x.Sel.Name)
		}
		if owner, ok := x.X.(*ast.SelectorExpr); ok && c.imported[nameOf(owner.X)] && !c.hasHere(nameOf(owner.X)) {
			return "", dotted(owner) + "." + x.Sel.Name
		}
	}
	return "", ""
}

// hasHere reports whether the file or the current function declares a name.
func (c *commander) hasHere(name string) bool {
	_, local := c.held[name]
	_, variable := c.vars[name]
	_, constant := c.consts[name]
	return local || variable || constant
}

// fieldOf returns the initial value of a variable's field, or its name if another file declares the variable.
func (c *commander) fieldOf(owner, field string) (value, elsewhere string) {
	of, local := c.lists[owner]
	if _, held := c.held[owner]; !held && !local {
		of = c.vars[owner]
	}
	if of == nil {
		if c.hasHere(owner) {
			return "", ""
		}
		return "", owner + "." + field
	}
	lit := c.initial(of)
	if lit == nil {
		return "", ""
	}
	if cell := c.tables.named(lit)[field]; cell != nil && cell.End()-cell.Pos() <= longestCell {
		return c.defaultOf(cell), ""
	}
	return "", ""
}

func (c *commander) changed(e ast.Expr) {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	name := nameOf(e)
	if _, local := c.held[name]; local {
		delete(c.lists, name)
	} else if _, here := c.vars[name]; here {
		c.vars[name] = nil
	}
}

func (c *commander) hands(call *ast.CallExpr) {
	if predeclared.Get()[nameOf(call.Fun)] {
		return
	}
	if s, ok := call.Fun.(*ast.SelectorExpr); ok {
		c.changed(s.X)
	}
	for _, a := range call.Args {
		c.changed(a)
	}
}
