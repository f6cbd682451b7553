package golang

import (
	"go/ast"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

func (c *commander) call(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		c.passed(call)
		return
	}
	switch sel.Sel.Name {
	case "AddCommand":
		if parent := c.commandID(sel.X); parent != "" {
			for _, a := range call.Args {
				if id := c.commandID(a); id != "" {
					c.join(id, parent, a)
				}
			}
		}
		return
	case "MarkHidden", "MarkDeprecated":
		if id, ok := c.setOf(sel.X); ok && len(call.Args) > 0 {
			if name, ok := c.text(call.Args[0]); ok {
				c.hidden[id+" "+name] = true
			}
		}
		return
	case "AddFlagSet":
		if of, ok := c.setOf(sel.X); ok && len(call.Args) == 1 {
			if id, ok := c.setOf(call.Args[0]); ok {
				c.join(id, of, call)
			}
		}
		return
	}
	if form, ok := flagForms.Get()[sel.Sel.Name]; ok {
		if id, ok := c.setOf(sel.X); ok {
			c.flag(form, id, sel, call)
			return
		}
	}
	if c.isKongRoot(sel) && len(call.Args) > 0 {
		c.kongRoot(call.Args[0], call)
		return
	}
	c.passed(call)
}

// passed records that a function receives a command or its flags, and may add to them.
func (c *commander) passed(call *ast.CallExpr) {
	made := c.made(call)
	if made == "" {
		return
	}
	for _, a := range call.Args {
		if of := c.passedOn(a); of != "" {
			c.join(parameterOf(made), of, call)
			return
		}
	}
}

// passedOn returns the command that an argument passes. The argument must be the command or its flags, not a function
// field of a command.
func (c *commander) passedOn(e ast.Expr) string {
	if name, ok := e.(*ast.Ident); ok {
		if h := c.held[name.Name]; !h.list && h.typ == "" {
			return h.id
		}
		return ""
	}
	if u, ok := e.(*ast.SelectorExpr); ok {
		if typ := c.typeIn(u); typ == "flag.CommandLine" || typ == "pflag.CommandLine" {
			return source.Program
		}
		return ""
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	id, ok := c.setOf(call)
	if !ok {
		return ""
	}
	return id
}

// setOf returns the command of a flag set, or "" if it is unknown.
func (c *commander) setOf(e ast.Expr) (id string, ok bool) {
	switch x := e.(type) {
	case *ast.Ident:
		if h, local := c.held[x.Name]; local {
			if h.set {
				return h.id, true
			}
			return "", isFlagSet(x) && h.id == ""
		}
		if l := c.libraries[x.Name]; l == "flag" || l == "pflag" {
			return source.Program, true
		}
		if c.own[x.Name] == ownSet {
			return x.Name, true
		}
		return "", isFlagSet(x)
	case *ast.SelectorExpr:
		if x.Sel.Name == "CommandLine" && c.typeIn(x) != "" {
			return source.Program, true
		}
		return "", isFlagSet(x.Sel)
	case *ast.CallExpr:
		s, ok := x.Fun.(*ast.SelectorExpr)
		if !ok || !setMethods.Get()[s.Sel.Name] {
			return "", false
		}
		if name, ok := s.X.(*ast.Ident); ok && c.held[name.Name].list {
			return "", true // of all in the list
		}
		return c.commandID(s.X), true
	}
	return "", false
}

var setMethods = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"Flags": true, "PersistentFlags": true, "LocalFlags": true}
}}

// ownSet is the pseudo-type of a package variable that holds a flag set.
const ownSet = "*FlagSet"

func (c *commander) newSet(call *ast.CallExpr) (name string, ok bool) {
	if typ := c.typeIn(call.Fun); typ != "flag.NewFlagSet" && typ != "pflag.NewFlagSet" || len(call.Args) == 0 {
		return "", false
	}
	name, _ = c.text(call.Args[0])
	return name, true
}

// set records a named flag set as that of its command. One with a computed name belongs to the program.
func (c *commander) set(id, name string, call *ast.CallExpr) holding {
	single := c.typeIn(call.Fun) == "flag.NewFlagSet"
	if name == "" || strings.Contains(name, "/") {
		if _, literal := call.Args[0].(*ast.BasicLit); literal {
			return holding{id: id, set: true, single: single}
		}
		return holding{id: source.Program, set: true, single: single}
	}
	if c.r.out.Package != "main" {
		return holding{set: true, single: single} // sets created for a library need no command
	}
	id = c.fresh(id)
	if c.function == "" {
		c.own[id] = ownSet
	}
	c.declared(source.Fact{Kind: source.Command, Name: name, ID: id}, call)
	c.join(id, source.Program, call)
	return holding{id: id, set: true, single: single}
}

func (c *commander) isNew(call *ast.CallExpr) bool { return c.typeIn(call.Fun) == "urfave.NewApp" }

func (c *commander) command(kind, id string, lit *ast.CompositeLit) {
	c.seen[lit] = true
	at := len(c.facts)
	c.declared(source.Fact{Kind: source.Command, ID: id}, lit)
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok {
			if kind == "cobra.Command" {
				c.cobraField(&c.facts[at], key.Name, kv.Value)
			} else {
				c.urfaveField(at, key.Name, kv.Value)
			}
		}
	}
}

func (c *commander) field(id, name string, value ast.Expr) bool {
	at, ok := c.at[id]
	return ok && (c.cobraField(&c.facts[at], name, value) || c.urfaveField(at, name, value))
}

func (c *commander) cobraField(f *source.Fact, name string, value ast.Expr) bool {
	text, _ := c.text(value)
	switch name {
	case "Use":
		if f.Usage != source.Hidden {
			f.Name, f.Usage = c.use(value)
		}
	case "Short":
		f.Help = strings.TrimSpace(text)
	case "Long":
		f.Doc = strings.TrimSpace(text)
	case "Aliases":
		f.Also = strings.Join(c.textsOf(value), ", ")
	case "Hidden":
		if isTrue(value) {
			f.Usage = source.Hidden
		}
	case "Deprecated": // hidden from the help as well
		f.Usage = source.Hidden
	default:
		return false
	}
	return true
}

// use splits a usage line. Its first word may be known even if the rest is computed.
func (c *commander) use(value ast.Expr) (name, usage string) {
	text, ok := c.text(value)
	if ok {
		name, usage, _ = strings.Cut(strings.TrimSpace(text), " ")
		return name, strings.TrimSpace(usage)
	}
	for {
		sum, ok := value.(*ast.BinaryExpr)
		if !ok {
			break
		}
		value = sum.X
	}
	text, _ = c.text(value)
	if name, _, ok = strings.Cut(strings.TrimLeft(text, " "), " "); !ok {
		return "", ""
	}
	return name, ""
}

func isTrue(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "true"
}
