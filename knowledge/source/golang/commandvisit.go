package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"
)

func (c *commander) body(body *ast.BlockStmt) { ast.Inspect(body, c.visit) }

func (c *commander) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if i < len(n.Rhs) && (len(n.Lhs) == len(n.Rhs) || i == 0) {
				c.assign(l, n.Rhs[i], n.Tok == token.DEFINE)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				c.assign(name, n.Values[i], true)
			} else {
				c.held[name.Name] = holding{typ: c.typeID(n.Type)}
				if t, ok := n.Type.(*ast.StructType); ok {
					c.types[name.Name] = t
				}
			}
		}
	case *ast.RangeStmt:
		if c.overTable(n) {
			return false
		}
		if v, ok := n.Value.(*ast.Ident); ok {
			c.held[v.Name] = c.listed(c.function+".", n.X)
		}
	case *ast.FuncLit:
		c.literalFunction(n)
		return false
	case *ast.IfStmt:
		c.guarded(n)
		return false
	case *ast.ReturnStmt:
		if len(n.Results) > 0 {
			c.hold(c.function, n.Results[0])
		}
	case *ast.TypeSwitchStmt:
		return !c.loop.typeSwitch(n)
	case *ast.SwitchStmt:
		return !c.loop.valueSwitch(n)
	case *ast.CallExpr:
		c.call(n)
		c.hands(n)
	case *ast.CompositeLit:
		if kind := c.commandType(n.Type); kind != "" && !c.seen[n] {
			c.command(kind, c.fresh(c.function+"."), n)
		}
	}
	return true
}

const longestCondition = 80

// guarded reads a conditional body. A condition about the arguments only selects a command.
func (c *commander) guarded(s *ast.IfStmt) {
	if s.Init != nil {
		ast.Inspect(s.Init, c.visit)
	}
	ast.Inspect(s.Cond, c.visit)
	if c.loop.about(s.Cond) {
		c.loop.ifRow(s)
		return
	}
	outer := c.guard
	if b, ok := s.Cond.(*ast.BinaryExpr); ok && b.Op == token.EQL && types.ExprString(b.X) == "runtime.GOOS" {
		c.guard, _ = c.text(b.Y)
	} else if cond := c.source(s.Cond); !strings.Contains(cond, "os.Args") {
		c.guard = cond
	}
	c.body(s.Body)
	c.guard = outer
	if s.Else != nil {
		ast.Inspect(s.Else, c.visit)
	}
}

func (c *commander) source(e ast.Expr) string {
	if e.End()-e.Pos() > longestCondition {
		return c.r.valid(string(c.r.src[c.r.offset(e.Pos()):c.r.offset(e.Pos()+longestCondition)])) + "…"
	}
	return types.ExprString(e)
}

// literalFunction reads a function literal, whose parameters shadow outer names.
func (c *commander) literalFunction(f *ast.FuncLit) {
	hides := map[string]holding{}
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			if h, ok := c.held[n.Name]; ok {
				hides[n.Name] = h
			}
			c.held[n.Name] = holding{}
			c.loop.assign(n.Name, nil)
		}
	}
	function, returns := c.function, c.returns
	c.function, c.returns = "func", "" // its result is not the outer function's result
	c.body(f.Body)
	c.function, c.returns = function, returns
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			delete(c.held, n.Name)
		}
	}
	maps.Copy(c.held, hides)
}
