package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// statements walks a block. What follows a statement that may leave the function runs only in some cases.
func (w *walker) statements(list []ast.Stmt) {
	outer, rest := w.branch, control.Branch(0)
	for _, s := range list {
		w.rest = 0
		if w.statement(s); w.rest != 0 {
			rest = w.Either(rest, w.Around(w.rest))
			w.branch = w.In(w.rest, w.branch)
		}
	}
	w.branch, w.rest = outer, rest
}

func (w *walker) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		w.expr(s.X)
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.ReturnStmt:
		w.literals = control.Result
		w.exprs(s.Results)
		w.literals = 0
		w.returns++
	case *ast.DeferStmt: // runs last, wherever it is written
		w.in(control.Apart, func() { w.expr(s.Call) })
	case *ast.GoStmt:
		w.spawned = w.Background()
		w.expr(s.Call)
	case *ast.IncDecStmt:
		w.expr(s.X)
	case *ast.SendStmt:
		w.expr(s.Chan)
		w.expr(s.Value)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			w.local(d)
		}
	case *ast.LabeledStmt:
		w.statement(s.Stmt)
	default:
		w.blockStatement(s)
	}
}

func (w *walker) blockStatement(s ast.Stmt) {
	outer := w.enter()
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.statements(s.List)
	case *ast.IfStmt:
		w.ifStatement(s, w.Fork())
	case *ast.ForStmt:
		w.optional(s.Init)
		w.expr(s.Cond)
		w.loop(s.Body)
		w.optional(s.Post)
	case *ast.RangeStmt:
		w.rangeOver(s)
	case *ast.SwitchStmt:
		w.optional(s.Init)
		w.expr(s.Tag)
		w.clauses(s.Body, s.Tag, w.clause)
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s)
	case *ast.SelectStmt:
		w.clauses(s.Body, nil, w.clause)
	}
	w.leave(outer)
}

func (w *walker) ifStatement(s *ast.IfStmt, fork control.Branch) {
	w.in(w.Rest(fork), func() {
		w.optional(s.Init)
		w.expr(s.Cond)
	})
	exit, passed := exitOf(s.Body.List), failure(s.Cond, token.EQL)
	if exit == control.Failing && leavesBefore(s.Body.List) {
		exit = control.Results
	}
	switch {
	case failure(s.Cond, token.NEQ):
		exit = control.Failing
	case exit == control.Failing && passesOn(s.Body.List):
		exit = control.Results
	case exit > control.Failing && !passed:
		exit = expects(s.Cond)
	}
	arm := w.Arm(fork, exit)
	w.When(arm, conditionOf(s))
	w.in(arm, func() { w.statement(s.Body) })
	if next, chained := s.Else.(*ast.IfStmt); chained && !passed {
		w.ifStatement(next, fork)
		return
	}
	if s.Else != nil {
		if block, is := s.Else.(*ast.BlockStmt); passed {
			exit = control.Failing
		} else if exit = control.Goes; is {
			exit = exitOf(block.List)
		}
		w.in(w.Arm(fork, exit), func() { w.statement(s.Else) })
	}
	if s.Else != nil || passed {
		w.Close(fork)
	}
	w.rest = cmp.Or(w.After(fork), w.rest)
}

// loop walks the body of a loop. Without a return in it, what follows the loop always runs.
func (w *walker) loop(body *ast.BlockStmt) {
	rest, returns := w.rest, w.returns
	w.in(w.Loop(), func() { w.statement(body) })
	if w.returns == returns {
		w.rest = rest
	} else if exitOf(body.List) >= control.Leaves {
		w.rest = w.Sometimes()
	}
}

