package golang

import (
	"go/ast"
	"go/types"

	"github.com/causaldocs/causal/knowledge/lazy"
)

// scope holds the names that are bound where the walk stands. Blocks are marks on one stack, and each name knows what it
// hides, so that entering, leaving and looking up cost the same however deep they are.
type scope struct {
	index map[string]int // the place of the innermost binding of a name on the stack, from 1; 0 when there is none
	stack []binding
	block int // where the innermost block begins
}

type binding struct {
	name   string
	hidden int // the place of the binding that this one hides
	// typ is the type of a variable where the syntax tells it, written in names that are declared outside of functions, or
	// imported. Of a local type it is what the type is declared as.
	typ    ast.Expr
	isType bool
}

// bind declares a name in the innermost block.
func (s *scope) bind(n *ast.Ident, typ ast.Expr) { s.push(n, binding{typ: typ}) }

func (s *scope) push(n *ast.Ident, b binding) {
	if n == nil || n.Name == "_" {
		return
	}
	b.name, b.hidden = n.Name, s.index[n.Name]
	s.stack = append(s.stack, b)
	s.index[n.Name] = len(s.stack)
}

// define binds a name as := does: one that the block has already keeps its type.
func (s *scope) define(n *ast.Ident, typ ast.Expr) {
	if s.index[n.Name] <= s.block {
		s.bind(n, typ)
	}
}

// enter opens a block and returns what leave needs to close it.
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

// find returns the innermost binding of a name, nil when it is free.
func (s *scope) find(name string) *binding {
	if at := s.index[name]; at > 0 {
		return &s.stack[at-1]
	}
	return nil
}

// free returns a type when none of the names that matter in it is bound: then it means the same everywhere in the file.
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

// universe has the names that are declared everywhere. Those that are young are missing, because packages that are older
// declare them themselves: nobody else can then be meant, or nobody at all.
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
