package golang

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (r *reader) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc := r.docText(d.Doc)
		content := r.content(doc, r.whole(d))
		r.free = append(r.free, content.content)
		r.function(d, doc, content)
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			r.free = append(r.free, r.types(d))
		case token.CONST, token.VAR:
			r.ordered = append(r.ordered, r.content(r.docText(d.Doc), r.group(d)).content)
			r.values(d)
		default:
			return
		}
	case *ast.BadDecl:
		r.ordered = append(r.ordered, r.content("", r.whole(d)).content)
	}
}

func (r *reader) types(d *ast.GenDecl) source.Digest {
	all := r.content(r.docText(d.Doc), r.group(d))
	for i, s := range d.Specs {
		if s, ok := s.(*ast.TypeSpec); ok {
			content := all
			if len(d.Specs) > 1 {
				content = r.content(r.docText(s.Doc), r.specs[i])
			}
			r.typeSpec(d, s, content)
		}
	}
	return all.content
}

func (r *reader) add(s source.Symbol, n ast.Node) {
	s.Signature = r.valid(s.Signature)
	s.Type = parts(n, s.Signature)
	s.Line, s.End = r.line(n.Pos()), r.line(n.End())
	s.Deprecated = deprecated(s.Doc)
	if r.ignored || r.out.Test {
		s.Exported = false
	}
	s.Refs = r.refs.sorted()
	r.symbols = append(r.symbols, s)
}

func (r *reader) function(d *ast.FuncDecl, doc string, content digests) {
	body := r.walker.ofFunction(d)
	name, kind, exported, hidden := d.Name.Name, source.Func, d.Name.IsExported(), false
	base := receiver(d.Recv)
	if name == "_" || d.Recv != nil && base == "" || d.Recv == nil && name == "init" {
		r.out.Body = append(r.out.Body, body...)
		return
	}
	if d.Recv != nil {
		name, kind, exported, hidden = base+"."+name, source.Method, exported && ast.IsExported(base), !exported
	}
	if r.out.Package == "main" && name == "main" {
		r.out.Main = !r.ignored
	}
	params, shape := typeParams(d.Type.TypeParams, d.Recv), ""
	if kind == source.Method {
		shape = r.shape(d.Type, params)
	}
	r.text.Reset()
	writeFunc(&r.text, d)
	r.symbol.Reset()
	r.symbol.Add(string(kind))
	r.symbol.AddBytes(r.text.Bytes())
	r.refs.begin(params)
	r.refs.add(d.Type)
	r.add(source.Symbol{
		Name: name, Kind: kind, Shape: shape, Signature: r.text.String(), Doc: doc, Exported: exported, Hidden: hidden,
		Interface: r.symbol.Sum(), Content: content.content, Code: content.code, Body: body, Nests: source.NestsOf(body, &r.walker.Forks),
	}, d)
}

func writeFunc(b *bytes.Buffer, d *ast.FuncDecl) {
	b.WriteString("func ")
	if d.Recv != nil && len(d.Recv.List) > 0 {
		b.WriteByte('(')
		f := d.Recv.List[0]
		if len(f.Names) > 0 {
			b.WriteString(f.Names[0].Name)
			b.WriteByte(' ')
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
	named := b.Len()
	types.WriteExpr(b, d.Type)
	written := b.Bytes()
	b.Truncate(named + copy(written[named:], written[named+len("func"):])) // the name is between func and its parameters
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
	if list == nil || len(list.List) == 0 {
		return ""
	}
	if pkg, name := splitType(list.List[0].Type); pkg == nil && name != nil {
		return name.Name
	}
	return ""
}

func (r *reader) typeSpec(d *ast.GenDecl, s *ast.TypeSpec, content digests) {
	body := r.walker.ofType(s)
	if s.Name.Name == "_" {
		r.out.Body = append(r.out.Body, body...)
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
	sym := source.Symbol{Name: s.Name.Name, Kind: source.Type, Doc: r.docText(doc), Exported: s.Name.IsExported(), Content: content.content, Code: content.code, Body: body}
	params := typeParams(s.TypeParams)
	sym.Bases, sym.Requires = r.kinship(s, params)
	r.symbol.Reset()
	r.symbol.Add(head)
	r.refs.begin(params)
	switch t := s.Type.(type) {
	case *ast.StructType:
		sym.Kind = source.Struct
		sym.Signature = head + " " + r.members("struct", t.Fields, true)
		sym.Fields = r.fields(t, params)
	case *ast.InterfaceType:
		sym.Kind = source.Interface
		sym.Signature = head + " " + r.members("interface", t.Methods, false)
	default:
		text := types.ExprString(s.Type)
		sym.Signature = head + " " + text
		r.refs.add(s.Type)
		r.symbol.Add(text)
	}
	if s.TypeParams != nil {
		ast.Walk(&r.refs, s.TypeParams)
	}
	sym.Interface = r.symbol.Sum()
	r.add(sym, s)
}

// interfaceMember adds a field or interface method to the dependants' view of a symbol. Embedded types count even if
// unexported, because they promote members.
func (r *reader) interfaceMember(f *ast.Field, text string, isStruct bool) {
	add := func(name string) {
		r.symbol.Add(name)
		r.symbol.Add(text)
		if f.Tag != nil {
			r.symbol.Add(f.Tag.Value)
		}
	}
	seen := len(f.Names) == 0
	if seen {
		add("")
	}
	for _, n := range f.Names {
		if !isStruct || n.IsExported() {
			seen = true
			add(n.Name)
		}
	}
	if seen {
		r.refs.add(f.Type)
	}
}

func exportedNames(list []*ast.Ident) (names string, all bool) {
	all = true
	for _, n := range list {
		switch {
		case !n.IsExported():
			all = false
		case names == "":
			names = n.Name
		default:
			names += ", " + n.Name
		}
	}
	return names, all
}

// members adds the members of a struct or interface to the symbol, and writes the visible ones with their comments,
// one per line.
func (r *reader) members(keyword string, list *ast.FieldList, isStruct bool) string {
	type row struct{ doc, name, rest string }
	var rows []row
	hidden, width := false, 0
	for _, f := range list.List {
		names, all := exportedNames(f.Names)
		hidden = hidden || !all
		if isStruct && len(f.Names) > 0 && names == "" {
			continue
		}
		w := row{name: names, rest: types.ExprString(f.Type)}
		r.interfaceMember(f, w.rest, isStruct)
		if len(f.Names) > 0 && names == "" {
			continue
		}
		if w.doc = r.docText(f.Doc); w.doc == "" {
			w.doc = r.docText(f.Comment)
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

func (r *reader) mergeSymbols() {
	byLine := func(a, b source.Symbol) int { return cmp.Compare(a.Line, b.Line) }
	if !slices.IsSortedFunc(r.symbols, byLine) { // a //line directive may break the order
		slices.SortStableFunc(r.symbols, byLine)
	}
	r.out.Symbols = source.MergeSymbols(r.symbols)
}