// clauses walks the clauses of a switch or select with head, which walks the head of one. That of all other cases is
// apart if it leaves the function without a result and no clause before leaves it.
func (w *walker) clauses(body *ast.BlockStmt, value ast.Expr, head func(ast.Stmt) []ast.Stmt) {
	fork, fell, all := w.Fork(), false, false
	var arm control.Branch
	for _, c := range body.List {
		outer := w.enter()
		clause, is := c.(*ast.CaseClause)
		var list []ast.Stmt
		rest := control.Branch(0)
		if is { // an expression that no case before equals
			rest = w.Rest(fork)
		}
		w.in(rest, func() { list = head(c) })
		others := is && clause.List == nil
		exit := exitOf(list)
		_, left := lastOf(list).(*ast.ReturnStmt)
		jump, jumps := lastOf(list).(*ast.BranchStmt)
		switch left = left || jumps && exit == control.Leaves; {
		case others && w.After(fork) == 0 && (exit == control.Failing || exit == control.Leaves):
			exit = control.Failing
		case left:
			exit = control.Results
		default:
			exit = control.Goes
		}
		before := fell
		fell = jumps && jump.Tok == token.FALLTHROUGH
		if all = all || others || !is; !before {
			arm = w.Arm(fork, exit)
			if is && !fell {
				w.When(arm, condition(value, clause.List))
			}
		}
		w.in(arm, func() { w.statements(list) })
		w.leave(outer)
	}
	if all {
		w.Close(fork)
	}
	w.rest = cmp.Or(w.After(fork), w.rest)
}

func lastOf(list []ast.Stmt) ast.Stmt {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// exitOf returns how statements end, also with the next turn of a loop. A failure is a program exit, or a return of or
// after an error.
func exitOf(list []ast.Stmt) control.Exit {
	switch s := lastOf(list).(type) {
	case *ast.ReturnStmt:
		switch {
		case slices.ContainsFunc(s.Results, isError[ast.Expr]):
			return control.Failing
		case slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !isNothing(e) }):
			return control.Results
		case slices.ContainsFunc(list[:len(list)-1], tellsError):
			return control.Failing
		}
		return control.Leaves
	case *ast.BranchStmt:
		if s.Tok == token.CONTINUE {
			return control.Leaves
		}
	case *ast.ExprStmt:
		if call, is := s.X.(*ast.CallExpr); is && ending[dotted(call.Fun)] {
			if len(call.Args) == 1 && isNothing(call.Args[0]) {
				return control.Results // as wanted
			}
			return control.Failing
		}
	}
	return control.Goes
}

// passesOn reports whether statements end with the return of a result beside an error variable, which may be nil.
func passesOn(list []ast.Stmt) bool {
	s, is := lastOf(list).(*ast.ReturnStmt)
	if !is || len(s.Results) < 2 || isNothing(s.Results[0]) {
		return false
	}
	last, variable := s.Results[len(s.Results)-1].(*ast.Ident)
	return variable && last.Name == "err" && !isError(s.Results[0])
}

// leavesBefore reports whether an if among statements returns a result.
func leavesBefore(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		inner, is := s.(*ast.IfStmt)
		return is && !failure(inner.Cond, token.NEQ) && exitOf(inner.Body.List) == control.Results
	})
}

// tellsError reports whether a statement passes on or stores an error.
func tellsError(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return isError(s)
	case *ast.AssignStmt:
		return s.Tok == token.ASSIGN && slices.ContainsFunc(s.Rhs, isError[ast.Expr])
	}
	return false
}

// expects returns the exit that a condition allows: after a failure, without a result if something is missing, or any.
func expects(e ast.Expr) control.Exit {
	exit := control.Results
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			exit = control.Leaves
		}
	case *ast.BinaryExpr:
		switch {
		case x.Op == token.LAND || x.Op == token.LOR:
			return min(expects(x.X), expects(x.Y))
		case failure(x, token.EQL):
			return control.Results
		case x.Op == token.EQL && isNothing(x.Y):
			exit = control.Leaves
		}
	}
	if isError(e) {
		return control.Failing
	}
	return exit
}

// isError reports whether a name in an expression says that it is an error. A status of success does not, whatever type it has.
func isError[N ast.Node](e N) bool {
	failed, fine := false, false
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			failed, fine = failed || control.Fails(x.Name), fine || succeeds[x.Name]
		case *ast.BasicLit:
			failed = failed || x.Kind == token.INT && control.Fails(x.Value)
		}
		return true
	})
	return failed && !fine
}

var succeeds = map[string]bool{
	"StatusOK": true, "StatusCreated": true, "StatusAccepted": true, "StatusNoContent": true, "StatusMovedPermanently": true,
	"StatusFound": true, "StatusSeeOther": true, "StatusTemporaryRedirect": true, "StatusPermanentRedirect": true,
}

func isNothing(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name == "nil" || x.Name == "false"
	case *ast.BasicLit:
		return x.Value == "0" || x.Value == `""`
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	}
	return false
}

