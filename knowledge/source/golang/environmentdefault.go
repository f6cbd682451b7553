package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// asksType are the types of functions that read a variable.
var asksType = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"func(string) string": true, "func(string) (string, bool)": true, "func(key string) string": true, "func(key string) (string, bool)": true}
}}

// readers are the functions that read a variable.
var readers = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"os.Getenv": true, "os.LookupEnv": true, "syscall.Getenv": true}
}}

// tidies are functions that leave of a value what it says.
var tidies = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"strings.TrimSpace": true, "strings.ToLower": true, "filepath.Clean": true}
}}

// asks is the call in an expression that reads a variable, if that is all that the expression does.
func (e *environment) asks(x ast.Expr) *ast.CallExpr {
	for range longestChain {
		call, ok := x.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return nil
		}
		switch name := dotted(call.Fun); {
		case e.asking[name], readers.Get()[name]:
			return call
		case !tidies.Get()[name]:
			return nil
		}
		x = call.Args[0]
	}
	return nil
}

// find notes the defaults that statements and expressions give to what is read.
func (e *environment) find(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if name, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
				e.locals[name.Name] = true
			}
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			e.locals[name.Name] = e.function != ""
		}
	case *ast.RangeStmt:
		for _, x := range []ast.Expr{n.Key, n.Value} {
			if name, ok := x.(*ast.Ident); ok {
				e.locals[name.Name] = true
			}
		}
	case *ast.BlockStmt:
		e.block(n.List)
	case *ast.CaseClause:
		e.block(n.Body)
	case *ast.CallExpr:
		if last := len(n.Args) - 1; last > 0 && dotted(n.Fun) == "cmp.Or" {
			for _, a := range n.Args[:last] {
				e.give(e.asks(a), n.Args[last])
			}
		}
	}
	return true
}

func (e *environment) give(call *ast.CallExpr, value ast.Expr) {
	if call != nil && e.defaults[call] == "" {
		e.defaults[call] = e.defaultOf(value)
	}
}

// block reads the statements behind one that reads a variable.
func (e *environment) block(list []ast.Stmt) {
	for i, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if len(s.Rhs) == 1 {
				e.assigned(s, list[i+1:])
			}
		case *ast.IfStmt:
			e.asked(s, list[:i], list[i+1:])
		}
	}
}

// assigned reads `x := os.Getenv("X")` with what follows: `if x == "" { x = "d" }`, or the same with a return.
func (e *environment) assigned(s *ast.AssignStmt, rest []ast.Stmt) {
	call := e.asks(s.Rhs[0])
	if call == nil || len(rest) == 0 {
		return
	}
	target := types.ExprString(s.Lhs[0])
	cond, ok := rest[0].(*ast.IfStmt)
	if !ok || cond.Init != nil || cond.Else != nil || len(cond.Body.List) != 1 {
		return
	}
	absent, known := e.tests(cond.Cond, s.Lhs)
	to, value := set(cond.Body.List[0])
	switch {
	case !known:
	case absent && to == target:
		e.give(call, value)
	case len(rest) < 2:
	case absent && to == returning:
		if other, back := set(rest[1]); other == returning && types.ExprString(back) == target {
			e.give(call, value)
		}
	case !absent && to == returning && types.ExprString(value) == target:
		if other, back := set(rest[1]); other == returning {
			e.give(call, back)
		}
	}
}

// asked reads `if x := os.Getenv("X"); x != "" { … }` with what holds otherwise.
func (e *environment) asked(s *ast.IfStmt, before, rest []ast.Stmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Rhs) != 1 || len(s.Body.List) != 1 {
		return
	}
	call := e.asks(init.Rhs[0])
	absent, known := e.tests(s.Cond, init.Lhs)
	if call == nil || !known || absent {
		return
	}
	to, value := set(s.Body.List[0])
	if value == nil || types.ExprString(value) != types.ExprString(init.Lhs[0]) {
		return
	}
	var other string
	var otherwise ast.Expr
	switch block, _ := s.Else.(*ast.BlockStmt); {
	case block != nil && len(block.List) == 1:
		other, otherwise = set(block.List[0])
	case s.Else != nil:
	case to == returning && len(rest) > 0:
		other, otherwise = set(rest[0])
	case to != returning && len(before) > 0:
		other, otherwise = set(before[len(before)-1])
	}
	if otherwise != nil && other == to {
		e.give(call, otherwise)
	}
}

// returning stands for the variable that a statement sets which returns a value.
const returning = "return"

// set is the one variable that a statement sets, and to what.
func set(s ast.Stmt) (to string, value ast.Expr) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 && (s.Tok == token.ASSIGN || s.Tok == token.DEFINE) {
			return types.ExprString(s.Lhs[0]), s.Rhs[0]
		}
	case *ast.ReturnStmt:
		if len(s.Results) > 0 {
			return returning, s.Results[0]
		}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && len(g.Specs) == 1 {
			if v, ok := g.Specs[0].(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 {
				return v.Names[0].Name, v.Values[0]
			}
		}
	}
	return "", nil
}

// tests reports whether a condition holds when the variable is absent, or when it is there; known is false for any other condition.
func (e *environment) tests(cond ast.Expr, results []ast.Expr) (absent, known bool) {
	value, found := types.ExprString(results[0]), ""
	if len(results) > 1 {
		found = types.ExprString(results[1])
	}
	switch x := cond.(type) {
	case *ast.Ident:
		return false, x.Name == found
	case *ast.UnaryExpr:
		return true, x.Op == token.NOT && types.ExprString(x.X) == found
	case *ast.BinaryExpr:
		if x.Op != token.EQL && x.Op != token.NEQ {
			return false, false
		}
		left, right := types.ExprString(x.X), types.ExprString(x.Y)
		return x.Op == token.EQL, left == value && (right == `""` || right == "``") || left == "len("+value+")" && right == "0"
	}
	return false, false
}
