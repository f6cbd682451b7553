package golang

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// registered returns the type, function or variable that an argument names, and the name in its literal.
func (s *starter) registered(e ast.Expr) (id, name string) {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if lit := literalOf(x); lit != nil {
			return s.registered(lit)
		}
	case *ast.CompositeLit:
		return s.named(x.Type), s.ownName(x)
	case *ast.FuncLit:
		if len(x.Body.List) == 1 {
			if ret, ok := x.Body.List[0].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
				if _, again := ret.Results[0].(*ast.FuncLit); !again {
					id, _ := s.registered(ret.Results[0])
					return id, ""
				}
			}
		}
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "new" && len(x.Args) == 1 {
			return s.named(x.Args[0]), ""
		}
		if p, ok := x.Fun.(*ast.ParenExpr); ok {
			return s.named(p.X), ""
		}
		return s.named(x.Fun), ""
	case *ast.Ident, *ast.SelectorExpr:
		return s.named(x), ""
	}
	return "", ""
}

func (s *starter) named(e ast.Expr) string {
	for range longestChain {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			_, constant := s.consts[x.Name]
			if constant || s.locals[x.Name] || isPredeclared(x.Name) {
				return ""
			}
			return x.Name
		case *ast.SelectorExpr:
			if pkg, ok := x.X.(*ast.Ident); ok && s.imported[pkg.Name] && !s.locals[pkg.Name] {
				return pkg.Name + "." + x.Sel.Name
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

func isPredeclared(name string) bool {
	switch name {
	case "nil", "true", "false", "iota":
		return true
	}
	return predeclared.Get()[name] || predeclaredTypes.Get()[name]
}

var nameFields = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"ID": true, "Name": true, "Key": true}
}}

func (s *starter) ownName(lit *ast.CompositeLit) string {
	found := ""
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); !ok || !nameFields.Get()[key.Name] {
			continue
		}
		text, ok := s.text(kv.Value, 0)
		if !ok || found != "" {
			return ""
		}
		found = text
	}
	return found
}

// naming records the name of a type whose method returns only that name.
func (s *starter) naming(f *ast.FuncDecl) {
	if f.Recv == nil || f.Body == nil || len(f.Body.List) != 1 || f.Type.Params.NumFields() > 0 || f.Type.Results.NumFields() != 1 {
		return
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	typ := receiver(f.Recv)
	if !ok || len(ret.Results) != 1 || typ == "" {
		return
	}
	name, of := "", ""
	if lit := literalOf(ret.Results[0]); lit != nil {
		name, of = s.ownName(lit), s.named(lit.Type)
	} else if nameFields.Get()[f.Name.Name] {
		name, _ = s.text(ret.Results[0], 0)
	}
	if name != "" {
		s.r.out.Facts = append(s.r.out.Facts, source.Fact{Kind: source.Naming, Name: name, ID: typ, Of: of, Line: s.r.line(f.Pos())})
	}
}

// longestName bounds a registration's name in bytes: a longer text is not a name.
const longestName = 200

// text returns the text of an expression, as far as the file shows it.
func (s *starter) text(e ast.Expr, depth int) (string, bool) {
	if depth > longestChain {
		return "", false
	}
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			return strings.ToValidUTF8(text, "\uFFFD"), err == nil && text != "" && len(text) <= longestName
		}
	case *ast.Ident:
		if s.consts[x.Name] == nil || s.locals[x.Name] {
			return "", false
		}
		c, known := s.texts[x.Name]
		if !known {
			s.texts[x.Name] = c // self-referential
			c.text, c.ok = s.text(s.consts[x.Name], depth+1)
			s.texts[x.Name] = c
		}
		return c.text, c.ok
	case *ast.BinaryExpr:
		left, ok := s.text(x.X, depth+1)
		if right, also := s.text(x.Y, depth+1); ok && also && x.Op == token.ADD {
			return left + right, len(left)+len(right) <= longestName
		}
	}
	return "", false
}
