package golang

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (c *commander) isFlag(lit *ast.CompositeLit) bool {
	typ := c.typeIn(lit.Type)
	return strings.HasPrefix(typ, "urfave.") && strings.HasSuffix(typ, "Flag")
}

func (c *commander) isFlagList(e ast.Expr) bool {
	list, ok := e.(*ast.ArrayType)
	return ok && c.typeIn(list.Elt) == "urfave.Flag"
}

// urfaveField reads a field of a urfave command; at is the index of its fact.
func (c *commander) urfaveField(at int, name string, value ast.Expr) bool {
	f := &c.facts[at]
	text, _ := c.text(value)
	switch name {
	case "Name":
		f.Name = text
	case "Usage":
		f.Help = strings.TrimSpace(text)
	case "Description":
		f.Doc = strings.TrimSpace(text)
	case "ArgsUsage":
		if f.Usage != source.Hidden {
			f.Usage = strings.TrimSpace(text)
		}
	case "ShortName":
		f.Also = text
	case "Aliases":
		f.Also = strings.Join(c.textsOf(value), ", ")
	case "Hidden":
		if isTrue(value) {
			f.Usage = source.Hidden
		}
	case "Flags":
		c.flagList(value, f.ID)
	case "Commands", "Subcommands":
		c.commandList(value, f.ID)
	default:
		return false
	}
	return true
}

func elements(value ast.Expr) []ast.Expr {
	var appended [][]ast.Expr
	for {
		call, ok := value.(*ast.CallExpr)
		if !ok {
			break
		}
		f, ok := call.Fun.(*ast.Ident)
		if !ok || f.Name != "append" || len(call.Args) == 0 {
			break
		}
		appended = append(appended, call.Args[1:])
		value = call.Args[0]
	}
	slices.Reverse(appended)
	if lit, ok := value.(*ast.CompositeLit); ok {
		return slices.Concat(append([][]ast.Expr{lit.Elts}, appended...)...)
	}
	return slices.Concat(append([][]ast.Expr{{value}}, appended...)...)
}

func (c *commander) flagList(value ast.Expr, of string) {
	if lit, ok := value.(*ast.CompositeLit); ok {
		c.seen[lit] = true
	}
	for _, e := range elements(value) {
		if lit := literalOf(e); lit != nil {
			switch {
			case c.isFlag(lit):
				c.urfaveFlag(lit, "", of)
			case c.isFlagList(lit.Type):
				c.flagList(lit, of)
			}
			continue
		}
		if id := c.commandID(e); id != "" {
			c.join(id, of, e)
		}
	}
}

// commandList reads the subcommands of a command. List elements may omit their type.
func (c *commander) commandList(value ast.Expr, of string) {
	for _, e := range elements(value) {
		if lit := literalOf(e); lit != nil && !c.seen[lit] {
			if list, ok := lit.Type.(*ast.ArrayType); ok {
				if c.commandType(list.Elt) != "" {
					c.commandList(lit, of)
				}
				continue
			}
			id, kind := c.fresh(of+"."), "urfave.Command"
			if c.commandType(lit.Type) != "" {
				kind = c.commandType(lit.Type)
			}
			c.command(kind, id, lit)
			c.join(id, of, e)
			continue
		}
		if id := c.commandID(e); id != "" {
			c.join(id, of, e)
		}
	}
}

func valueOf(typ string) string {
	typ = strings.TrimSuffix(typ[strings.LastIndexByte(typ, '.')+1:], "Flag")
	switch typ {
	case "Bool", "BoolT", "BoolWithInverse":
		return ""
	case "Generic":
		return "value"
	}
	return strings.ToLower(typ[:1]) + typ[1:]
}

func (c *commander) urfaveFlag(lit *ast.CompositeLit, id, of string) {
	c.seen[lit] = true
	f := source.Fact{Kind: source.Flag, ID: id, Of: of, Value: valueOf(types.ExprString(lit.Type))}
	var names []string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		text, _ := c.text(kv.Value)
		switch key.Name {
		case "Name": // in version 1, it contains all names
			for n := range strings.SplitSeq(text, ",") {
				names = append(names, strings.TrimSpace(n))
			}
		case "Aliases":
			names = append(names, c.textsOf(kv.Value)...)
		case "Usage":
			f.Help = text
			if what, text, ok := unquoted(text); ok {
				f.Value, f.Help = what, text
			}
		case "Value":
			if f.Default == "" {
				f.Default, f.Usage = c.fallback(kv.Value)
			}
		case "DefaultText":
			f.Default, f.Usage = text, ""
		case "EnvVar", "EnvVars", "Sources":
			c.variablesOf(kv.Value)
		case "Hidden":
			if isTrue(kv.Value) {
				return
			}
		}
	}
	if len(names) == 0 || names[0] == "" {
		return
	}
	f.Name, f.Also = dashed(names[0]), strings.Join(dashedAll(names[1:]), ", ")
	c.add(f, lit)
}

func (c *commander) variablesOf(e ast.Expr) {
	list := elements(e)
	if call, ok := e.(*ast.CallExpr); ok && c.typeIn(call.Fun) == "urfave.EnvVars" {
		list = call.Args
	}
	for _, x := range list {
		text, _ := c.text(x)
		for name := range strings.SplitSeq(text, ",") {
			if name = strings.TrimSpace(name); name != "" {
				c.add(source.Fact{Kind: source.Env, Name: name}, x)
			}
		}
	}
}

// dashed adds one or two dashes, by the length of the name.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func dashedAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = dashed(n)
	}
	return out
}
