package golang

import (
	"bytes"
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// configuring finds configuration keys: field tags of types that are certainly decoded from a file.
type configuring struct {
	*commander
	decoded map[string]bool // types that the file decodes
	facts   []source.Fact
}

// configTags lists the tags with a field's key, in order of precedence.
var configTags = []string{"mapstructure", "koanf", "yaml", "toml", "hcl", "json"}

func (r *reader) configuration() {
	if !bytes.Contains(r.src, []byte(":\"")) {
		return
	}
	c := &configuring{commander: newCommander(r), decoded: map[string]bool{}}
	c.declare()
	for _, d := range r.tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			c.decodes(f)
		}
	}
	for _, d := range r.tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && s.TypeParams == nil {
				if t, ok := s.Type.(*ast.StructType); ok {
					c.describe(s, t)
				}
			}
		}
	}
	r.out.Facts = append(r.out.Facts, c.facts...)
}

// describe adds the keys of a type, and whether the type is a whole configuration.
func (c *configuring) describe(s *ast.TypeSpec, t *ast.StructType) {
	name := s.Name.Name
	own := tagged(t)
	switch {
	case own == "", own == "json" && !(c.decoded[name] && isConfigName(name)):
		return
	case (own != "json" && isConfigName(name)) || c.decoded[name] && (isConfigName(name) || isConfigName(c.r.out.Package)):
		c.tell(source.Fact{Kind: source.Config, ID: name, Of: source.Program}, s)
	}
	c.keys(name, "", t, 0)
}

func tagged(t *ast.StructType) string {
	for _, key := range configTags {
		for _, f := range t.Fields.List {
			if _, ok := tagOf(f).Lookup(key); ok {
				return key
			}
		}
	}
	return ""
}

func isConfigName(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"config", "configuration", "settings", "options", "conf"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// keys adds the fields of a type or a nested struct.
func (c *configuring) keys(of, prefix string, t *ast.StructType, depth int) {
	for _, f := range t.Fields.List {
		tag := tagOf(f)
		key, options := keyOf(tag)
		inline := strings.Contains(options, "inline") || strings.Contains(options, "squash") || len(f.Names) == 0 && key == ""
		if key == "-" || key == "" && !inline {
			continue
		}
		if inline {
			key = ""
		}
		if inner, ok := f.Type.(*ast.StructType); ok && depth < mostNested {
			if inline {
				c.keys(of, prefix, inner, depth+1)
			} else {
				c.keys(of, prefix+key+".", inner, depth+1)
			}
			continue
		}
		doc := comment(f.Doc, f.Comment)
		fact := source.Fact{
			Kind: source.Config, Name: prefix + key, Of: of, ID: c.nested(f.Type), Value: typeText(f.Type),
			Default: defaultTag(tag), Help: firstSentence(c.r.docText(doc)),
		}
		if inline {
			if fact.ID == "" || prefix != "" {
				continue
			}
			fact.Value = ""
		}
		c.tell(fact, f)
	}
}

func comment(groups ...*ast.CommentGroup) *ast.CommentGroup {
	for _, g := range groups {
		if g != nil {
			return g
		}
	}
	return nil
}

func keyOf(tag reflect.StructTag) (key, options string) {
	for _, name := range configTags {
		if text, ok := tag.Lookup(name); ok {
			key, options, _ = strings.Cut(text, ",")
			return key, options
		}
	}
	return "", ""
}

func defaultTag(tag reflect.StructTag) string {
	for _, name := range []string{"default", "envDefault", "env-default"} {
		if text := tag.Get(name); text != "" {
			return text
		}
	}
	return ""
}

// nested returns the ID of the type with the keys below a field's key.
func (c *configuring) nested(e ast.Expr) string {
	id := c.typeID(e)
	if predeclaredTypes.Get()[id] {
		return ""
	}
	return id
}

var predeclaredTypes = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"bool": true, "string": true, "int": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint": true, "uint8": true, "uint16": true,
		"uint32": true, "uint64": true, "float32": true, "float64": true, "byte": true, "rune": true, "any": true, "error": true,
	}
}}

const longestType = 60

func typeText(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	switch e.(type) {
	case *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
		return ""
	}
	if e.End()-e.Pos() > longestType {
		return ""
	}
	return types.ExprString(e)
}

var decoders = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{"yaml": true, "toml": true, "viper": true, "koanf": true, "json": true, "hclsimple": true, "ini": true}
}}

// decodes records the types that a function decodes from a file.
func (c *configuring) decodes(f *ast.FuncDecl) {
	c.held = map[string]holding{}
	c.enter(f)
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if name, ok := l.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					if typ := c.typeOf(n.Rhs[i]); typ != "" {
						c.held[name.Name] = holding{typ: typ}
					}
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				if n.Type != nil {
					c.held[name.Name] = holding{typ: c.typeID(n.Type)}
				}
			}
		case *ast.CallExpr:
			if c.isDecoder(n.Fun) {
				for _, a := range n.Args {
					if u, ok := a.(*ast.UnaryExpr); ok {
						a = u.X
					}
					if name, ok := a.(*ast.Ident); ok && c.held[name.Name].typ != "" {
						c.decoded[c.held[name.Name].typ] = true
					}
				}
			}
		}
		return true
	})
}

// isDecoder reports whether a function decodes a configuration format: yaml.Unmarshal, yaml.NewDecoder(f).Decode.
func (c *configuring) isDecoder(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch sel.Sel.Name {
	case "Unmarshal", "UnmarshalStrict", "UnmarshalExact", "Decode", "DecodeFile", "DecodeFS", "MapTo":
	default:
		return false
	}
	x := sel.X
	for range longestChain {
		switch e := x.(type) {
		case *ast.CallExpr:
			x = e.Fun
			continue
		case *ast.SelectorExpr:
			x = e.X
			continue
		case *ast.Ident:
			return decoders.Get()[e.Name] && c.imported[e.Name] || e.Name == "v" && c.imported["viper"]
		}
		break
	}
	return false
}

func (c *configuring) tell(f source.Fact, at ast.Node) {
	f.Line = c.r.line(at.Pos())
	c.facts = append(c.facts, f)
}
