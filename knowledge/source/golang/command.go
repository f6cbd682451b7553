package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// libraries are the packages that command lines are made with, by the element of the import path that names them.
var libraries = map[string]string{
	"flag": "flag", "github.com/spf13/pflag": "pflag", "github.com/spf13/cobra": "cobra", "github.com/ogier/pflag": "pflag",
	"github.com/urfave/cli": "urfave", "github.com/codegangsta/cli": "urfave", "gopkg.in/urfave/cli": "urfave", "github.com/schollz/cli": "urfave",
	"github.com/alecthomas/kong": "kong",
}

// libraryAt is the library at an import path, whatever its major version; empty for any other package.
func libraryAt(p string) string {
	if base := path.Base(p); len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		p = path.Dir(p)
	}
	if at := strings.LastIndex(p, ".v"); at > 0 && strings.Trim(p[at+2:], "0123456789") == "" {
		p = p[:at]
	}
	return libraries[p]
}

// commander finds the commands of a command line and their flags. It knows what the file spells out: a command is called
// after the variable that holds it or the function that returns it.
type commander struct {
	r         *reader
	libraries map[string]string   // by the local names of what the file imports
	imported  map[string]bool     // the local names of all imports
	consts    map[string]ast.Expr // constants of the file that may be texts
	types     map[string]*ast.StructType
	own       map[string]string   // the types of variables of the package, as far as this file declares them
	texts     map[string]constant // as far as they were asked for
	seen      map[*ast.CompositeLit]bool
	ids       map[string]int
	at        map[string]int  // the fact about a command, by its ID
	hidden    map[string]bool // flags by what they are of and their names
	// of the function that is read
	function string
	returns  string // the variable that it returns in the end
	held     map[string]holding
	facts    []source.Fact
}

// constant is the text that a constant has, if it is one.
type constant struct {
	text string
	ok   bool
}

// holding is what a local variable holds.
type holding struct {
	id   string // of a command, or of the command whose flags it is; empty where nobody knows
	set  bool   // it is the flags of a command, not the command
	list bool   // it is a list of commands, or one of such a list
	typ  string // the type of the package that it has
}

// commands adds what the file says of the command line. Most files have nothing to say: they neither import one of
// the libraries nor show that they get a command from elsewhere.
func (r *reader) commands() {
	c := &commander{r: r, libraries: map[string]string{}, imported: map[string]bool{}}
	for _, spec := range r.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		c.imported[localName(spec)] = true
		if l := libraryAt(p); l != "" {
			local := localName(spec)
			if spec.Name == nil && l == "urfave" {
				local = "cli" // gopkg.in/urfave/cli.v1 is called so
			}
			c.libraries[local] = l
		}
	}
	if len(c.libraries) == 0 && !r.structHelp() && !bytes.Contains(r.src, []byte("Flags().")) {
		return
	}
	c.consts, c.types, c.own = map[string]ast.Expr{}, map[string]*ast.StructType{}, map[string]string{}
	c.seen, c.ids, c.at, c.hidden, c.texts = map[*ast.CompositeLit]bool{}, map[string]int{}, map[string]int{}, map[string]bool{}, map[string]constant{}
	c.declare()
	for _, d := range r.tree.Decls {
		c.declaration(d)
	}
	c.structs()
	for _, f := range c.facts {
		if f.Kind != source.Flag || !c.hidden[f.Of+" "+strings.TrimLeft(f.Name, "-")] {
			r.out.Facts = append(r.out.Facts, f)
		}
	}
}

// declare takes up the constants and types of the file.
func (c *commander) declare() {
	for _, d := range c.r.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for i, n := range s.Names {
					if g.Tok == token.CONST && i < len(s.Values) {
						c.consts[n.Name] = s.Values[i]
					}
				}
			case *ast.TypeSpec:
				if t, ok := s.Type.(*ast.StructType); ok {
					c.types[s.Name.Name] = t
				}
			}
		}
	}
}

func (c *commander) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		c.function, c.held = "", map[string]holding{}
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok {
				c.variables(s)
			}
		}
	case *ast.FuncDecl:
		if d.Body != nil {
			c.enter(d)
			c.body(d.Body)
		}
	}
}

// variables reads the variables of the package. Each is called by its name.
func (c *commander) variables(s *ast.ValueSpec) {
	for i, n := range s.Names {
		if i < len(s.Values) {
			c.own[n.Name] = c.typeOf(s.Values[i])
			c.hold(n.Name, s.Values[i])
		}
		if s.Type != nil {
			c.own[n.Name] = typeName(s.Type)
		}
		if t, ok := s.Type.(*ast.StructType); ok {
			c.types[n.Name] = t
		}
	}
	for _, v := range s.Values {
		ast.Inspect(v, c.visit)
	}
}

