package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// defaultOf returns a default as users write it; empty for a zero or computed one.
func (c *commander) defaultOf(e ast.Expr) string {
	if text, ok := c.text(e); ok {
		return text
	}
	switch x := e.(type) {
	case *ast.Ident:
		if x.Name == "true" {
			return x.Name
		}
		if value, ok := c.consts[x.Name]; ok {
			if _, again := value.(*ast.Ident); !again {
				return c.defaultOf(value)
			}
		}
	case *ast.CompositeLit:
		if _, ok := x.Type.(*ast.ArrayType); ok && len(x.Elts) > 0 {
			if all := c.textsOf(x); len(all) == len(x.Elts) {
				return "[" + strings.Join(all, ",") + "]"
			}
		}
	default:
		return numeral(e)
	}
	return ""
}

func numeral(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.INT || x.Kind == token.FLOAT {
			if n, err := strconv.ParseInt(x.Value, 0, 64); err == nil {
				if n == 0 {
					return ""
				}
				return strconv.FormatInt(n, 10)
			}
			if v, err := strconv.ParseFloat(x.Value, 64); err == nil && v != 0 {
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
	case *ast.UnaryExpr:
		if text := numeral(x.X); text != "" && x.Op == token.SUB {
			return "-" + text
		}
	case *ast.SelectorExpr:
		return duration(1, x)
	case *ast.BinaryExpr:
		return product(x)
	}
	return ""
}

func product(x *ast.BinaryExpr) string {
	left, right := x.X, x.Y
	if _, unit := left.(*ast.SelectorExpr); unit {
		left, right = right, left
	}
	if c, ok := left.(*ast.CallExpr); ok && len(c.Args) == 1 && dotted(c.Fun) == "time.Duration" {
		left = c.Args[0]
	}
	lit, ok := left.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return ""
	}
	n, err := strconv.ParseInt(lit.Value, 0, 64)
	if err != nil {
		return ""
	}
	switch unit := right.(type) {
	case *ast.SelectorExpr:
		if x.Op == token.MUL {
			return duration(n, unit)
		}
	case *ast.BasicLit:
		by, err := strconv.ParseInt(unit.Value, 0, 64)
		switch {
		case err != nil:
		case x.Op == token.MUL && n < 1<<31 && by < 1<<31:
			return strconv.FormatInt(n*by, 10)
		case x.Op == token.SHL && by >= 0 && by < 40 && n < 1<<20:
			return strconv.FormatInt(n<<by, 10)
		}
	}
	return ""
}

var units = lazy.Value[map[string]time.Duration]{Make: func() map[string]time.Duration {
	return map[string]time.Duration{
		"time.Nanosecond": time.Nanosecond, "time.Microsecond": time.Microsecond, "time.Millisecond": time.Millisecond,
		"time.Second": time.Second, "time.Minute": time.Minute, "time.Hour": time.Hour,
	}
}}

func duration(n int64, unit *ast.SelectorExpr) string {
	d := units.Get()[dotted(unit)]
	if d == 0 || n == 0 || n > int64(1<<62)/int64(d) {
		return ""
	}
	return (time.Duration(n) * d).String()
}
