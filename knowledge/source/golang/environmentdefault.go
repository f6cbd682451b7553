package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

var asksType = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"func(string) string": true, "func(string) (string, bool)": true, "func(key string) string": true, "func(key string) (string, bool)": true}
}}

var readers = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"os.Getenv": true, "os.LookupEnv": true, "syscall.Getenv": true}
}}

// tidies are functions that keep the meaning of a value.
var tidies = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"strings.TrimSpace": true, "strings.ToLower": true, "filepath.Clean": true}
}}

// asks returns the call that reads a variable, if the expression does nothing else.
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

func (e *environment) find(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if name, ok := l.(*ast.Ident); ok {
				e.changed[name.Name] = e.changed[name.Name] || n.Tok != token.DEFINE || e.locals[name.Name]
				e.locals[name.Name] = e.locals[name.Name] || n.Tok == token.DEFINE
			}
		}
		if name := nameOf(n.Lhs[0]); name != "" && n.Tok == token.DEFINE && len(n.Lhs) == 1 {
			e.lists[name] = n.Rhs[0]
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

// absence describes a missing variable: its default or failure.
type absence struct {
	value string // as users write it
	usage string // source.Required or source.Computed
	kept  string // variable that keeps its value
}

func (e *environment) give(call *ast.CallExpr, value ast.Expr) {
	if call != nil && e.absent[call] == (absence{}) {
		e.absent[call] = e.absenceOf(value)
	}
}

// absenceOf returns the absence for a default expression.
func (e *environment) absenceOf(value ast.Expr) absence {
	a := absence{value: e.defaultOf(value), kept: nameOf(value)}
	switch x := value.(type) {
	case *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
		a.usage = source.Computed
	case *ast.BinaryExpr:
		a.usage = source.Computed
		if isArithmetic(x) {
			a.value = cmp.Or(a.value, types.ExprString(x))
		}
	}
	if a.value != "" {
		a.usage = ""
	}
	return a
}

const mostOperands = 8

// isArithmetic reports whether an expression computes with a few literal numbers.
func isArithmetic(x ast.Expr) bool {
	left, numbers := mostOperands*4, true
	ast.Inspect(x, func(n ast.Node) bool {
		left--
		switch n := n.(type) {
		case nil, *ast.BinaryExpr, *ast.ParenExpr:
		case *ast.BasicLit:
			numbers = numbers && (n.Kind == token.INT || n.Kind == token.FLOAT)
		default:
			numbers = false
		}
		return numbers && left > 0
	})
	return numbers && left > 0
}

// failing are calls that end the program or create an error.
var failing = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"panic": true, "os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "log.Panic": true, "log.Panicf": true, "errors.New": true, "fmt.Errorf": true,
	}
}}

// fails reports whether a statement ends the program or returns a new error.
func fails(s ast.Stmt) bool {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.ReturnStmt:
		if len(s.Results) > 0 {
			x = s.Results[len(s.Results)-1]
		}
	}
	call, ok := x.(*ast.CallExpr)
	return ok && failing.Get()[dotted(call.Fun)]
}

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

// assigned reads `x := os.Getenv("X")` followed by `if x == "" { x = "d" }`, or by a return.
func (e *environment) assigned(s *ast.AssignStmt, rest []ast.Stmt) {
	call := e.asks(s.Rhs[0])
	if call == nil || len(rest) == 0 {
		return
	}
	target := types.ExprString(s.Lhs[0])
	cond, ok := rest[0].(*ast.IfStmt)
	if !ok || cond.Init != nil || cond.Else != nil || len(cond.Body.List) == 0 {
		return
	}
	absent, known := e.tests(cond.Cond, s.Lhs)
	if last := cond.Body.List[len(cond.Body.List)-1]; known && absent && fails(last) {
		e.absent[call] = absence{usage: source.Required}
		return
	}
	if len(cond.Body.List) > 1 {
		return
	}
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

// asked reads `if x := os.Getenv("X"); x != "" { … }` and its alternative.
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
	case e.loops[to] == nil && to != returning:
		e.absent[call] = absence{kept: to}
	}
	if otherwise != nil && other == to {
		e.give(call, otherwise)
	}
}

// returning stands for the variable that a return statement sets.
const returning = "return"

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

// tests reports whether a condition holds if the variable is absent, or if it is present; known is false for other
// conditions.
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
