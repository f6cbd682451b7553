package golang

import (
	"go/ast"
	"go/token"
)

// instantiate chooses type arguments for a generic function, or returns why it cannot.
func (p *Package) instantiate(plan *Plan, f *function, r *resolver) string {
	if f.decl.Recv != nil {
		if base := p.types[receiver(f.decl.Recv)]; base != nil && base.spec.TypeParams != nil {
			return "is a method of a generic type"
		}
	}
	if f.decl.Type.TypeParams == nil {
		return ""
	}
	inferred := map[string]bool{}
	ast.Inspect(f.decl.Type.Params, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			inferred[id.Name] = true
		}
		return true
	})
	said := false
	for _, field := range f.decl.Type.TypeParams.List {
		t := p.satisfying(field.Type)
		if t == "" {
			return "no type is known for its parameter " + field.Names[0].Name
		}
		for _, n := range field.Names {
			arg := basic[t]
			arg.Text = t
			r.args[n.Name] = &arg
			plan.TypeArgs = append(plan.TypeArgs, t)
			said = said || !inferred[n.Name]
		}
	}
	if !said {
		plan.TypeArgs = nil
	}
	return ""
}

// satisfying returns a type that satisfies a constraint, int if possible.
func (p *Package) satisfying(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		if d := p.types[x.Name]; d != nil {
			return p.satisfying(d.spec.Type)
		}
		if x.Name == "any" || x.Name == "comparable" || x.Name == "int" {
			return "int"
		}
		if t, ok := basic[x.Name]; ok && t.Kind != Opaque && t.Kind != Fault && t.Kind != Any {
			return x.Name
		}
	case *ast.SelectorExpr:
		switch x.Sel.Name {
		case "Ordered", "Integer", "Signed", "Number":
			return "int"
		case "Unsigned":
			return "uint"
		case "Float":
			return "float64"
		}
	case *ast.UnaryExpr:
		if x.Op == token.TILDE {
			return p.satisfying(x.X)
		}
	case *ast.BinaryExpr:
		a, b := p.satisfying(x.X), p.satisfying(x.Y)
		if b == "int" || a == "" {
			return b
		}
		return a
	case *ast.InterfaceType:
		found := ""
		for _, m := range x.Methods.List {
			if len(m.Names) > 0 {
				return ""
			}
			if found = p.satisfying(m.Type); found == "" {
				return ""
			}
		}
		if found == "" {
			return "int"
		}
		return found
	}
	return ""
}
