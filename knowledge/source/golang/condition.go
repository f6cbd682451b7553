package golang

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/control"
)

// condition returns that of a case with a list of expressions, or of types, that a value may match.
func condition(value ast.Expr, list []ast.Expr) control.Condition {
	switch {
	case value == nil && len(list) == 1:
		return control.If(code(list...))
	case value == nil || len(list) > mostLabels:
		return control.Condition{}
	}
	labels := make([]string, len(list))
	for i, e := range list {
		labels[i] = code(e)
	}
	return control.Case(code(value), labels...)
}

// code returns expressions without their formatting, or "" if one has a function literal.
func code(list ...ast.Expr) string {
	var out []string
	for _, e := range list {
		out = append(out, types.ExprString(e))
	}
	if text := strings.Join(out, ", "); !strings.Contains(text, " literal)") { // written instead of one
		return text
	}
	return ""
}

// conditionOf returns the condition of an if, with the assignment before it.
func conditionOf(s *ast.IfStmt) control.Condition {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return control.If(code(s.Cond))
	}
	names, value, cond := code(a.Lhs...), code(a.Rhs[0]), code(s.Cond)
	if names == "" || value == "" || cond == "" {
		return control.Condition{}
	}
	is := func(e, name ast.Expr) bool { return code(e) == code(name) }
	asserted, _ := a.Rhs[0].(*ast.TypeAssertExpr)
	compared, _ := s.Cond.(*ast.BinaryExpr)
	switch {
	case asserted != nil && len(a.Lhs) == 2 && is(s.Cond, a.Lhs[1]):
		return control.Is(code(asserted.X), code(asserted.Type))
	case compared != nil && len(a.Lhs) == 1 && is(compared.X, a.Lhs[0]):
		return control.If(value + " " + compared.Op.String() + " " + code(compared.Y))
	}
	return control.If(names + " " + a.Tok.String() + " " + value + "; " + cond)
}

const mostLabels = 8 // of a case that is quoted