var ending = map[string]bool{"panic": true, "os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "runtime.Goexit": true}

// failure reports whether a condition compares an error with nil by op.
func failure(cond ast.Expr, op token.Token) bool {
	x, ok := cond.(*ast.BinaryExpr)
	if !ok || x.Op != op {
		return false
	}
	err, is := x.X.(*ast.Ident)
	return is && strings.Contains(strings.ToLower(err.Name), "err") && dotted(x.Y) == "nil"
}

func (w *walker) optional(s ast.Stmt) {
	if s != nil {
		w.statement(s)
	}
}

func (w *walker) clause(s ast.Stmt) []ast.Stmt {
	switch c := s.(type) {
	case *ast.CaseClause:
		w.exprs(c.List)
		return c.Body
	case *ast.CommClause:
		w.optional(c.Comm)
		return c.Body
	}
	return nil
}

// typeClauses walks the cases of a type switch. The bound name has the type of a case with one type, otherwise that of
// the operand.
func (w *walker) typeClauses(body *ast.BlockStmt, name *ast.Ident, of, switched ast.Expr) {
	w.clauses(body, of, func(s ast.Stmt) []ast.Stmt {
		c, ok := s.(*ast.CaseClause)
		if !ok {
			return nil
		}
		var listed ast.Expr
		for _, t := range c.List {
			listed = w.typeExpr(t)
		}
		if len(c.List) != 1 || dotted(c.List[0]) == "nil" {
			listed = switched
		}
		w.bind(name, listed)
		return c.Body
	})
}

func (w *walker) typeSwitch(s *ast.TypeSwitchStmt) {
	w.optional(s.Init)
	var name *ast.Ident
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		x = a.X
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			name, _ = a.Lhs[0].(*ast.Ident)
			x = a.Rhs[0]
		}
	}
	if assertion, ok := x.(*ast.TypeAssertExpr); ok && assertion.Type == nil {
		x = assertion.X
	}
	w.typeClauses(s.Body, name, x, w.expr(x))
}

func (w *walker) rangeOver(s *ast.RangeStmt) {
	var key, val ast.Expr
	switch t := w.under(w.expr(s.X)).(type) {
	case *ast.ArrayType:
		val = t.Elt
	case *ast.MapType:
		key, val = t.Key, t.Value
	case *ast.ChanType:
		key = t.Value
	}
	if s.Tok == token.DEFINE {
		if n, ok := s.Key.(*ast.Ident); ok {
			w.bind(n, key)
		}
		if n, ok := s.Value.(*ast.Ident); ok {
			w.bind(n, val)
		}
	} else {
		w.expr(s.Key)
		w.expr(s.Value)
	}
	w.loop(s.Body)
}

// assign walks an assignment. Names declared by := are visible after it.
func (w *walker) assign(s *ast.AssignStmt) {
	if s.Tok != token.DEFINE {
		w.exprs(s.Lhs)
		w.exprs(s.Rhs)
		return
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		typ := w.expr(s.Rhs[0])
		if n, ok := s.Lhs[0].(*ast.Ident); ok {
			w.define(n, typ)
		}
		return
	}
	types := w.types(s.Rhs, len(s.Lhs))
	for i, l := range s.Lhs {
		if n, ok := l.(*ast.Ident); ok {
			w.define(n, types[i])
		}
	}
}

// types walks expressions and returns the types of their n values.
func (w *walker) types(list []ast.Expr, n int) []ast.Expr {
	out := make([]ast.Expr, n)
	if len(list) == 1 && n > 1 {
		if c, ok := ast.Unparen(list[0]).(*ast.CallExpr); ok {
			sig, converted := w.call(c)
			for i := range out {
				out[i] = result(sig, i)
			}
			if sig == nil {
				out[0] = converted
			}
			return out
		}
	}
	for i, e := range list {
		if typ := w.expr(e); i < n {
			out[i] = typ
		}
	}
	return out
}

func (w *walker) local(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			w.push(s.Name, binding{isType: true, typ: s.Type})
			outer := w.enter()
			w.typeParams(s.TypeParams)
			w.typeExpr(s.Type)
			w.leave(outer)
		case *ast.ValueSpec:
			typ := w.typeExpr(s.Type)
			types := w.types(s.Values, len(s.Names))
			for i, n := range s.Names {
				if s.Type != nil {
					w.bind(n, typ)
				} else {
					w.bind(n, types[i])
				}
			}
		}
	}
}
