package golang

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (r *reader) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		content := r.content(d, d.Doc)
		r.free = append(r.free, content)
		r.function(d, content)
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			content := r.content(d, d.Doc)
			r.free = append(r.free, content)
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					if len(d.Specs) > 1 {
						content = r.content(s, s.Doc)
					}
					r.typeSpec(d, s, content)
				}
			}
		case token.CONST, token.VAR:
			r.ordered = append(r.ordered, r.content(d, d.Doc))
			r.values(d)
		}
	case *ast.BadDecl:
		r.ordered = append(r.ordered, r.content(d, nil))
	}
}

// content digests the tokens of a node and every documentation comment in it that a page can show.
func (r *reader) content(n ast.Node, doc *ast.CommentGroup) source.Digest {
	r.hash.Reset()
	r.hash.Add(normal(docText(doc)))
	from := n.Pos()
	if doc != nil && doc.Pos() <= from {
		from = doc.End()
		if n.Pos() > from {
			from = n.Pos()
		}
	}
	hashTokens(r.hash, r.src, r.offset(from), r.offset(n.End()))
	if _, isFunc := n.(*ast.FuncDecl); !isFunc {
		r.innerDocs(n)
	}
	return r.hash.Sum()
}

// innerDocs adds the comments of fields, methods and grouped values, which pages show.
func (r *reader) innerDocs(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			r.hash.Add(normal(docText(n.Doc)))
			r.hash.Add(normal(docText(n.Comment)))
		case *ast.ValueSpec:
			r.hash.Add(normal(docText(n.Doc)))
			r.hash.Add(normal(docText(n.Comment)))
		case *ast.TypeSpec:
			r.hash.Add(normal(docText(n.Doc)))
		case *ast.FuncLit:
			return false
		}
		return true
	})
}

func (r *reader) add(s source.Symbol, n ast.Node) {
	s.Signature = strings.ToValidUTF8(s.Signature, "�")
	s.Line, s.End = r.line(n.Pos()), r.line(n.End())
	s.Deprecated = deprecated(s.Doc)
	if r.ignored || r.out.Test {
		s.Exported = false
	}
	slices.Sort(s.Refs)
	s.Refs = slices.Compact(s.Refs)
	r.out.Symbols = append(r.out.Symbols, s)
}

func deprecated(doc string) string {
	for _, paragraph := range strings.Split(doc, "\n\n") {
		if reason, ok := strings.CutPrefix(strings.TrimSpace(paragraph), "Deprecated:"); ok {
			if reason = strings.Join(strings.Fields(reason), " "); reason != "" {
				return reason
			}
			return "deprecated"
		}
	}
	return ""
}

func (r *reader) function(d *ast.FuncDecl, content source.Digest) {
	if d.Name.Name == "_" || d.Name.Name == "init" && d.Recv == nil {
		return
	}
	name, kind, exported := d.Name.Name, source.Func, d.Name.IsExported()
	var refs []string
	if d.Recv != nil {
		base := receiver(d.Recv)
		if base == "" || !exported {
			return // nobody outside can reach a method that is not exported, whatever the type
		}
		name, kind, exported = base+"."+name, source.Method, ast.IsExported(base)
	}
	if r.out.Package == "main" && name == "main" {
		r.out.Main = !r.ignored
	}
	var b bytes.Buffer
	writeFunc(&b, d)
	refs = typeRefs(refs, d.Type, typeParams(d.Type.TypeParams, d.Recv))
	r.add(source.Symbol{
		Name: name, Kind: kind, Signature: b.String(), Doc: docText(d.Doc), Exported: exported,
		Interface: source.DigestOf(string(kind), b.String()), Content: content, Refs: refs,
	}, d)
}

func writeFunc(b *bytes.Buffer, d *ast.FuncDecl) {
	b.WriteString("func ")
	if d.Recv != nil && len(d.Recv.List) > 0 {
		b.WriteByte('(')
		f := d.Recv.List[0]
		if len(f.Names) > 0 {
			b.WriteString(f.Names[0].Name + " ")
		}
		types.WriteExpr(b, f.Type)
		b.WriteString(") ")
	}
	b.WriteString(d.Name.Name)
	if d.Type.TypeParams != nil {
		b.WriteByte('[')
		writeFields(b, d.Type.TypeParams, ", ")
		b.WriteByte(']')
	}
	sig := *d.Type
	sig.TypeParams = nil
	var t bytes.Buffer
	types.WriteExpr(&t, &sig)
	b.WriteString(strings.TrimPrefix(t.String(), "func"))
}

func writeFields(b *bytes.Buffer, list *ast.FieldList, sep string) {
	for i, f := range list.List {
		if i > 0 {
			b.WriteString(sep)
		}
		for j, n := range f.Names {
			if j > 0 {
				b.WriteString(", ")
			}
			b.WriteString(n.Name)
		}
		if len(f.Names) > 0 {
			b.WriteByte(' ')
		}
		types.WriteExpr(b, f.Type)
	}
}

