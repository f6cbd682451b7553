package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

type variable struct {
	typ, value ast.Expr // declared type and initial value; nil if missing
	imports
}

// harmlessMethods lists the methods that do not modify a value, by type or, for all types of a package, by package.
// Methods of types that are not listed count as harmless.
var harmlessMethods = map[string][]string{
	"sync/atomic": {"Load"}, "sync.Map": {"Load", "Range"},
	"bytes.Buffer": {"Bytes", "Cap", "Len", "String"}, "strings.Builder": {"Cap", "Len", "String"},
	"container/list": {"Back", "Front", "Len", "Next", "Prev"}, "container/ring": {"Do", "Len", "Next", "Prev"},
}

// writer searches a body for changes of existing variables.
type writer struct {
	p      *Package
	f      *function
	before func(name string) bool // reports whether a name refers to an existing variable
	inside bool                   // only changes of the value count, not assignments to the name
	sets   bool                   // only assignments count, except those to entries of maps and slices
	seen   map[string]bool        // methods visited since the first call
	found  []string
}

// changes returns a package variable that a function may change directly or through methods of the variable; empty if
// there is none. It does not follow other calls: callers check each function reached.
func (p *Package) changes(f *function) string {
	name, known := p.changer[f]
	if !known {
		if found := p.writes(f, false); len(found) > 0 {
			name = found[0]
		}
		p.changer[f] = name
	}
	return name
}

// writes returns the package variables that a function may change or, with sets, those that it sets. Adding entries does
// not count then: existing entries stay the same.
func (p *Package) writes(f *function, sets bool) []string {
	if f.decl.Body == nil {
		return nil
	}
	local := locals(f.decl)
	w := writer{p: p, f: f, sets: sets, before: func(name string) bool { return p.vars[name] != nil && !local[name] }}
	w.body()
	return w.found
}

// mostMethods limits the chain of methods followed on a value. Beyond it, anything may change.
const mostMethods = 200

// changesReceiver reports whether a method may modify its receiver.
func (p *Package) changesReceiver(f *function, seen map[string]bool) bool {
	if changes, known := p.mutator[f.name]; known {
		return changes
	}
	if len(seen) >= mostMethods {
		return true
	}
	if f.decl.Body == nil || seen[f.name] || len(f.decl.Recv.List[0].Names) == 0 {
		return false
	}
	seen[f.name] = true
	own := f.decl.Recv.List[0].Names[0].Name
	w := writer{p: p, f: f, inside: true, before: func(name string) bool { return name == own }, seen: seen}
	w.body()
	if len(w.found) > 0 {
		p.mutator[f.name] = true
	}
	return len(w.found) > 0
}

func (w *writer) body() {
	ast.Inspect(w.f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					w.written(x)
				}
			}
		case *ast.IncDecStmt:
			w.written(n.X)
		case *ast.CallExpr:
			if w.p.once(n) {
				return false
			}
			if !w.sets {
				w.call(n)
			}
		}
		return true
	})
}

func (w *writer) written(x ast.Expr) {
	name, inner, entry := root(x)
	if name != "" && w.before(name) && (inner || !w.inside) && !(entry && w.sets) {
		w.found = append(w.found, name)
	}
}

// root returns the variable that an expression is part of. inner reports that it is more than the name, entry that it
// is in a map or slice entry.
func root(x ast.Expr) (name string, inner, entry bool) {
	for {
		switch y := x.(type) {
		case *ast.ParenExpr:
			x = y.X
		case *ast.SelectorExpr:
			x, inner = y.X, true
		case *ast.StarExpr:
			x, inner = y.X, true
		case *ast.IndexExpr:
			x, inner, entry = y.X, true, true
		case *ast.Ident:
			if y.Name == "_" {
				return "", false, false
			}
			return y.Name, inner, entry
		default:
			return "", false, false
		}
	}
}

var builtins = []string{"clear", "copy", "delete"}

// call records variables that a call may change: those whose address it takes, and those with a modifying method.
func (w *writer) call(c *ast.CallExpr) {
	for _, arg := range c.Args {
		if of, ok := arg.(*ast.UnaryExpr); ok && of.Op == token.AND {
			w.written(of.X)
		}
	}
	switch f := c.Fun.(type) {
	case *ast.Ident:
		if slices.Contains(builtins, f.Name) && len(c.Args) > 0 {
			w.written(&ast.StarExpr{X: c.Args[0]})
		}
	case *ast.SelectorExpr:
		if name, _, _ := root(f.X); name != "" && w.before(name) && w.method(w.typeOf(f.X), f.Sel.Name) {
			w.found = append(w.found, name)
		}
	}
}

// method reports whether a method of a type may modify the value.
func (w *writer) method(of, method string) bool {
	if f := w.p.funcs[of+"."+method]; f != nil {
		if w.inside {
			return w.p.changesReceiver(f, w.seen)
		}
		seen := map[string]bool{}
		changes := w.p.changesReceiver(f, seen)
		for name := range seen {
			if !changes { // otherwise a cycle may have cut the search short
				w.p.mutator[name] = false
			}
		}
		return changes
	}
	reading, listed := harmlessMethods[of]
	if at := strings.LastIndexByte(of, '.'); !listed && at > 0 {
		reading, listed = harmlessMethods[of[:at]]
	}
	return listed && !slices.Contains(reading, method)
}

