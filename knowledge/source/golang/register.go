package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

// starter finds registrations at program start: in init, package variables, main, and the functions of the file that
// these call. Conditional or later registrations do not count.
type starter struct {
	r         *reader
	imported  map[string]bool // local names of packages
	consts    map[string]ast.Expr
	texts     map[string]constant // constants, computed lazily
	functions map[string]*ast.FuncDecl
	entered   map[string]bool
	init      bool            // the current code runs before main
	locals    map[string]bool // of the current function
}

// registrations adds the file's registrations, and the names that its types declare for themselves.
func (r *reader) registrations() {
	s := &starter{r: r, imported: map[string]bool{}, consts: map[string]ast.Expr{}, texts: map[string]constant{}, functions: map[string]*ast.FuncDecl{}, entered: map[string]bool{}}
	for _, spec := range r.tree.Imports {
		if name := localName(spec); name != "_" && name != "." {
			s.imported[name] = true
		}
	}
	var starts []*ast.FuncDecl
	for _, d := range r.tree.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			s.constants(d)
		case *ast.FuncDecl:
			switch {
			case d.Body == nil, d.Recv != nil:
			case d.Name.Name == "init", d.Name.Name == "main" && r.out.Package == "main":
				starts = append(starts, d)
			default:
				s.functions[d.Name.Name] = d
			}
		}
	}
	for _, d := range r.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			s.naming(f)
		}
	}
	if !bytes.Contains(r.src, []byte("egister")) && !bytes.Contains(r.src, []byte(".Add")) {
		return
	}
	s.init = true
	for _, d := range r.tree.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			s.variables(g)
		}
	}
	for _, f := range starts {
		s.init = f.Name.Name == "init"
		s.enter(f)
	}
}

func (s *starter) constants(d *ast.GenDecl) {
	if d.Tok != token.CONST {
		return
	}
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			for i, n := range v.Names {
				if i < len(v.Values) {
					s.consts[n.Name] = v.Values[i]
				}
			}
		}
	}
}

func (s *starter) variables(d *ast.GenDecl) {
	s.locals = nil
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			for _, e := range v.Values {
				s.expression(e)
			}
		}
	}
}

// enter reads the unconditional statements of a function.
func (s *starter) enter(f *ast.FuncDecl) {
	outer := s.locals
	s.locals = localsOf(f)
	for _, stmt := range f.Body.List {
		switch x := stmt.(type) {
		case *ast.ExprStmt:
			s.expression(x.X)
		case *ast.AssignStmt:
			for _, e := range x.Rhs {
				s.expression(e)
			}
		case *ast.IfStmt: // if err := register(); err != nil
			if a, ok := x.Init.(*ast.AssignStmt); ok {
				for _, e := range a.Rhs {
					s.expression(e)
				}
			}
		case *ast.ReturnStmt:
			for _, e := range x.Results {
				s.expression(e)
			}
		}
	}
	s.locals = outer
}

func localsOf(f *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				out[name.Name] = true
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				out[name.Name] = true
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if name, ok := e.(*ast.Ident); ok && n.Tok == token.DEFINE {
					out[name.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if name, ok := e.(*ast.Ident); ok {
					out[name.Name] = true
				}
			}
		}
		return true
	})
	return out
}

func (s *starter) expression(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			_, later := n.(*ast.FuncLit)
			return !later
		}
		if name, ok := call.Fun.(*ast.Ident); ok && !s.locals[name.Name] && !s.entered[name.Name] && s.functions[name.Name] != nil && len(s.entered) < mostEntered {
			s.entered[name.Name] = true
			s.enter(s.functions[name.Name])
		}
		s.call(call)
		return true
	})
}

// mostEntered bounds the functions reached from program start, because each may call the next.
const mostEntered = 64

func (s *starter) call(call *ast.CallExpr) {
	registry, adds := s.registry(call.Fun)
	if registry == "" || len(call.Args) == 0 {
		return
	}
	if name, ok := s.text(call.Args[0], 0); ok {
		what := ""
		for _, a := range call.Args[1:] {
			if id, _ := s.registered(a); id != "" && what == "" {
				what = id
			}
		}
		if !adds || what != "" {
			s.add(call, registry, name, what)
		}
		return
	}
	for _, a := range call.Args {
		if _, value := a.(*ast.SelectorExpr); value {
			continue // usually the registry rather than the item
		}
		id, name := s.registered(a)
		if name != "" {
			id = "" // an option of the registration, not the item
		}
		if !adds && id+name != "" {
			s.add(a, registry, name, id)
		}
	}
}

func (s *starter) add(at ast.Node, registry, name, what string) {
	s.r.out.Facts = append(s.r.out.Facts, source.Fact{Kind: source.Register, Name: name, Of: registry, ID: what, Line: s.r.line(at.Pos())})
}

// registry returns the function that a call registers something with, judged by its name. Before main, adding a named
// item to another package counts as well.
func (s *starter) registry(e ast.Expr) (name string, adds bool) {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return s.registry(x.X)
	case *ast.Ident:
		if !s.locals[x.Name] && isVerb(x.Name, "register") {
			return x.Name, false
		}
	case *ast.SelectorExpr:
		owner, away := s.owner(x.X)
		switch {
		case owner == "":
		case isVerb(x.Sel.Name, "register"):
			return owner + "." + x.Sel.Name, false
		case s.init && away && isVerb(x.Sel.Name, "add") && x.Sel.IsExported():
			return owner + "." + x.Sel.Name, true
		}
	}
	return "", false
}

// owner returns the qualifier of a function: a package, one of its variables, or a variable of this package.
func (s *starter) owner(e ast.Expr) (name string, isPackage bool) {
	switch x := e.(type) {
	case *ast.Ident:
		if !s.locals[x.Name] {
			return x.Name, s.imported[x.Name]
		}
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok && !s.locals[pkg.Name] && s.imported[pkg.Name] {
			return pkg.Name + "." + x.Sel.Name, false
		}
	}
	return "", false
}

// isVerb reports whether a name begins with a verb as a separate word: Register, MustRegister, registerAll, but not
// registered.
func isVerb(name, verb string) bool {
	if len(name) >= len("Must")+len(verb) && strings.EqualFold(name[:len("Must")], "must") {
		name = name[len("Must"):]
	}
	if len(name) < len(verb) || !strings.EqualFold(name[:len(verb)], verb) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(name[len(verb):])
	return len(name) == len(verb) || !unicode.IsLower(next)
}
