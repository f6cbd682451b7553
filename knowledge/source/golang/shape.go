package golang

import (
	"bytes"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// shape returns a method's type as in source.Symbol.Shape. Receiver type parameters become "?", because they are
// unknown here.
func (r *reader) shape(t *ast.FuncType, params map[string]bool) string {
	r.text.Reset()
	s := shaper{&r.text, params, r.walker.tops}
	s.signature(t)
	return r.valid(r.text.String())
}

type shaper struct {
	to     *bytes.Buffer
	params map[string]bool
	tops   map[string]top
}

func (s shaper) signature(t *ast.FuncType) {
	s.to.WriteByte('(')
	s.list(t.Params)
	s.to.WriteByte(')')
	switch {
	case t.Results == nil || len(t.Results.List) == 0:
	case len(t.Results.List) == 1 && len(t.Results.List[0].Names) < 2:
		s.to.WriteByte(' ')
		s.typ(t.Results.List[0].Type)
	default:
		s.to.WriteString(" (")
		s.list(t.Results)
		s.to.WriteByte(')')
	}
}

func (s shaper) list(fields *ast.FieldList) {
	if fields == nil {
		return
	}
	sep := ""
	for _, f := range fields.List {
		for range max(len(f.Names), 1) {
			s.to.WriteString(sep)
			s.typ(f.Type)
			sep = ", "
		}
	}
}

func (s shaper) typ(e ast.Expr) {
	switch x := e.(type) {
	case *ast.Ident:
		s.name(x)
	case *ast.SelectorExpr:
		s.to.WriteByte('$')
		types.WriteExpr(s.to, x)
	case *ast.ParenExpr:
		s.typ(x.X)
	case *ast.StarExpr:
		s.to.WriteByte('*')
		s.typ(x.X)
	case *ast.Ellipsis:
		s.to.WriteString("...")
		s.typ(x.Elt)
	case *ast.ArrayType:
		s.to.WriteByte('[')
		if x.Len != nil {
			types.WriteExpr(s.to, x.Len)
		}
		s.to.WriteByte(']')
		s.typ(x.Elt)
	case *ast.MapType:
		s.to.WriteString("map[")
		s.typ(x.Key)
		s.to.WriteByte(']')
		s.typ(x.Value)
	case *ast.ChanType:
		s.channel(x)
	case *ast.FuncType:
		s.to.WriteString("func")
		s.signature(x)
	case *ast.IndexExpr:
		s.typ(x.X)
		s.arguments(x.Index)
	case *ast.IndexListExpr:
		s.typ(x.X)
		s.arguments(x.Indices...)
	case *ast.InterfaceType:
		if len(x.Methods.List) == 0 {
			s.to.WriteString("any")
			return
		}
		types.WriteExpr(s.to, x)
	default:
		types.WriteExpr(s.to, e)
	}
}

func (s shaper) name(x *ast.Ident) {
	_, here := s.tops[x.Name]
	switch {
	case s.params[x.Name]:
		s.to.WriteByte('?')
	case !here && universe.Get()[x.Name]:
		s.to.WriteString(synonyms.Get()[x.Name])
		if synonyms.Get()[x.Name] == "" {
			s.to.WriteString(x.Name)
		}
	default:
		s.to.WriteByte('$')
		s.to.WriteString(x.Name)
	}
}

var synonyms = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"byte": "uint8", "rune": "int32"}
}}

func (s shaper) channel(x *ast.ChanType) {
	switch x.Dir {
	case ast.SEND:
		s.to.WriteString("chan<- ")
	case ast.RECV:
		s.to.WriteString("<-chan ")
	default:
		s.to.WriteString("chan ")
	}
	s.typ(x.Value)
}

func (s shaper) arguments(list ...ast.Expr) {
	for i, a := range list {
		s.to.WriteByte("[,"[min(i, 1)])
		s.typ(a)
	}
	s.to.WriteByte(']')
}

// kinship returns the types that a type builds on, and the methods that an interface requires. A constraint requires
// more than methods, so its type list counts as an unknown base.
func (r *reader) kinship(s *ast.TypeSpec, params map[string]bool) (bases []string, requires []source.Member) {
	switch t := s.Type.(type) {
	case *ast.StructType:
		for _, f := range t.Fields.List {
			if len(f.Names) == 0 {
				bases = append(bases, r.base(f.Type))
			}
		}
	case *ast.InterfaceType:
		for _, f := range t.Methods.List {
			sig, ok := f.Type.(*ast.FuncType)
			if !ok {
				switch base := r.base(f.Type); {
				case r.predeclared(f.Type) && base == "error":
					requires = append(requires, source.Member{Name: "Error", Shape: "() string"})
				case !r.predeclared(f.Type):
					bases = append(bases, base)
				}
				continue
			}
			for _, n := range f.Names {
				requires = append(requires, source.Member{Name: n.Name, Shape: r.shape(sig, params)})
			}
		}
	default:
		if _, name := splitType(t); name != nil {
			bases = append(bases, r.base(t))
		}
	}
	slices.SortStableFunc(requires, func(a, b source.Member) int { return strings.Compare(a.Name, b.Name) })
	return bases, slices.CompactFunc(requires, func(a, b source.Member) bool { return a.Name == b.Name })
}

// fields returns the types of the fields whose type has a name, without pointers.
func (r *reader) fields(t *ast.StructType, params map[string]bool) map[string]string {
	out := map[string]string{}
	for _, f := range t.Fields.List {
		for _, n := range f.Names {
			if r.isNamed(f.Type, params) {
				out[r.valid(n.Name)] = r.base(f.Type)
			}
		}
	}
	return out
}

// isNamed reports whether a type has a name that a declaration or an import of the module leads to.
func (r *reader) isNamed(e ast.Expr, params map[string]bool) bool {
	_, name := splitType(e)
	return name != nil && !params[name.Name] && !r.predeclared(name)
}

func (r *reader) predeclared(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, here := r.walker.tops[id.Name]
	return !here && universe.Get()[id.Name]
}

func (r *reader) base(e ast.Expr) string {
	pkg, name := splitType(e)
	switch {
	case name == nil:
		return r.valid(types.ExprString(e))
	case pkg == nil:
		return r.valid(name.Name)
	}
	return r.valid(pkg.Name + "." + name.Name)
}
