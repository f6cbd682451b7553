package golang

import (
	"go/ast"
	"go/types"
	"slices"
)

func (l *tableLoop) under(holds func(row *tableRow) tri, read func()) {
	was := l.live
	l.keep(holds)
	read()
	l.live = was
}

func (l *tableLoop) keep(holds func(row *tableRow) tri) {
	live := make([]bool, len(l.rows))
	for i := range l.rows {
		live[i] = l.step(i) && holds(&l.rows[i]) == yes
	}
	l.live = live
}

func (l *tableLoop) ifRow(s *ast.IfStmt) {
	holds := func(row *tableRow) tri { return l.holds(row, s.Cond) }
	fails := func(row *tableRow) tri { return l.holds(row, s.Cond).not() }
	outer := l.guard
	l.guard = l.c.source(s.Cond)
	l.under(holds, func() { l.c.body(s.Body) })
	l.guard = outer
	if s.Else != nil {
		l.under(fails, func() { ast.Inspect(s.Else, l.c.visit) })
	}
	if leaves(s.Body) {
		l.keep(fails)
	}
}

// leaves reports whether control never continues after a block.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.BranchStmt, *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		return ok && nameOf(call.Fun) == "panic"
	}
	return false
}

// typeSwitch reads a switch over the type of the row; false for other switches.
func (l *tableLoop) typeSwitch(s *ast.TypeSwitchStmt) bool {
	var asked ast.Expr
	name := ""
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		name, asked = nameOf(a.Lhs[0]), a.Rhs[0]
	case *ast.ExprStmt:
		asked = a.X
	}
	assert, ok := asked.(*ast.TypeAssertExpr)
	if l == nil || !ok || !l.isRow(assert.X) {
		return false
	}
	was := l.values[name]
	l.values[name] = name != ""
	l.clauses(s.Body, true, func(row *tableRow, e ast.Expr) tri {
		switch typ := row.typ(); {
		case typ == types.ExprString(e):
			return yes
		case typ != "" && l.c.structOf(e) != nil:
			return no
		}
		return unknown // an interface that the row may implement
	})
	l.values[name] = was
	return true
}

// valueSwitch reads a switch over a field of the row or over conditions about it; false for other switches.
func (l *tableLoop) valueSwitch(s *ast.SwitchStmt) bool {
	switch {
	case l == nil || s.Init != nil:
		return false
	case s.Tag == nil:
		if !slices.ContainsFunc(s.Body.List, l.asks) {
			return false
		}
		l.clauses(s.Body, true, l.holds)
	case l.names(s.Tag): // cases are distinct
		l.clauses(s.Body, false, func(row *tableRow, e ast.Expr) tri { return l.equal(row, s.Tag, e) })
	default:
		return false
	}
	return true
}

// asks reports whether a case is a condition about the row.
func (l *tableLoop) asks(s ast.Stmt) bool {
	clause, ok := s.(*ast.CaseClause)
	return ok && slices.ContainsFunc(clause.List, l.about)
}

// clauses reads the clauses of a switch, each for the rows for which it certainly runs. If ordered, the first true
// clause wins. The default clause is read last.
func (l *tableLoop) clauses(body *ast.BlockStmt, ordered bool, is func(row *tableRow, e ast.Expr) tri) {
	taken := make(map[*tableRow]tri, len(l.rows))
	for i := range l.rows {
		taken[&l.rows[i]] = no
	}
	var others *ast.CaseClause
	for _, s := range body.List {
		clause, ok := s.(*ast.CaseClause)
		switch {
		case !ok:
		case clause.List == nil:
			others = clause
		default:
			l.clause(clause, func(row *tableRow) tri {
				this, before := no, taken[row]
				for _, e := range clause.List {
					this = this.or(is(row, e))
				}
				taken[row] = before.or(this)
				if ordered {
					this = this.and(before.not())
				}
				return this
			})
		}
	}
	if others != nil {
		l.clause(others, func(row *tableRow) tri { return taken[row].not() })
	}
}

func (l *tableLoop) clause(clause *ast.CaseClause, runs func(row *tableRow) tri) {
	l.under(runs, func() {
		for _, s := range clause.Body {
			ast.Inspect(s, l.c.visit)
		}
	})
}
