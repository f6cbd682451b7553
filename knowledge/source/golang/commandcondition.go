package golang

import (
	"go/ast"
	"go/token"
)

type tri int

const (
	unknown tri = iota
	no
	yes
)

func known(holds bool) tri {
	if holds {
		return yes
	}
	return no
}

func (t tri) not() tri { return [...]tri{unknown, yes, no}[t] }

func (t tri) or(u tri) tri {
	switch {
	case t == yes || u == yes:
		return yes
	case t == no && u == no:
		return no
	}
	return unknown
}

func (t tri) and(u tri) tri { return t.not().or(u.not()).not() }

// holds evaluates a condition for a row.
func (l *tableLoop) holds(row *tableRow, e ast.Expr) tri {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return l.holds(row, x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return l.holds(row, x.X).not()
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND:
			return l.holds(row, x.X).and(l.holds(row, x.Y))
		case token.LOR:
			return l.holds(row, x.X).or(l.holds(row, x.Y))
		case token.EQL:
			return l.equal(row, x.X, x.Y)
		case token.NEQ:
			return l.equal(row, x.X, x.Y).not()
		case token.GTR:
			if _, ok := lengthOf(x.X); ok {
				return l.equal(row, x.X, x.Y).not()
			}
		}
	case *ast.Ident, *ast.SelectorExpr:
		switch nameOf(l.of(row, e)) {
		case "true":
			return yes
		case "false":
			return no
		}
	}
	return unknown
}

// equal compares two expressions for a row: texts, zero values, the length of an empty text, and equal names.
func (l *tableLoop) equal(row *tableRow, a, b ast.Expr) tri {
	if text, ok := lengthOf(a); ok {
		if lit, isLit := b.(*ast.BasicLit); isLit && lit.Value == "0" {
			return l.equal(row, text, zeros.Get()["string"])
		}
		return unknown
	}
	a, b = l.of(row, a), l.of(row, b)
	if a == nil || b == nil {
		return unknown
	}
	left, isText := l.c.text(a)
	right, alsoText := l.c.text(b)
	switch {
	case isText && alsoText:
		return known(left == right)
	case nameOf(b) == "nil":
		return isNothing(a)
	case dotted(a) != "" && dotted(a) == dotted(b):
		return yes
	}
	return unknown
}

func lengthOf(e ast.Expr) (ast.Expr, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok || nameOf(call.Fun) != "len" || len(call.Args) != 1 {
		return nil, false
	}
	return call.Args[0], true
}

func isNothing(e ast.Expr) tri {
	switch x := e.(type) {
	case *ast.UnaryExpr, *ast.FuncLit, *ast.CompositeLit:
		return no
	case *ast.Ident:
		if x.Name == "nil" {
			return yes
		}
	}
	return unknown
}
