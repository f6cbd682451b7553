package golang

import (
	"bytes"
	"go/ast"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/causaldocs/causal/knowledge/source"
)

// structHelp reports whether the file may have structs that describe a command line. Nested ones need not import the
// library.
func (r *reader) structHelp() bool {
	return bytes.Contains(r.src, []byte(`cmd:"`)) || bytes.Contains(r.src, []byte(`help:"`))
}

func (c *commander) isKongRoot(s *ast.SelectorExpr) bool {
	switch c.typeIn(s) {
	case "kong.Parse", "kong.New", "kong.Must":
		return true
	}
	return false
}

// kongRoot records the struct of the program's command line, with its name and description.
func (c *commander) kongRoot(arg ast.Expr, call *ast.CallExpr) {
	typ := ""
	if u, ok := arg.(*ast.UnaryExpr); ok {
		arg = u.X
	}
	switch x := arg.(type) {
	case *ast.Ident:
		if h, local := c.held[x.Name]; local {
			typ = h.typ
		} else {
			typ = c.own[x.Name]
		}
		if c.types[x.Name] != nil {
			typ = x.Name // variable of an anonymous type
		}
	case *ast.CompositeLit:
		typ = typeName(x.Type)
	}
	if typ == "" {
		return
	}
	f := source.Fact{Kind: source.Command, ID: source.Program}
	for _, a := range call.Args[1:] {
		if option, ok := a.(*ast.CallExpr); ok && len(option.Args) == 1 {
			text, _ := c.text(option.Args[0])
			switch c.typeIn(option.Fun) {
			case "kong.Name":
				f.Name = text
			case "kong.Description":
				f.Help = text
			}
		}
	}
	c.add(f, call)
	c.join(typ, source.Program, call)
}

func (c *commander) structs() {
	for _, name := range slices.Sorted(maps.Keys(c.types)) {
		if c.describes(c.types[name]) {
			c.kongStruct(name, "", c.types[name])
		}
	}
}

func (c *commander) describes(t *ast.StructType) bool {
	return slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool {
		tag := tagOf(f)
		if _, ok := tag.Lookup("cmd"); ok {
			return true
		}
		_, ok := tag.Lookup("help")
		_, extended := tag.Lookup("option") // passed as -o store.key=value
		return ok && !extended
	})
}

func tagOf(f *ast.Field) reflect.StructTag {
	if f.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text)
}

// kongStruct reads the fields of a struct as parts of the command with the ID.
func (c *commander) kongStruct(of, prefix string, t *ast.StructType) {
	for _, f := range t.Fields.List {
		tag := tagOf(f)
		if tag == `kong:"-"` || tag.Get("kong") == "-" || tag.Get("hidden") != "" {
			continue
		}
		_, embed := tag.Lookup("embed")
		if len(f.Names) == 0 || embed {
			c.embedded(of, prefix, tag, f)
			continue
		}
		for _, n := range f.Names {
			if n.IsExported() {
				c.kongField(of, prefix, n.Name, tag, f)
			}
		}
	}
}

// embedded reads a field whose fields count as those of the enclosing struct.
func (c *commander) embedded(of, prefix string, tag reflect.StructTag, f *ast.Field) {
	if t, ok := f.Type.(*ast.StructType); ok {
		c.kongStruct(of, prefix+tag.Get("prefix"), t)
		return
	}
	if id := c.typeID(f.Type); id != "" && prefix+tag.Get("prefix") == "" {
		c.join(id, of, f)
	}
}

func (c *commander) typeID(e ast.Expr) string {
	if name := typeName(e); name != "" {
		return name
	}
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		if pkg, ok := s.X.(*ast.Ident); ok && c.imported[pkg.Name] && c.libraries[pkg.Name] == "" {
			return pkg.Name + "." + s.Sel.Name
		}
	}
	return ""
}

func (c *commander) kongField(of, prefix, field string, tag reflect.StructTag, f *ast.Field) {
	name := tag.Get("name")
	if name == "" {
		name = kebab(field)
	}
	if _, ok := tag.Lookup("cmd"); ok {
		id := of + "." + field
		c.add(source.Fact{Kind: source.Command, Name: name, ID: id, Also: strings.ReplaceAll(tag.Get("aliases"), ",", ", "), Help: tag.Get("help")}, f)
		c.join(id, of, f)
		if t, ok := f.Type.(*ast.StructType); ok {
			c.kongStruct(id, prefix, t)
		} else if typ := c.typeID(f.Type); typ != "" {
			c.join(typ, id, f)
		}
		return
	}
	if env := tag.Get("env"); env != "" {
		for v := range strings.SplitSeq(env, ",") {
			c.add(source.Fact{Kind: source.Env, Name: strings.TrimSpace(v), Default: tag.Get("default"), Help: tag.Get("help")}, f)
		}
	}
	if _, ok := tag.Lookup("arg"); ok {
		return
	}
	flag := source.Fact{Kind: source.Flag, Name: "--" + prefix + name, Of: of, Help: tag.Get("help"), Default: tag.Get("default"), Value: tag.Get("placeholder")}
	if typ := typeName(f.Type); flag.Value == "" && typ != "bool" {
		flag.Value = typ
	}
	if short := tag.Get("short"); short != "" {
		flag.Also = "-" + short
	}
	c.add(flag, f)
}

// kebab converts a field name to its command-line form: "HTTPPort" to "http-port".
func kebab(field string) string {
	var b strings.Builder
	runes := []rune(field)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 {
			before := runes[i-1]
			if !unicode.IsUpper(before) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				b.WriteByte('-')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