// enter takes up a function: what it is called, and what its parameters are.
func (c *commander) enter(d *ast.FuncDecl) {
	c.function, c.held = d.Name.Name, map[string]holding{}
	if d.Recv != nil {
		typ := receiver(d.Recv)
		c.function = typ + "." + c.function
		for _, n := range d.Recv.List[0].Names {
			c.held[n.Name] = holding{typ: typ}
		}
	}
	for _, f := range d.Type.Params.List {
		h := holding{typ: typeName(f.Type)}
		switch c.typeIn(f.Type) {
		case "cobra.Command", "urfave.Command", "urfave.App":
			h = holding{id: parameterOf(c.function)}
		case "pflag.FlagSet", "flag.FlagSet":
			h = holding{id: parameterOf(c.function), set: true}
		}
		for _, n := range f.Names {
			c.held[n.Name] = h
		}
	}
	c.returns = returned(d.Body)
}

// parameterOf is the ID of whatever a function is called with, to add flags or commands to it.
func parameterOf(function string) string { return function + "()" }

// returned is the variable that a function's last statement returns first.
func returned(body *ast.BlockStmt) string {
	if body == nil || len(body.List) == 0 {
		return ""
	}
	ret, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return ""
	}
	name, _ := ret.Results[0].(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// body reads statements in the order of the source.
func (c *commander) body(body *ast.BlockStmt) { ast.Inspect(body, c.visit) }

func (c *commander) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if i < len(n.Rhs) && (len(n.Lhs) == len(n.Rhs) || i == 0) {
				c.assign(l, n.Rhs[i], n.Tok == token.DEFINE)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				c.assign(name, n.Values[i], true)
			} else {
				c.held[name.Name] = holding{typ: typeName(n.Type)}
				if t, ok := n.Type.(*ast.StructType); ok {
					c.types[name.Name] = t
				}
			}
		}
	case *ast.RangeStmt:
		if v, ok := n.Value.(*ast.Ident); ok {
			c.held[v.Name] = c.listed(c.function+".", n.X)
		}
	case *ast.FuncLit:
		c.literalFunction(n)
		return false
	case *ast.ReturnStmt:
		if len(n.Results) > 0 {
			c.hold(c.function, n.Results[0])
		}
	case *ast.CallExpr:
		c.call(n)
	case *ast.CompositeLit:
		if kind := c.commandType(n.Type); kind != "" && !c.seen[n] {
			c.command(kind, c.fresh(c.function+"."), n)
		}
	}
	return true
}

// literalFunction reads a function in an expression, whose parameters hide what is around it.
func (c *commander) literalFunction(f *ast.FuncLit) {
	hides := map[string]holding{}
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			if h, ok := c.held[n.Name]; ok {
				hides[n.Name] = h
			}
			c.held[n.Name] = holding{}
		}
	}
	function, returns := c.function, c.returns
	c.function, c.returns = "func", "" // what it returns is not what the function around it returns
	c.body(f.Body)
	c.function, c.returns = function, returns
	for _, p := range f.Type.Params.List {
		for _, n := range p.Names {
			delete(c.held, n.Name)
		}
	}
	maps.Copy(c.held, hides)
}

// fresh is an ID that no other command of the file has.
func (c *commander) fresh(id string) string {
	c.ids[id]++
	if n := c.ids[id]; n > 1 {
		return id + "#" + strconv.Itoa(n)
	}
	return id
}

// assign notes what a variable, or a field of a known value, holds from now on.
func (c *commander) assign(to, value ast.Expr, define bool) {
	switch to := to.(type) {
	case *ast.Ident:
		if to.Name == "_" {
			return
		}
		_, local := c.held[to.Name]
		id := to.Name
		if define || local {
			id = c.function + "." + to.Name
			if to.Name == c.returns {
				id = c.function
			}
		}
		h := c.hold(id, value)
		if define || local {
			c.held[to.Name] = h
		}
	case *ast.SelectorExpr:
		if owner := c.commandID(to.X); owner != "" && c.field(owner, to.Sel.Name, value) {
			return
		}
		if id := c.member(to); id != "" {
			c.hold(id, value)
		}
	}
}

// hold reads an expression that is called by an ID from now on.
func (c *commander) hold(id string, value ast.Expr) holding {
	if lit := literalOf(value); lit != nil {
		if kind := c.commandType(lit.Type); kind != "" && !c.seen[lit] {
			id = c.fresh(id)
			c.command(kind, id, lit)
			return holding{id: id}
		}
		if c.isFlag(lit) && !c.seen[lit] {
			c.urfaveFlag(lit, id, "")
			return holding{id: id}
		}
		if c.isFlagList(lit.Type) && !c.seen[lit] {
			c.flagList(lit, id)
			return holding{id: id}
		}
		if _, ok := lit.Type.(*ast.ArrayType); ok {
			return c.listed(id, lit)
		}
		c.fields(lit)
		return holding{typ: c.typeOf(value)}
	}
	if call, ok := value.(*ast.CallExpr); ok {
		if name, ok := c.newSet(call); ok {
			return c.set(id, name, call)
		}
		if c.isNew(call) {
			id = c.fresh(id)
			c.declared(source.Fact{Kind: source.Command, ID: id}, call)
			return holding{id: id}
		}
	}
	if id, ok := c.setOf(value); ok {
		return holding{id: id, set: true}
	}
	if name, ok := value.(*ast.Ident); ok {
		if h, local := c.held[name.Name]; local {
			return h
		}
	}
	return holding{id: c.commandID(value), typ: c.typeOf(value)}
}