func receiver(list *ast.FieldList) string {
	if len(list.List) == 0 {
		return ""
	}
	e := list.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// typeParams names the type parameters in scope: they are not references to declarations.
func typeParams(lists ...*ast.FieldList) map[string]bool {
	out := map[string]bool{}
	for _, l := range lists {
		if l == nil {
			continue
		}
		for _, f := range l.List {
			for _, n := range f.Names {
				out[n.Name] = true
			}
			if x, ok := f.Type.(*ast.StarExpr); ok {
				addIndices(out, x.X)
			}
			addIndices(out, f.Type)
		}
	}
	return out
}

func addIndices(out map[string]bool, e ast.Expr) {
	var list []ast.Expr
	switch x := e.(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{x.Index}
	case *ast.IndexListExpr:
		list = x.Indices
	}
	for _, i := range list {
		if id, ok := i.(*ast.Ident); ok {
			out[id.Name] = true
		}
	}
}

// typeRefs appends the names in an expression that may be declarations: no field, parameter or method names.
func typeRefs(refs []string, n ast.Node, bound map[string]bool) []string {
	if n == nil {
		return refs
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Field:
			refs = typeRefs(refs, x.Type, bound)
			return false
		case *ast.SelectorExpr:
			if pkg, ok := x.X.(*ast.Ident); ok {
				refs = append(refs, pkg.Name+"."+x.Sel.Name)
				return false
			}
		case *ast.FuncLit:
			refs = typeRefs(refs, x.Type, bound)
			return false
		case *ast.KeyValueExpr:
			refs = typeRefs(refs, x.Value, bound)
			return false
		case *ast.Ident:
			if !bound[x.Name] && types.Universe.Lookup(x.Name) == nil && x.Name != "_" {
				refs = append(refs, x.Name)
			}
		}
		return true
	})
	return refs
}

func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec, content source.Digest) {
	if s.Name.Name == "_" {
		return
	}
	doc := s.Doc
	if doc == nil && !d.Lparen.IsValid() {
		doc = d.Doc
	}
	head := "type " + s.Name.Name
	if s.TypeParams != nil {
		var b bytes.Buffer
		writeFields(&b, s.TypeParams, ", ")
		head += "[" + b.String() + "]"
	}
	if s.Assign.IsValid() {
		head += " ="
	}
	bound := typeParams(s.TypeParams)
	sym := source.Symbol{Name: s.Name.Name, Kind: source.Type, Doc: docText(doc), Exported: s.Name.IsExported()}
	h := source.NewHasher()
	h.Add(head)
	switch t := s.Type.(type) {
	case *ast.StructType:
		sym.Kind = source.Struct
		sym.Signature = head + " " + r.members("struct", t.Fields, true)
		sym.Refs = interfaceMembers(h, t.Fields, bound, true)
	case *ast.InterfaceType:
		sym.Kind = source.Interface
		sym.Signature = head + " " + r.members("interface", t.Methods, false)
		sym.Refs = interfaceMembers(h, t.Methods, bound, false)
	default:
		text := types.ExprString(s.Type)
		sym.Signature = head + " " + text
		sym.Refs = typeRefs(nil, s.Type, bound)
		h.Add(text)
	}
	if s.TypeParams != nil {
		sym.Refs = typeRefs(sym.Refs, s.TypeParams, bound)
	}
	sym.Interface, sym.Content = h.Sum(), content
	r.add(sym, s)
}

// interfaceMembers adds to h what a dependant sees of a struct's fields or an interface's methods. Embedded types
// count even when their name is not exported: they promote.
func interfaceMembers(h *source.Hasher, list *ast.FieldList, bound map[string]bool, isStruct bool) []string {
	var refs []string
	for _, f := range list.List {
		names := []string{""}
		if len(f.Names) > 0 {
			names = names[:0]
			for _, n := range f.Names {
				if !isStruct || n.IsExported() {
					names = append(names, n.Name)
				}
			}
		}
		for _, n := range names {
			h.Add(n)
			h.Add(types.ExprString(f.Type))
			if f.Tag != nil {
				h.Add(f.Tag.Value)
			}
		}
		if len(names) > 0 {
			refs = typeRefs(refs, f.Type, bound)
		}
	}
	return refs
}

// members writes a struct's or interface's visible members, one a line, with their comments.
func (r *reader) members(keyword string, list *ast.FieldList, isStruct bool) string {
	type row struct{ doc, name, rest string }
	var rows []row
	hidden, width := false, 0
	for _, f := range list.List {
		var names []string
		for _, n := range f.Names {
			if n.IsExported() {
				names = append(names, n.Name)
			} else {
				hidden = true
			}
		}
		if len(f.Names) > 0 && len(names) == 0 {
			continue
		}
		w := row{doc: docText(f.Doc), name: strings.Join(names, ", "), rest: types.ExprString(f.Type)}
		if w.doc == "" {
			w.doc = docText(f.Comment)
		}
		if _, isMethod := f.Type.(*ast.FuncType); isMethod && !isStruct {
			w.name, w.rest = "", w.name+strings.TrimPrefix(w.rest, "func")
		}
		if f.Tag != nil {
			w.rest += " " + f.Tag.Value
		}
		width = max(width, len(w.name))
		rows = append(rows, w)
	}
	var b strings.Builder
	b.WriteString(keyword + " {")
	for _, w := range rows {
		for _, l := range strings.Split(w.doc, "\n") {
			if w.doc != "" {
				b.WriteString("\n\t// " + l)
			}
		}
		b.WriteString("\n\t")
		if w.name != "" {
			b.WriteString(w.name + strings.Repeat(" ", width-len(w.name)+1))
		}
		b.WriteString(w.rest)
	}
	if hidden {
		b.WriteString("\n\t// not exported: more " + map[bool]string{true: "fields", false: "methods"}[isStruct])
	}
	if len(rows) > 0 || hidden {
		b.WriteString("\n")
	}
	b.WriteString("}")
	return b.String()
}

// mergeSymbols makes one symbol of declarations that share a name, as files that do not compile may have.
func (r *reader) mergeSymbols() {
	sort.SliceStable(r.out.Symbols, func(i, j int) bool { return r.out.Symbols[i].Line < r.out.Symbols[j].Line })
	r.out.Symbols = source.MergeSymbols(r.out.Symbols)
}
