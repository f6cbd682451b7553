package golang

import (
	"cmp"
	"go/ast"
	"path"

	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/control"
	"github.com/causaldocs/causal/knowledge/source/surface"
)

// literals are the function literals that handle routes or commands, by their offset: their indices in File.Unnamed.
type literals map[int]int

// handles notes the function literal that handles a route or a command.
func (r *reader) handles(k source.Kind, of string, n *surface.Node) {
	if _, known := r.walker.wanted[int(n.From)]; known || int(n.To) > len(r.src) {
		return
	}
	if r.walker.wanted == nil {
		r.walker.wanted = literals{}
	}
	r.walker.wanted[int(n.From)] = len(r.out.Unnamed)
	r.out.Unnamed = append(r.out.Unnamed, source.Symbol{
		Name: source.UnnamedName(k, cmp.Or(of, path.Base(r.file.Name()))), Kind: k,
		Line: r.line(r.file.Pos(int(n.From))), End: r.line(r.file.Pos(int(n.To))),
	})
}

// unnamed finds the references of the function literals in the declarations that contain them.
func (r *reader) unnamed() {
	w := &r.walker
	for _, d := range r.tree.Decls {
		wanted := false
		for at := range w.wanted {
			wanted = wanted || r.offset(d.Pos()) <= at && at < r.offset(d.End())
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if wanted {
				w.ofFunction(d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && wanted {
					for _, value := range v.Values {
						w.ofValue(v.Type, value)
					}
				}
			}
		}
	}
}

// alone walks a function literal as if it were a declaration.
func (w *walker) alone(x *ast.FuncLit, s *source.Symbol) {
	outer := w.collector
	w.mentions, w.Forks = source.Mentions{}, control.Forks{}
	w.begin()
	w.returns = 0
	block := w.enter()
	w.signature(x.Type)
	w.statements(x.Body.List)
	w.leave(block)
	s.Body = w.references()
	s.Nests = source.NestsOf(s.Body, &w.Forks)
	words := w.Words
	w.collector = outer
	w.Words = words
}
