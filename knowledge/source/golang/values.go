package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
)

const longestValue = 80

// values is a const or var spec, with the parts inherited from the previous one.
type values struct {
	tok     token.Token
	index   int
	typ     ast.Expr
	exprs   []ast.Expr
	doc     string
	content digests
	spec    *ast.ValueSpec
}

// values reads a const or var declaration. In a const group an empty spec repeats the previous one.
func (r *reader) values(d *ast.GenDecl) {
	v := values{tok: d.Tok}
	for i, s := range d.Specs {
		spec, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		v.spec, v.index = spec, i
		if d.Tok == token.VAR || spec.Type != nil || len(spec.Values) > 0 {
			v.typ, v.exprs = spec.Type, spec.Values
		}
		doc := spec.Doc
		if doc == nil && !d.Lparen.IsValid() {
			doc = d.Doc
		}
		if doc == nil {
			doc = spec.Comment
		}
		v.doc = r.docText(doc)
		v.content = r.content(v.doc, r.specs[i])
		for k, n := range spec.Names {
			value := v.expr(k)
			body := r.walker.ofValue(v.typ, value)
			if n.Name == "_" {
				r.out.Body = append(r.out.Body, body...)
			} else {
				r.value(&v, n, value, body)
			}
		}
	}
}

// expr returns the initial value of the k-th name.
func (v *values) expr(k int) ast.Expr {
	if k < len(v.exprs) {
		return v.exprs[k]
	}
	if len(v.exprs) == 1 {
		return v.exprs[0] // a call with several results
	}
	return nil
}

func (r *reader) value(v *values, n *ast.Ident, value ast.Expr, body []source.Reference) {
	s := source.Symbol{Name: n.Name, Kind: source.Var, Doc: v.doc, Exported: n.IsExported(), Content: v.content.content, Code: v.content.code, Body: body, Nests: source.NestsOf(body, &r.walker.Forks)}
	if v.tok == token.CONST {
		s.Kind = source.Const
	} else if typ := r.walker.tops[n.Name].typ; r.isNamed(typ, nil) {
		s.Fields = map[string]string{"": r.base(typ)}
	}
	r.text.Reset()
	r.text.WriteString(v.tok.String())
	r.text.WriteByte(' ')
	r.text.WriteString(n.Name)
	r.symbol.Reset()
	r.symbol.AddBytes(r.text.Bytes())
	r.refs.begin(nil)
	if v.typ != nil {
		r.text.WriteByte(' ')
		r.symbol.AddBytes(r.expr(v.typ))
		r.refs.add(v.typ)
	}
	if value != nil {
		r.initial(&s, v, value)
	}
	s.Signature, s.Interface = r.text.String(), r.symbol.Sum()
	r.add(s, v.spec)
}

// expr appends an expression to the text and returns the appended part.
func (r *reader) expr(e ast.Expr) []byte {
	from := r.text.Len()
	types.WriteExpr(&r.text, e)
	return r.text.Bytes()[from:]
}

// initial adds an initial value to a symbol and its signature, unless a variable has an explicit type.
func (r *reader) initial(s *source.Symbol, v *values, value ast.Expr) {
	usesIota := uses(value, "iota")
	index := strconv.Itoa(v.index)
	if usesIota {
		r.symbol.Add("iota " + index)
	}
	if s.Kind == source.Var && v.typ != nil {
		return
	}
	named := r.text.Len()
	r.text.WriteString(" = ")
	text := r.expr(value)
	if s.Kind == source.Const {
		r.symbol.AddBytes(text)
		r.refs.add(value)
		r.hash.Reset()
		r.hash.Add(string(s.Content))
		r.hash.AddBytes(text)
		r.hash.Add(index)
		s.Content = r.hash.Sum()
		if s.Code != "" {
			s.Code = source.DigestOf(string(s.Code), string(text), index)
		}
	} else {
		shape := shapeOf(value)
		all := r.text.Len()
		r.symbol.AddBytes(r.expr(shape))
		r.text.Truncate(all)
		r.refs.add(shape)
	}
	if id, ok := value.(*ast.Ident); ok && id.Name == "iota" {
		r.text.Truncate(r.text.Len() - len("iota"))
		r.text.WriteString(index)
	}
	if r.text.Len()-named-len(" = ") > longestValue {
		r.text.Truncate(named)
	}
}

// shapeOf reduces a variable's initial value to the parts that determine its type.
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
