package golang

import (
	"go/ast"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// scope holds the names bound at the walk's position. Blocks are marks on one stack, and each binding links to the one
// it shadows, so entering, leaving and lookup do not depend on depth.
type scope struct {
	index map[string]int // stack position of the innermost binding of a name, from 1; 0 if none
	stack []binding
	block int // start of the innermost block
}

type binding struct {
	name   string
	hidden int // position of the shadowed binding
	// typ is the explicit type of a variable, in package-level or imported names. For a local type it is the declared
	// type.
	typ    ast.Expr
	isType bool
}

func (s *scope) bind(n *ast.Ident, typ ast.Expr) { s.push(n, binding{typ: typ}) }

func (s *scope) push(n *ast.Ident, b binding) {
	if n == nil || n.Name == "_" {
		return
	}
	b.name, b.hidden = n.Name, s.index[n.Name]
	s.stack = append(s.stack, b)
	s.index[n.Name] = len(s.stack)
}

// define binds a name as := does: a name already in the block keeps its type.
func (s *scope) define(n *ast.Ident, typ ast.Expr) {
	if s.index[n.Name] <= s.block {
		s.bind(n, typ)
	}
}

func (s *scope) enter() (outer int) {
	outer, s.block = s.block, len(s.stack)
	return outer
}

func (s *scope) leave(outer int) {
	for i := len(s.stack) - 1; i >= s.block; i-- {
		s.index[s.stack[i].name] = s.stack[i].hidden
	}
	s.stack, s.block = s.stack[:s.block], outer
}

func (s *scope) find(name string) *binding {
	if at := s.index[name]; at > 0 {
		return &s.stack[at-1]
	}
	return nil
}

// free returns a type if its relevant names are unbound: then it means the same in the whole file.
func (s *scope) free(e ast.Expr) ast.Expr {
	for at := e; ; {
		switch x := at.(type) {
		case *ast.Ident:
			if s.index[x.Name] > 0 {
				return nil
			}
			return e
		case *ast.SelectorExpr:
			at = x.X
		case *ast.StarExpr:
			at = x.X
		case *ast.ParenExpr:
			at = x.X
		case *ast.IndexExpr:
			at = x.X
		case *ast.IndexListExpr:
			at = x.X
		case *ast.ArrayType:
			at = x.Elt
		case *ast.ChanType:
			at = x.Value
		case *ast.MapType:
			if s.free(x.Key) == nil {
				return nil
			}
			at = x.Value
		default:
			return nil
		}
	}
}

// universe has the predeclared names, except recent ones that older packages declare themselves: a use is unambiguous
// without them.
var universe = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	m := map[string]bool{"_": true}
	for _, name := range types.Universe.Names() {
		m[name] = true
	}
	for _, young := range []string{"clear", "max", "min"} {
		delete(m, young)
	}
	return m
}}
