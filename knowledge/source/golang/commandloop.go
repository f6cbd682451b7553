package golang

import (
	"go/ast"
	"go/token"
	"slices"
)

// tableLoop is a loop over a table whose body is being read.
type tableLoop struct {
	c         *commander
	over, key string              // variables of the table and of the row's key
	values    map[string]bool     // variables of the row
	cells     map[string]ast.Expr // row fields held by other variables
	changed   map[string]bool     // fields that the loop changes
	rows      []tableRow
	guard     string // conditions about rows that enclose the code, used if no row is live
	live      []bool // rows for which the current code certainly runs, as far as the conditions are about rows
}

// overTable reads a loop over a table, and reports whether it is one. A nested one is read like other code.
func (c *commander) overTable(s *ast.RangeStmt) bool {
	if c.loop != nil {
		return false
	}
	rows := c.table(s.X)
	if len(rows) == 0 {
		return false
	}
	l := &tableLoop{c: c, over: nameOf(s.X), key: nameOf(s.Key), values: map[string]bool{}, cells: map[string]ast.Expr{}, changed: map[string]bool{}, rows: rows}
	l.live = slices.Repeat([]bool{true}, len(rows))
	if name := nameOf(s.Value); name != "" {
		l.values[name] = true
		c.held[name] = c.listed(c.function+".", s.X)
	}
	if l.key != "" {
		c.held[l.key] = holding{}
	}
	ast.Inspect(s.X, c.visit)
	c.loop = l
	c.body(s.Body)
	c.loop = nil
	return true
}

func nameOf(e ast.Expr) string {
	if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
		return name.Name
	}
	return ""
}

func (l *tableLoop) isRow(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return l.values[x.Name]
	case *ast.UnaryExpr:
		_, ofIndex := x.X.(*ast.IndexExpr)
		return x.Op == token.AND && ofIndex && l.isRow(x.X)
	case *ast.IndexExpr:
		return l.key != "" && nameOf(x.Index) == l.key && l.over != "" && nameOf(x.X) == l.over
	}
	return false
}

// assign records that a variable holds a part of the row, or shadows one.
func (l *tableLoop) assign(name string, value ast.Expr) {
	if l == nil || nameOf(value) == name {
		return
	}
	if was := l.cells[nameOf(value)]; was != nil {
		value = was
	}
	isRow, isCell := l.isRow(value), l.names(value)
	delete(l.cells, name)
	delete(l.values, name)
	if name == l.key {
		l.key = ""
	}
	switch {
	case isRow:
		l.values[name] = true
	case isCell:
		l.cells[name] = value
	}
}

func (l *tableLoop) change(field *ast.SelectorExpr) {
	if l != nil && l.isRow(field.X) {
		l.changed[field.Sel.Name] = true
	}
}

func (l *tableLoop) names(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name != "" && x.Name == l.key || l.values[x.Name] || l.cells[x.Name] != nil
	case *ast.SelectorExpr:
		return l.isRow(x.X)
	}
	return l.isRow(e)
}

func (l *tableLoop) about(e ast.Expr) bool {
	found := false
	if l != nil && e != nil {
		ast.Inspect(e, func(n ast.Node) bool {
			x, ok := n.(ast.Expr)
			found = found || ok && l.names(x)
			return !found
		})
	}
	return found
}

// of returns the value of an expression for a row; unrelated expressions are unchanged.
func (l *tableLoop) of(row *tableRow, e ast.Expr) ast.Expr {
	if name := nameOf(e); name != "" && l.cells[name] != nil {
		e = l.cells[name]
	}
	if field, ok := e.(*ast.SelectorExpr); ok && l.isRow(field.X) {
		if l.changed[field.Sel.Name] {
			return nil
		}
		return l.c.tables.cell(row, field.Sel.Name)
	}
	switch {
	case nameOf(e) != "" && nameOf(e) == l.key:
		return row.key
	case l.isRow(e):
		return row.whole
	}
	return e
}

// step reports whether the current code runs for a row, and counts a step.
func (l *tableLoop) step(row int) bool {
	if !l.live[row] || l.c.tables.steps == 0 {
		return false
	}
	l.c.tables.steps--
	return true
}
