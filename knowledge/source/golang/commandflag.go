package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// flagForm gives the argument positions of a flag definition; -1 if absent.
type flagForm struct {
	typ                      string
	name, short, value, help int
}

var flagForms = lazy.Value[map[string]flagForm]{Make: func() map[string]flagForm {
	m := map[string]flagForm{
		"Var": {"value", 1, -1, -1, 2}, "VarP": {"value", 1, 2, -1, 3}, "VarPF": {"value", 1, 2, -1, 3}, "TextVar": {"value", 1, -1, -1, 3},
		"Func": {"value", 0, -1, -1, 1}, "FuncP": {"value", 0, 1, -1, 2}, "BoolFunc": {"", 0, -1, -1, 1}, "BoolFuncP": {"", 0, 1, -1, 2},
		"Count": {"count", 0, -1, -1, 1}, "CountP": {"count", 0, 1, -1, 2}, "CountVar": {"count", 1, -1, -1, 2}, "CountVarP": {"count", 1, 2, -1, 3},
	}
	for typ, word := range map[string]string{
		"Bool": "", "Duration": "duration", "Float32": "float", "Float64": "float", "Int": "int", "Int8": "int", "Int16": "int", "Int32": "int", "Int64": "int",
		"Uint": "uint", "Uint8": "uint", "Uint16": "uint", "Uint32": "uint", "Uint64": "uint", "String": "string", "StringSlice": "strings",
		"StringArray": "stringArray", "IntSlice": "ints", "Int32Slice": "ints", "Int64Slice": "ints", "UintSlice": "uints", "BoolSlice": "bools",
		"DurationSlice": "durations", "Float32Slice": "floats", "Float64Slice": "floats", "IP": "ip", "IPMask": "ipMask", "IPNet": "ipNet", "IPSlice": "ips",
		"StringToString": "stringToString", "StringToInt": "stringToInt", "StringToInt64": "stringToInt64", "BytesHex": "bytesHex", "BytesBase64": "bytesBase64",
	} {
		m[typ], m[typ+"P"] = flagForm{word, 0, -1, 1, 2}, flagForm{word, 0, 1, 2, 3}
		m[typ+"Var"], m[typ+"VarP"] = flagForm{word, 1, -1, 2, 3}, flagForm{word, 1, 2, 3, 4}
	}
	return m
}}

func (c *commander) flag(form flagForm, of string, sel *ast.SelectorExpr, call *ast.CallExpr) {
	if c.loop == nil || form.name >= len(call.Args) || !c.loop.names(call.Args[form.name]) {
		c.flagOf(nil, form, of, sel, call)
		return
	}
	outer := c.loop.guard
	c.loop.guard = ""
	for i := range c.loop.rows {
		if c.loop.step(i) && c.tables.flags > 0 {
			c.tables.flags--
			c.flagOf(&c.loop.rows[i], form, of, sel, call)
		}
	}
	c.loop.guard = outer
}

// flagOf records the flag that a call defines for a row, or for nil outside a loop.
func (c *commander) flagOf(row *tableRow, form flagForm, of string, sel *ast.SelectorExpr, call *ast.CallExpr) {
	arg := func(i int) ast.Expr {
		if i < 0 || i >= len(call.Args) {
			return nil
		}
		if row != nil {
			return c.loop.of(row, call.Args[i])
		}
		return call.Args[i]
	}
	name, ok := c.text(arg(form.name))
	if !ok || name == "" || strings.ContainsAny(name, " /") || arg(form.help) == nil {
		return
	}
	f := source.Fact{Kind: source.Flag, Name: "--" + name, Of: of, Value: form.typ}
	if set, ok := sel.X.(*ast.Ident); ok && (c.libraries[set.Name] == "flag" || c.held[set.Name].single || c.usesFlag()) {
		f.Name = "-" + name
	}
	if short, ok := c.text(arg(form.short)); ok && short != "" {
		f.Also = "-" + short
	}
	f.Default, f.Usage = c.fallback(arg(form.value))
	f.Help, _ = c.text(arg(form.help))
	if what, text, ok := unquoted(f.Help); ok {
		f.Value, f.Help = what, text
	}
	c.add(f, call)
}

// usesFlag reports whether the file uses the standard library's flags, which have one dash.
func (c *commander) usesFlag() bool {
	std := false
	for _, l := range c.libraries {
		if l != "flag" {
			return false
		}
		std = true
	}
	return std
}

func unquoted(help string) (what, text string, ok bool) {
	before, rest, ok := strings.Cut(help, "`")
	if !ok {
		return "", help, false
	}
	what, after, ok := strings.Cut(rest, "`")
	return what, before + what + after, ok
}

// text returns the text of literals, sums, constants of the file, and calls that only remove indentation.
func (c *commander) text(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			s, err := strconv.Unquote(x.Value)
			return strings.ToValidUTF8(s, "�"), err == nil
		}
	case *ast.ParenExpr:
		return c.text(x.X)
	case *ast.BinaryExpr:
		return c.sum(x)
	case *ast.Ident:
		return c.constant(x.Name)
	case *ast.CallExpr:
		if s, ok := x.Fun.(*ast.SelectorExpr); ok && len(x.Args) == 1 && dotted(s) == "heredoc.Doc" {
			text, ok := c.text(x.Args[0])
			return dedented(text), ok
		}
	}
	return "", false
}

// longestShared bounds the bytes of a constant's text that is copied to each use.
const longestShared = 1 << 10

// constant returns the text of a constant of the file.
func (c *commander) constant(name string) (string, bool) {
	value, ok := c.consts[name]
	if _, local := c.held[name]; !ok || local {
		return "", false
	}
	was, known := c.texts[name]
	if !known {
		c.texts[name] = was // a self-referential constant has no text
		switch x := value.(type) {
		case *ast.BasicLit:
			was.text, was.ok = c.text(x)
		case *ast.BinaryExpr:
			was.text, was.ok = c.sum(x)
		}
		was.ok = was.ok && len(was.text) <= longestShared
		c.texts[name] = was
	}
	return was.text, was.ok
}

// sum returns the text of a concatenation. One with constants must be short, because each constant may be used often.
func (c *commander) sum(b *ast.BinaryExpr) (string, bool) {
	var parts []string
	shared := 0
	for _, e := range addends(b) {
		text, ok := "", false
		switch x := e.(type) {
		case *ast.BasicLit:
			text, ok = c.text(x)
		case *ast.Ident:
			text, ok = c.constant(x.Name)
			shared += len(text)
		}
		if !ok || shared > longestShared {
			return "", false
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ""), len(parts) > 0
}

// addends returns the operands of a sum in order, or nil if it has other operators.
func addends(b *ast.BinaryExpr) []ast.Expr {
	var out []ast.Expr
	var e ast.Expr = b
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok {
			break
		}
		if b.Op != token.ADD {
			return nil
		}
		out, e = append(out, b.Y), b.X
	}
	out = append(out, e)
	slices.Reverse(out)
	return out
}

func dedented(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	indent := -1
	for _, l := range lines {
		if rest := strings.TrimLeft(l, "\t "); rest != "" && (indent < 0 || len(l)-len(rest) < indent) {
			indent = len(l) - len(rest)
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(l[min(max(indent, 0), len(l)):], " \t")
	}
	return strings.Join(lines, "\n")
}

func (c *commander) textsOf(e ast.Expr) []string {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var out []string
	for _, x := range lit.Elts {
		if text, ok := c.text(x); ok {
			out = append(out, text)
		}
	}
	return out
}
