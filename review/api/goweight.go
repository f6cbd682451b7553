package api

import (
	"go/ast"
	"go/token"
	"strconv"
)

// Limits of the input of Go's type checker. It expands names: a dozen aliases that each contain the previous one
// twice, or constants that each double the previous one, take gigabytes.
const (
	mostWeight  = 8 << 20 // total size of a package's declarations after expansion
	deepestType = 10_000  // nesting depth after expansion, which bounds the stack
)

type weight struct {
	size int
	// always is set for constants and aliases, which expand wherever they are named. Other declarations expand only
	// in types that hold their values, embed them, instantiate them or are defined by them.
	always bool
}

type weigher struct {
	loader   *goLoader
	declared map[string]weighed
	done     map[string]weight
	file     *ast.File
	imports  map[*ast.File]map[string]*goPackage
	depth    int
	total    int
}

type weighed struct {
	file   *ast.File
	nodes  []ast.Node
	always bool
}

func (l *goLoader) weigh(p *goPackage) (map[string]weight, string) {
	w := weigher{loader: l, declared: map[string]weighed{}, done: map[string]weight{}, imports: map[*ast.File]map[string]*goPackage{}}
	var order []string
	var functions []weighed
	for _, f := range p.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				functions = append(functions, weighed{file: f, nodes: []ast.Node{d.Type}})
			case *ast.GenDecl:
				order = append(order, w.declare(f, d)...)
			}
		}
	}
	for _, name := range order {
		w.named(name)
	}
	for _, f := range functions {
		w.weigh(f)
	}
	switch {
	case w.depth > deepestType:
		return nil, "its declarations nest too deep"
	case w.total > mostWeight:
		return nil, "its aliased types are too large"
	}
	return w.done, ""
}

func (w *weigher) declare(f *ast.File, d *ast.GenDecl) (names []string) {
	var last *ast.ValueSpec // repeated by constants without a value
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			nodes := []ast.Node{s.Type}
			if s.TypeParams != nil {
				nodes = append(nodes, s.TypeParams)
			}
			w.declared[s.Name.Name] = weighed{f, nodes, s.Assign.IsValid()}
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			if last == nil || s.Type != nil || len(s.Values) > 0 {
				last = s
			}
			for i, n := range s.Names {
				w.declared[n.Name] = weighed{f, valueOf(last, i), d.Tok == token.CONST}
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// valueOf returns the type and the value of the i-th name of a specification.
func valueOf(s *ast.ValueSpec, i int) (nodes []ast.Node) {
	if s.Type != nil {
		nodes = append(nodes, s.Type)
	}
	switch {
	case len(s.Values) == 1:
		nodes = append(nodes, s.Values[0])
	case i < len(s.Values):
		nodes = append(nodes, s.Values[i])
	}
	return nodes
}

// named weighs a declaration of the package once. A cyclic reference counts as 1.
func (w *weigher) named(name string) weight {
	if done, ok := w.done[name]; ok || w.over() {
		return done
	}
	d, ok := w.declared[name]
	if !ok {
		return weight{}
	}
	w.done[name] = weight{1, d.always}
	w.done[name] = weight{w.weigh(d), d.always}
	return w.done[name]
}

func (w *weigher) over() bool { return w.depth > deepestType || w.total > mostWeight }

func (w *weigher) weigh(d weighed) int {
	file := w.file
	w.file = d.file
	defer func() { w.file = file }()
	size := 0
	for _, n := range d.nodes {
		written := map[ast.Node]bool{}
		if x, ok := n.(ast.Expr); ok {
			written[x] = true // a defined type has all members of its underlying type
		}
		size += w.node(n, written)
	}
	w.total = min(w.total+size, mostWeight+1)
	return min(size, mostWeight+1)
}

func (w *weigher) node(n ast.Node, written map[ast.Node]bool) int {
	size, from := 0, w.depth
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			w.leave()
			return true
		}
		w.depth++
		if w.over() {
			return false
		}
		size = min(size+w.one(n, written), mostWeight+1)
		if size > mostWeight {
			w.total = size
		}
		_, selector := n.(*ast.SelectorExpr)
		_, body := n.(*ast.BlockStmt)
		if selector || body {
			w.leave()
			return false
		}
		return true
	})
	if !w.over() {
		w.depth = from
	}
	return size
}

// leave undoes a level of depth, unless the limit was exceeded: over must still report that.
func (w *weigher) leave() {
	if w.depth <= deepestType {
		w.depth--
	}
}

func (w *weigher) one(n ast.Node, written map[ast.Node]bool) int {
	switch n := n.(type) {
	case *ast.BasicLit:
		return 1 + len(n.Value)
	case *ast.IndexExpr:
		written[n.X] = true
	case *ast.IndexListExpr:
		written[n.X] = true
	case *ast.Field:
		if more := len(n.Names) - 1; more > 0 { // the traversal visits the type only once
			held := heldBy(n.Type)
			return 1 + min(more*w.node(n.Type, map[ast.Node]bool{held: written[held]}), mostWeight)
		}
	case *ast.StructType:
		for _, f := range n.Fields.List {
			if _, pointer := f.Type.(*ast.StarExpr); !pointer || len(f.Names) == 0 {
				written[heldBy(f.Type)] = true
			}
		}
	case *ast.InterfaceType:
		for _, f := range n.Methods.List {
			written[f.Type] = true
		}
	case *ast.Ident:
		if of := w.named(n.Name); of.always || written[n] {
			return 1 + of.size
		}
	case *ast.SelectorExpr:
		if of := w.selected(n); of.always || written[n] {
			return 1 + of.size
		}
	}
	return 1
}

// heldBy returns the type whose values a field contains, or the target of an embedded pointer.
func heldBy(t ast.Expr) ast.Expr {
	for {
		switch of := t.(type) {
		case *ast.ParenExpr:
			t = of.X
		case *ast.StarExpr:
			return of.X
		case *ast.ArrayType:
			if of.Len == nil {
				return t
			}
			t = of.Elt
		default:
			return t
		}
	}
}

// selected returns the weight of a name from another package of the repository.
func (w *weigher) selected(s *ast.SelectorExpr) weight {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return weight{}
	}
	if w.imports[w.file] == nil {
		w.imports[w.file] = map[string]*goPackage{}
		for _, imp := range w.file.Imports {
			imported, err := strconv.Unquote(imp.Path.Value)
			if p := w.loader.packages[w.loader.dirOf(imported)]; err == nil && imp.Name != nil && p != nil {
				w.imports[w.file][imp.Name.Name] = p
			}
		}
	}
	p := w.imports[w.file][x.Name]
	if p == nil {
		return weight{}
	}
	return p.weights[s.Sel.Name]
}
