package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

func (m *mutator) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		m.returned(s)
	case *ast.AssignStmt:
		m.assigned(s)
	case *ast.IncDecStmt:
		m.deleted(s)
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && !essential(call) {
			m.deleted(s)
		}
	}
}

func (m *mutator) deleted(s ast.Stmt) {
	m.add("deletion", s, "if !"+on+" { ", " }", m.file.text(s))
}

// essentials are calls that cannot be deleted: others would deadlock, or the code would not compile.
var essentials = []string{
	"panic", "Exit", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Goexit", "Lock", "Unlock", "RLock", "RUnlock", "Wait", "Done", "Add", "Close", "Signal", "Broadcast",
	"Put", "Release",
}

func essential(call *ast.CallExpr) bool {
	name := calledName(call)
	return name == "" || slices.Contains(essentials, name)
}

func (m *mutator) assigned(s *ast.AssignStmt) {
	one := len(s.Lhs) == 1 && len(s.Rhs) == 1
	switch {
	case s.Tok != token.DEFINE:
		if !blank(s.Lhs) {
			m.deleted(s)
		}
		if text, ok := m.arithmetic(s.Rhs[0]); one && ok && s.Tok == token.ASSIGN {
			m.add("arithmetic", s, "if "+on+" { "+m.file.text(s.Lhs[0])+" = "+text+" } else { ", " }", m.file.text(s))
		}
	case one:
		name := m.file.text(s.Lhs[0])
		if n, ok := decimal(s.Rhs[0]); ok {
			m.add("constant", s, "", "; if "+on+" { "+name+" = "+strconv.Itoa(n+1)+" }", m.file.text(s))
		} else if text, ok := m.arithmetic(s.Rhs[0]); ok && simple(s.Rhs[0]) {
			m.add("arithmetic", s, "", "; if "+on+" { "+name+" = "+text+" }", m.file.text(s))
		}
	}
}

func blank(list []ast.Expr) bool {
	return !slices.ContainsFunc(list, func(x ast.Expr) bool {
		id, ok := x.(*ast.Ident)
		return !ok || id.Name != "_"
	})
}

func (m *mutator) returned(s *ast.ReturnStmt) {
	for i, x := range s.Results {
		for _, o := range m.others(x, i == len(s.Results)-1 && len(s.Results) == m.results.NumFields() && m.fails()) {
			parts := make([]string, len(s.Results))
			for j, r := range s.Results {
				parts[j] = m.file.text(r)
			}
			parts[i] = o.text
			m.add(o.kind, s, "if "+on+" { return "+strings.Join(parts, ", ")+" }; ", "", m.file.text(s)+" #"+strconv.Itoa(i))
		}
	}
}

// fails reports whether the last result of the enclosing function is an error.
func (m *mutator) fails() bool {
	if m.results == nil || len(m.results.List) == 0 {
		return false
	}
	id, ok := m.results.List[len(m.results.List)-1].Type.(*ast.Ident)
	return ok && id.Name == "error"
}

type otherResult struct{ kind, text string }

func (m *mutator) others(x ast.Expr, fault bool) (out []otherResult) {
	text := m.file.text(x)
	if fault {
		if text != "nil" {
			return []otherResult{{"error", "nil"}}
		}
		return nil
	}
	switch x := x.(type) {
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[x.Name]; other != "" {
			return []otherResult{{"constant", other}}
		}
	case *ast.BasicLit:
		if n, ok := decimal(x); ok {
			return []otherResult{{"constant", strconv.Itoa(n + 1)}}
		}
		if x.Kind == token.STRING && (text == `""` || text == "``") {
			return []otherResult{{"constant", `"x"`}}
		} else if x.Kind == token.STRING {
			return []otherResult{{"constant", `""`}}
		}
	case *ast.UnaryExpr:
		if x.Op == token.SUB {
			return []otherResult{{"arithmetic", "(" + m.file.text(x.X) + ")"}}
		}
	}
	if other, ok := m.arithmetic(x); ok {
		return []otherResult{{"arithmetic", other}}
	}
	return nil
}
