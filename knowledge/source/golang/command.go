package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// libraries are the packages that command lines are made with, by the element of the import path that names them.
var libraries = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"flag": "flag", "github.com/spf13/pflag": "pflag", "github.com/spf13/cobra": "cobra", "github.com/ogier/pflag": "pflag",
		"github.com/urfave/cli": "urfave", "github.com/codegangsta/cli": "urfave", "gopkg.in/urfave/cli": "urfave", "github.com/schollz/cli": "urfave",
		"github.com/alecthomas/kong": "kong",
	}
}}

// libraryAt is the library at an import path, whatever its major version; empty for any other package.
func libraryAt(p string) string {
	if base := path.Base(p); len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		p = path.Dir(p)
	}
	if at := strings.LastIndex(p, ".v"); at > 0 && strings.Trim(p[at+2:], "0123456789") == "" {
		p = p[:at]
	}
	return libraries.Get()[p]
}

// commander finds the commands of a command line and their flags. It knows what the file spells out: a command is called
// after the variable that holds it or the function that returns it.
type commander struct {
	r         *reader
	libraries map[string]string   // by the local names of what the file imports
	imported  map[string]bool     // the local names of all imports
	consts    map[string]ast.Expr // constants of the file that may be texts
	types     map[string]*ast.StructType
	ofFields  map[string]string   // the types of the fields of types, once they were asked for
	own       map[string]string   // the types of variables of the package, as far as this file declares them
	texts     map[string]constant // as far as they were asked for
	seen      map[*ast.CompositeLit]bool
	ids       map[string]int
	at        map[string]int      // the fact about a command, by its ID
	hidden    map[string]bool     // flags by what they are of and their names
	vars      map[string]ast.Expr // what the variables of the file hold at first
	makers    map[string]*ast.CompositeLit
	tables    tables
	// of the function that is read
	function string
	returns  string // the variable that it returns in the end
	held     map[string]holding
	lists    map[string]ast.Expr // what its variables hold since they were declared
	loop     *tableLoop          // that is read
	guard    string              // the system that a condition asks for
	facts    []source.Fact
}

// constant is the text that a constant has, if it is one.
type constant struct {
	text string
	ok   bool
}

// holding is what a local variable holds.
type holding struct {
	id     string // of a command, or of the command whose flags it is; empty where nobody knows
	set    bool   // it is the flags of a command, not the command
	single bool   // its flags have one dash
	list   bool   // it is a list of commands, or one of such a list
	typ    string // the type of the package that it has
}

// commands adds what the file says of the command line. Most files have nothing to say: they neither import one of
// the libraries nor show that they get a command from elsewhere.
func (r *reader) commands() {
	c := newCommander(r)
	if len(c.libraries) == 0 && !r.structHelp() && !bytes.Contains(r.src, []byte("Flags().")) {
		return
	}
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

// newCommander takes up what the file imports.
func newCommander(r *reader) *commander {
	c := &commander{
		r: r, libraries: map[string]string{}, imported: map[string]bool{},
		consts: map[string]ast.Expr{}, types: map[string]*ast.StructType{}, own: map[string]string{}, texts: map[string]constant{},
		vars: map[string]ast.Expr{}, makers: map[string]*ast.CompositeLit{}, seen: map[*ast.CompositeLit]bool{}, ids: map[string]int{}, at: map[string]int{}, hidden: map[string]bool{},
		tables: tables{mostTableSteps, mostTableFlags, map[*ast.StructType]map[string]place{}, map[*ast.CompositeLit]map[string]ast.Expr{}},
	}
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
	return c
}

// declare takes up the constants and types of the file.
func (c *commander) declare() {
	for _, d := range c.r.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			if f, ok := d.(*ast.FuncDecl); ok {
				c.makes(f)
			}
			continue
		}
		for _, s := range g.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				values := c.vars
				if g.Tok == token.CONST {
					values = c.consts
				}
				for i, n := range s.Names {
					if i < len(s.Values) {
						values[n.Name] = s.Values[i]
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
		c.function, c.held, c.lists = "", map[string]holding{}, map[string]ast.Expr{}
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
			c.own[n.Name] = c.typeID(s.Type)
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
		for _, n := range receiverNames(d.Recv) {
			c.held[n.Name] = holding{typ: typ}
		}
	}
	for _, f := range d.Type.Params.List {
		h := holding{typ: c.typeID(f.Type)}
		switch c.typeIn(f.Type) {
		case "cobra.Command", "urfave.Command", "urfave.App":
			h = holding{id: parameterOf(c.function)}
		case "pflag.FlagSet", "flag.FlagSet":
			h = holding{id: parameterOf(c.function), set: true, single: c.typeIn(f.Type) == "flag.FlagSet"}
		}
		for _, n := range f.Names {
			c.held[n.Name] = h
		}
	}
	c.returns, c.lists = returned(d.Body), map[string]ast.Expr{}
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
	f.Line, f.Guard = c.r.line(at.Pos()), c.guard
	if c.loop != nil && f.Guard == "" {
		f.Guard = c.loop.guard
	}
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