// typeOf returns the type name of a variable or field, as typeName writes it; empty if unknown.
func (w *writer) typeOf(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.typeOf(x.X)
	case *ast.StarExpr:
		return w.typeOf(x.X)
	case *ast.Ident:
		if w.inside {
			return receiver(w.f.decl.Recv)
		}
		return w.p.typeOfVariable(w.p.vars[x.Name])
	case *ast.SelectorExpr:
		fields, in := w.structOf(x.X)
		for _, field := range fields {
			if slices.ContainsFunc(field.Names, func(n *ast.Ident) bool { return n.Name == x.Sel.Name }) {
				return typeName(field.Type, in)
			}
		}
	}
	return ""
}

// structOf returns the fields of an expression's struct type; none if unknown.
func (w *writer) structOf(x ast.Expr) ([]*ast.Field, imports) {
	var of ast.Expr
	var in imports
	if d := w.p.types[w.typeOf(x)]; d != nil {
		of, in = d.spec.Type, d.imports
	} else if id, ok := x.(*ast.Ident); ok && !w.inside {
		of, in = w.p.vars[id.Name].typ, w.p.vars[id.Name].imports
	}
	if of, ok := of.(*ast.StructType); ok {
		return of.Fields.List, in
	}
	return nil, nil
}

func (p *Package) typeOfVariable(v *variable) string {
	if v.typ != nil {
		return typeName(v.typ, v.imports)
	}
	value := v.value
	if of, ok := value.(*ast.UnaryExpr); ok {
		value = of.X
	}
	switch x := value.(type) {
	case *ast.CompositeLit:
		return typeName(x.Type, v.imports)
	case *ast.CallExpr:
		name := typeName(x.Fun, v.imports)
		if name == "new" && len(x.Args) == 1 {
			return typeName(x.Args[0], v.imports)
		}
		if f := p.funcs[name]; f != nil && f.decl.Type.Results.NumFields() > 0 {
			return typeName(f.decl.Type.Results.List[0].Type, f.imports)
		}
		return name // functions that make values are listed by package, like types
	}
	return ""
}

// typeName returns T for a type of the package and path.T for one of another package; empty for unnamed types. Pointers
// are dereferenced.
func typeName(x ast.Expr, in imports) string {
	x = base(x)
	if s, ok := x.(*ast.SelectorExpr); ok {
		if of := in[valueName(s.X)]; of != "" {
			return of + "." + s.Sel.Name
		}
	}
	return valueName(x)
}

// once reports whether a call is Do of a package's sync.Once. Its effects are the same for all later calls.
func (p *Package) once(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "Do" || len(call.Args) != 1 {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	if !ok || p.vars[of.Name] == nil {
		return false
	}
	what, ok := call.Args[0].(*ast.FuncLit)
	return ok && what.Type.Params.NumFields() == 0 && what.Type.Results.NumFields() == 0
}

// fixed returns the exported variables that the package never changes, by type name. They are as good as constants.
func (p *Package) fixed() map[string][]string {
	if p.steady != nil {
		return p.steady
	}
	p.steady = map[string][]string{}
	changed := p.changed()
	for _, name := range p.valueNames {
		if !ast.IsExported(name) || changed[name] != "" {
			continue
		}
		base := ""
		switch x := p.vars[name].value.(type) {
		case *ast.CallExpr:
			if f, ok := x.Fun.(*ast.Ident); ok && p.funcs[f.Name] != nil {
				if d := p.funcs[f.Name].decl; d.Type.Results.NumFields() == 1 {
					base = valueName(d.Type.Results.List[0].Type)
				}
			}
		case *ast.CompositeLit:
			base = valueName(x.Type)
		}
		if base != "" && p.types[base] != nil {
			p.steady[base] = append(p.steady[base], name)
		}
	}
	return p.steady
}

func valueName(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// changed maps the variables that some function changes to the first such function.
func (p *Package) changed() map[string]string {
	if p.changing == nil {
		p.changing = map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(p.funcs)) {
			if name == "init" {
				continue
			}
			for _, v := range p.writes(p.funcs[name], true) {
				p.changing[v] = cmp.Or(p.changing[v], name)
			}
		}
	}
	return p.changing
}

// mayRun reports whether existing tests may call a function of the package.
func (p *Package) mayRun(name string) bool {
	if name == "" || !ast.IsExported(testgen.LastName(name)) {
		return name != "" && len(p.tests) > 0
	}
	return slices.ContainsFunc(p.tests, func(t *ast.FuncDecl) bool { return mentions(t, testgen.LastName(name)) })
}

// set returns a package variable that a function calls and init sets to an unknown value.
func (p *Package) set(f *function) (found string) {
	init := p.funcs["init"]
	if init == nil || f.decl.Body == nil {
		return ""
	}
	sets := p.writes(init, true)
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && slices.Contains(sets, id.Name) {
				found = id.Name
			}
		}
		return found == ""
	})
	return found
}

func locals(d *ast.FuncDecl) map[string]bool {
	out := map[string]bool{}
	add := func(list ...ast.Expr) {
		for _, x := range list {
			if id, ok := x.(*ast.Ident); ok {
				out[id.Name] = true
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				out[id.Name] = true
			}
		case *ast.Field: // also of function literals
			for _, id := range n.Names {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}
