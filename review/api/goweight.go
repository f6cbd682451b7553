package api

import (
	"go/ast"
	"go/token"
	"strconv"
)

// Bounds of what Go's type checker is given. It writes out what names stand for: a dozen aliases that each have the one before twice,
// or constants that each double the one before, are millions of types and gigabytes of text.
const (
	mostWeight  = 8 << 20 // of all declarations of a package, with what they stand for written out
	deepestType = 10_000  // nodes within nodes, through names: the stack
)

// weight is what a declaration comes to.
type weight struct {
	size int
	// always is set of what is written out wherever it is named: a constant, an alias. Others are where values of them are held, where
	// they are embedded, given type arguments, or made another type of.
	always bool
}

// weigher weighs the declarations of one package.
type weigher struct {
	loader   *goLoader
	declared map[string]weighed
	done     map[string]weight
	file     *ast.File
	imports  map[*ast.File]map[string]*goPackage
	depth    int
	total    int
}

// weighed is a declaration that is to be weighed.
type weighed struct {
	file  *ast.File
	nodes []ast.Node
	// always is as in weight
	always bool
}

// weigh returns what the declarations of a package weigh, and why that is too much.
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

// declare notes what a declaration declares, and returns the names.
func (w *weigher) declare(f *ast.File, d *ast.GenDecl) (names []string) {
	var last *ast.ValueSpec // that a constant without a value repeats
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

// valueOf is what the name at a place of a specification stands for.
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

// named weighs a declaration of the package; one that is being weighed is a circle, and weighs nothing in there.
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
			written[x] = true // a type made of another one has all its members
		}
		size += w.node(n, written)
	}
	w.total = min(w.total+size, mostWeight+1)
	return min(size, mostWeight+1)
}

// node weighs a part of a declaration.
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

// leave comes back from a node, unless it was too deep: that stays known.
func (w *weigher) leave() {
	if w.depth <= deepestType {
		w.depth--
	}
}

// one weighs a node by itself.
func (w *weigher) one(n ast.Node, written map[ast.Node]bool) int {
	switch n := n.(type) {
	case *ast.BasicLit:
		return 1 + len(n.Value)
	case *ast.IndexExpr:
		written[n.X] = true
	case *ast.IndexListExpr:
		written[n.X] = true
	case *ast.Field:
		if more := len(n.Names) - 1; more > 0 { // the type is walked over once
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

// heldBy is the type whose values a field has in it: of an embedded pointer, what members it brings along.
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

// selected is what a name of another package of the repository weighs.
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
