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

// libraries are the supported command-line packages, by the identifying element of the import path.
var libraries = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"flag": "flag", "github.com/spf13/pflag": "pflag", "github.com/spf13/cobra": "cobra", "github.com/ogier/pflag": "pflag",
		"github.com/urfave/cli": "urfave", "github.com/codegangsta/cli": "urfave", "gopkg.in/urfave/cli": "urfave", "github.com/schollz/cli": "urfave",
		"github.com/alecthomas/kong": "kong",
	}
}}

// libraryAt returns the library at an import path of any major version, or "".
func libraryAt(p string) string {
	if base := path.Base(p); len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		p = path.Dir(p)
	}
	if at := strings.LastIndex(p, ".v"); at > 0 && strings.Trim(p[at+2:], "0123456789") == "" {
		p = p[:at]
	}
	return libraries.Get()[p]
}

// commander finds commands and flags that the file defines explicitly. A command's ID is the variable that holds it or
// the function that returns it.
type commander struct {
	r         *reader
	libraries map[string]string   // by local import name
	imported  map[string]bool     // local names of all imports
	consts    map[string]ast.Expr // constants of the file that may be texts
	types     map[string]*ast.StructType
	ofFields  map[string]string   // field types by struct type, computed lazily
	own       map[string]string   // types of package variables declared in this file
	texts     map[string]constant // computed lazily
	seen      map[*ast.CompositeLit]bool
	ids       map[string]int
	at        map[string]int      // index of a command's fact, by ID
	hidden    map[string]bool     // flags by owner and name
	vars      map[string]ast.Expr // initial values of the file's variables
	makers    map[string]*ast.CompositeLit
	tables    tables
	function  string
	returns   string // variable that it returns last
	held      map[string]holding
	lists     map[string]ast.Expr // initial values of its variables
	loop      *tableLoop          // current loop
	guard     string              // operating system required by an enclosing condition
	facts     []source.Fact
}

type constant struct {
	text string
	ok   bool
}

// holding is the content of a local variable.
type holding struct {
	id     string // of a command, or of the command that owns the flags; empty if unknown
	set    bool   // a command's flag set rather than the command
	single bool   // flags have one dash
	list   bool   // a list of commands, or an element of one
	typ    string // type declared in the package
}

// commands adds the command-line facts. Most files have none: they neither import a library nor appear to receive a
// command.
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
				local = "cli" // usual name of gopkg.in/urfave/cli.v1
			}
			c.libraries[local] = l
		}
	}
	return c
}

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

// variables reads package variables. Their names are the IDs.
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

func parameterOf(function string) string { return function + "()" }

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

func literalOf(e ast.Expr) *ast.CompositeLit {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	lit, _ := e.(*ast.CompositeLit)
	return lit
}

func (c *commander) add(f source.Fact, at ast.Node) {
	f.Line, f.Guard = c.r.line(at.Pos()), c.guard
	if c.loop != nil && f.Guard == "" {
		f.Guard = c.loop.guard
	}
	c.facts = append(c.facts, f)
}

func (c *commander) join(id, of string, at ast.Node) {
	if id != of {
		c.add(source.Fact{Kind: source.Join, ID: id, Of: of}, at)
	}
}

func (c *commander) declared(f source.Fact, at ast.Node) {
	c.at[f.ID] = len(c.facts)
	c.add(f, at)
}
