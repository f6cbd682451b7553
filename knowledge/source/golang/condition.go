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
	return control.Is(code(value), labels...)
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

// ifCode returns the condition of an if, with the assignment before it.
func ifCode(s *ast.IfStmt) string {
	a, ok := s.Init.(*ast.AssignStmt)
	if !ok {
		return code(s.Cond)
	}
	if left, right, cond := code(a.Lhs...), code(a.Rhs...), code(s.Cond); left != "" && right != "" && cond != "" {
		return left + " " + a.Tok.String() + " " + right + "; " + cond
	}
	return ""
}

const mostLabels = 8 // of a case that is quoted