// fields calls the commands in the fields of a literal after their type.
func (c *commander) fields(lit *ast.CompositeLit) {
	typ := typeName(lit.Type)
	if typ == "" {
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && literalOf(kv.Value) != nil {
				c.hold(typ+"."+key.Name, kv.Value)
			}
		}
	}
}

// listed is a list of commands, which is called by an ID: what the list belongs to has all of them.
func (c *commander) listed(id string, e ast.Expr) holding {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		if name, ok := e.(*ast.Ident); ok && c.held[name.Name].list {
			return c.held[name.Name]
		}
		return holding{}
	}
	list, ok := lit.Type.(*ast.ArrayType)
	if !ok || c.commandType(list.Elt) == "" || c.seen[lit] {
		return holding{}
	}
	c.seen[lit] = true
	id = c.fresh(id)
	for _, x := range lit.Elts {
		if one := c.commandID(x); one != "" {
			c.join(one, id, x)
		}
	}
	return holding{id: id, list: true}
}

// commandID is the ID of the command, or the list of commands, that an expression stands for; empty where that is not known.
func (c *commander) commandID(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return c.commandID(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return c.commandID(x.X)
		}
	case *ast.CompositeLit:
		kind := c.commandType(x.Type)
		if kind == "" || c.seen[x] {
			return ""
		}
		id := c.fresh(c.function + ".")
		c.command(kind, id, x)
		return id
	case *ast.Ident:
		h, local := c.held[x.Name]
		switch {
		case !local && x.Name != "nil":
			return x.Name
		case !h.set:
			return h.id
		}
	case *ast.CallExpr:
		return c.made(x)
	case *ast.SelectorExpr:
		return c.member(x)
	}
	return ""
}

// made is the ID of what a function returns, where the function is known.
func (c *commander) made(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if _, local := c.held[f.Name]; !local && !predeclared[f.Name] {
			return f.Name
		}
	case *ast.SelectorExpr:
		return c.member(f)
	}
	return ""
}

var predeclared = map[string]bool{"append": true, "make": true, "new": true, "len": true, "cap": true, "string": true, "min": true, "max": true, "panic": true, "copy": true, "delete": true}

// member is the ID of what is selected from a package, or from a value whose type is known.
func (c *commander) member(s *ast.SelectorExpr) string {
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if h, local := c.held[x.Name]; local {
		if h.typ == "" {
			return ""
		}
		return h.typ + "." + s.Sel.Name
	}
	if c.libraries[x.Name] != "" {
		return ""
	}
	if c.imported[x.Name] {
		return x.Name + "." + s.Sel.Name
	}
	if typ := c.own[x.Name]; typ != "" {
		return typ + "." + s.Sel.Name
	}
	return x.Name + "." + s.Sel.Name // a variable that another file declares
}

// typeOf is the type of the package that a value spells out.
func (c *commander) typeOf(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.UnaryExpr:
		return c.typeOf(x.X)
	case *ast.CompositeLit:
		return typeName(x.Type)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "new" && len(x.Args) == 1 {
			return typeName(x.Args[0])
		}
	}
	return ""
}

// typeName is the name of a type of the package, or of a pointer to it.
func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if name, ok := e.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// typeIn is a type of one of the libraries, as "cobra.Command".
func (c *commander) typeIn(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		if pkg, ok := s.X.(*ast.Ident); ok && c.libraries[pkg.Name] != "" {
			return c.libraries[pkg.Name] + "." + s.Sel.Name
		}
	}
	return ""
}

// commandType is the library whose command a literal of a type is.
func (c *commander) commandType(e ast.Expr) string {
	switch typ := c.typeIn(e); typ {
	case "cobra.Command", "urfave.Command", "urfave.App":
		return typ
	}
	return ""
}

// literalOf is the composite literal that an expression is, or is the address of.
func literalOf(e ast.Expr) *ast.CompositeLit {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

// add keeps a fact with the line where it stands.
func (c *commander) add(f source.Fact, at ast.Node) {
	f.Line = c.r.line(at.Pos())
	c.facts = append(c.facts, f)
}

// join makes what has an ID a part of a command.
func (c *commander) join(id, of string, at ast.Node) {
	if id != of {
		c.add(source.Fact{Kind: source.Join, ID: id, Of: of}, at)
	}
}

// declared adds the fact about a command.
func (c *commander) declared(f source.Fact, at ast.Node) {
	c.at[f.ID] = len(c.facts)
	c.add(f, at)
}
