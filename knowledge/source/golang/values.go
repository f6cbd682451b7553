package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
)

// longestValue is how many bytes of a constant's or variable's value a signature shows.
const longestValue = 80

// values reads a const or var declaration. In a const group an empty specification repeats the one before.
func (r *reader) values(d *ast.GenDecl) {
	var typ ast.Expr
	var exprs []ast.Expr
	for i, s := range d.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if d.Tok == token.VAR || spec.Type != nil || len(spec.Values) > 0 {
			typ, exprs = spec.Type, spec.Values
		}
		doc := spec.Doc
		if doc == nil && !d.Lparen.IsValid() {
			doc = d.Doc
		}
		if doc == nil {
			doc = spec.Comment
		}
		content := r.content(spec, doc)
		for k, n := range spec.Names {
			if n.Name == "_" {
				continue
			}
			var value ast.Expr
			if k < len(exprs) {
				value = exprs[k]
			} else if len(exprs) == 1 {
				value = exprs[0] // a call with several results
			}
			r.value(d.Tok, n, typ, value, doc, content, i, spec)
		}
	}
}

func (r *reader) value(tok token.Token, n *ast.Ident, typ, value ast.Expr, doc *ast.CommentGroup, content source.Digest, index int, spec ast.Node) {
	kind := source.Var
	sig := tok.String() + " " + n.Name
	h := source.NewHasher()
	h.Add(sig)
	var refs []string
	if typ != nil {
		sig += " " + types.ExprString(typ)
		h.Add(types.ExprString(typ))
		refs = typeRefs(refs, typ, nil)
	}
	if tok == token.CONST {
		kind = source.Const
	}
	if value != nil {
		text := types.ExprString(value)
		shown := text
		if uses(value, "iota") {
			h.Add("iota " + strconv.Itoa(index))
			shown = iotaText(value, text, index)
		}
		switch shape := shapeOf(value); {
		case kind == source.Const:
			h.Add(text)
			refs = typeRefs(refs, value, nil)
			content = source.DigestOf(string(content), text, strconv.Itoa(index))
		case typ == nil:
			h.Add(types.ExprString(shape))
			refs = typeRefs(refs, shape, nil)
		}
		if len(shown) <= longestValue && (kind == source.Const || typ == nil) {
			sig += " = " + shown
		}
	}
	r.add(source.Symbol{
		Name: n.Name, Kind: kind, Signature: sig, Doc: docText(doc), Exported: n.IsExported(),
		Interface: h.Sum(), Content: content, Refs: refs,
	}, spec)
}

// shapeOf reduces a variable's initial value to what decides its type.
func shapeOf(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.CompositeLit:
		if x.Type != nil {
			return x.Type
		}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return &ast.StarExpr{X: shapeOf(x.X)}
		}
	case *ast.FuncLit:
		return x.Type
	}
	return e
}

// iotaText shows the number that a plain iota stands for; any other expression is shown as it is written.
func iotaText(e ast.Expr, text string, index int) string {
	if id, ok := e.(*ast.Ident); ok && id.Name == "iota" {
		return strconv.Itoa(index)
	}
	return text
}

func uses(e ast.Expr, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			found = true
		}
		return !found
	})
	return found
}
