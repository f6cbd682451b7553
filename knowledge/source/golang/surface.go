package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source/surface"
)

type translator struct {
	*reader
	surface.Tree

	depth int
}

func translated(r *reader) *surface.Tree {
	b := &translator{reader: r}
	b.Reset(string(r.src))
	mark := b.Mark()
	for _, d := range r.tree.Decls {
		b.declaration(d)
	}
	b.Body = b.Take(mark)
	return &b.Tree
}

func (b *translator) node(k surface.Kind, n ast.Node) *surface.Node {
	from := int32(b.offset(n.Pos()))
	return b.New(k, from, from, int32(b.offset(n.End()))) // an offset instead of the line, which only facts need
}

func (b *translator) copied(n *surface.Node) *surface.Node {
	c := b.New(n.Kind, n.Line, n.From, n.To)
	*c = *n
	return c
}

// deepest bounds the nesting of nodes. The tree goes down to the first or last one each time that it is asked where one
// begins or ends.
const deepest = 400

// within calls f one level deeper; it returns an unknown node where that is too deep.
func (b *translator) within(f func() *surface.Node) *surface.Node {
	if b.depth == deepest {
		return b.New(surface.Unknown, 0, 0, 0)
	}
	b.depth++
	n := f()
	b.depth--
	return n
}

func (b *translator) name(text string, at ast.Node) *surface.Node {
	n := b.node(surface.Name, at)
	n.Text = text
	return n
}

func (b *translator) declaration(d ast.Decl) {
	switch d := d.(type) {
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				b.values(s, d.Tok.String())
			case *ast.TypeSpec:
				n := b.node(surface.Class, s)
				if n.Text = s.Name.Name; s.TypeParams != nil {
					n.Key = "["
				}
				if t, ok := s.Type.(*ast.StructType); ok {
					n.Body = b.fields(t)
				} else {
					n.Type = b.typ(s.Type)
				}
				b.Push(n)
			}
		}
	case *ast.FuncDecl:
		n := b.function(d.Type, d.Body, d)
		n.Text = d.Name.Name
		if d.Recv == nil && d.Type.Results.NumFields() > 0 {
			n.Type = b.typ(d.Type.Results.List[0].Type)
		}
		if d.Recv != nil && len(d.Recv.List) > 0 {
			typ := receiver(d.Recv)
			n.Text = typ + "." + n.Text
			for _, name := range d.Recv.List[0].Names {
				n.Else = []*surface.Node{b.name(name.Name, name)}
				n.Else[0].Type = b.name(typ, name)
			}
		}
		b.Push(n)
	}
}

// fields returns the fields of a struct as names with the tag as Key and the documentation as mark; an embedded one has
// no name.
func (b *translator) fields(t *ast.StructType) []*surface.Node {
	mark := b.Mark()
	for _, f := range t.Fields.List {
		tag, typ := "", b.typ(f.Type)
		if f.Tag != nil {
			tag, _ = strconv.Unquote(f.Tag.Value)
		}
		field := b.node(surface.Name, f)
		field.Key, field.Type = tag, typ
		if doc := cmp.Or(f.Doc, f.Comment); doc != nil && tag != "" {
			field.Marks = []*surface.Node{b.node(surface.Text, doc)}
			field.Marks[0].Text = b.docText(doc)
		}
		for i := range max(len(f.Names), 1) {
			n := b.copied(field)
			if len(f.Names) > 0 {
				n.Text = f.Names[i].Name
			}
			b.Push(n)
		}
	}
	return b.Take(mark)
}

func (b *translator) values(s *ast.ValueSpec, text string) {
	for i, name := range s.Names {
		n := b.node(surface.Bind, name)
		n.Text, n.Args = text, []*surface.Node{b.name(name.Name, name)}
		if i < len(s.Values) {
			n.X = b.expression(s.Values[i])
		}
		if s.Type != nil {
			n.Type = b.typ(s.Type)
		}
		b.Push(n)
	}
}

func (b *translator) function(t *ast.FuncType, body *ast.BlockStmt, at ast.Node) *surface.Node {
	n := b.node(surface.Func, at)
	mark := b.Mark()
	for _, f := range t.Params.List {
		for _, name := range f.Names {
			p := b.name(name.Name, name)
			p.Type = b.typ(f.Type)
			b.Push(p)
		}
	}
	n.Args = b.Take(mark)
	if body == nil {
		return n
	}
	if n.Body = b.block(body.List); t.Results != nil && len(n.Body) > 1 {
		for _, f := range t.Results.List { // variables of the function
			b.values(&ast.ValueSpec{Names: f.Names, Type: f.Type}, token.VAR.String())
		}
		n.Body = append(b.Take(mark), n.Body...)
	}
	return n
}

func (b *translator) block(list []ast.Stmt) []*surface.Node {
	mark := b.Mark()
	for _, s := range list {
		b.statement(s)
	}
	return b.Take(mark)
}

func (b *translator) statement(s ast.Stmt) {
	b.within(func() *surface.Node {
		b.statementIn(s)
		return nil
	})
}

func (b *translator) statementIn(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		b.Push(b.expression(s.X))
	case *ast.SendStmt:
		b.Push(b.expression(s.Value))
	case *ast.DeferStmt:
		b.Push(b.expression(s.Call))
	case *ast.GoStmt:
		b.Push(b.expression(s.Call))
	case *ast.LabeledStmt:
		b.statement(s.Stmt)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			b.declaration(d)
		}
	case *ast.AssignStmt:
		b.assignment(s)
	case *ast.ReturnStmt:
		n := b.node(surface.Return, s)
		if len(s.Results) > 0 {
			n.X, n.Args = b.expression(s.Results[0]), b.expressions(s.Results[1:])
		}
		b.Push(n)
	case *ast.BranchStmt:
		n := b.node(surface.Block, s)
		n.Text = s.Tok.String()
		b.Push(n)
	case *ast.BlockStmt:
		n := b.node(surface.Block, s)
		n.Text, n.Body = "{", b.block(s.List)
		b.Push(n)
	case *ast.IfStmt:
		b.branch(s)
	case *ast.ForStmt:
		b.initial(s.Init)
		n := b.node(surface.For, s)
		if s.Cond != nil {
			n.X = b.expression(s.Cond)
		}
		n.Body = b.block(s.Body.List)
		b.Push(n)
	case *ast.RangeStmt:
		n := b.node(surface.For, s)
		for _, x := range []ast.Expr{s.Key, s.Value} {
			if x != nil {
				n.Args = append(n.Args, b.expression(x))
			}
		}
		n.X, n.Body = b.expression(s.X), b.block(s.Body.List)
		b.Push(n)
	case *ast.SwitchStmt:
		b.initial(s.Init)
		var tag ast.Node
		if s.Tag != nil {
			tag = s.Tag
		}
		b.clauses(s, tag, s.Body)
	case *ast.TypeSwitchStmt:
		b.initial(s.Init)
		b.clauses(s, s.Assign, s.Body)
	case *ast.SelectStmt:
		b.clauses(s, nil, s.Body)
	}
}

func (b *translator) initial(s ast.Stmt) {
	if s != nil {
		b.statement(s)
	}
}

func (b *translator) assignment(s *ast.AssignStmt) {
	whole, targets := b.node(surface.Bind, s), b.expressions(s.Lhs)
	for i, value := range s.Rhs {
		n, to := b.copied(whole), targets
		if len(s.Rhs) == len(s.Lhs) {
			to = targets[i : i+1]
		}
		n.Text, n.Args, n.X = s.Tok.String(), to, b.expression(value)
		b.Push(n)
	}
}

func (b *translator) branch(s *ast.IfStmt) {
	b.initial(s.Init)
	n := b.node(surface.If, s)
	n.X, n.Body = b.expression(s.Cond), b.block(s.Body.List)
	if s.Else != nil {
		mark := b.Mark()
		b.statement(s.Else)
		n.Else = b.Take(mark)
	}
	b.Push(n)
}

// clauses converts the clauses of a switch to blocks with the text "case". Their marks have the value of the switch, their
// key the variable that has it.
func (b *translator) clauses(s ast.Stmt, of ast.Node, body *ast.BlockStmt) {
	var value *surface.Node
	name := ""
	switch x := of.(type) {
	case ast.Expr:
		value = b.expression(x)
		b.Push(value)
	case *ast.ExprStmt:
		value = b.expression(x.X)
	case *ast.AssignStmt:
		if id, ok := x.Lhs[0].(*ast.Ident); ok {
			name = id.Name
		}
		value = b.expression(x.Rhs[0])
	}
	for _, c := range body.List {
		n := b.node(surface.Block, s)
		switch c := c.(type) {
		case *ast.CaseClause:
			n.Text, n.Key = "case", name
			if value != nil {
				n.Marks = []*surface.Node{value}
			}
			for _, x := range c.List {
				n.Args = append(n.Args, b.expression(x))
			}
			n.Body = append(n.Args[:len(n.Args):len(n.Args)], b.block(c.Body)...)
		case *ast.CommClause:
			b.initial(c.Comm)
			n.Body = b.block(c.Body)
		}
		b.Push(n)
	}
}

func (b *translator) expressions(list []ast.Expr) []*surface.Node {
	mark := b.Mark()
	for _, x := range list {
		b.Push(b.expression(x))
	}
	return b.Take(mark)
}

func (b *translator) expression(e ast.Expr) *surface.Node {
	return b.within(func() *surface.Node { return b.operand(e) })
}

func (b *translator) operand(e ast.Expr) *surface.Node {
	n := b.node(surface.Unknown, e)
	switch x := e.(type) {
	case *ast.Ident:
		n.Kind, n.Text = surface.Name, x.Name
	case *ast.BasicLit:
		n.Kind, n.Text = surface.Number, x.Value
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			if n.Kind, n.Text = surface.Text, strings.ToValidUTF8(text, "\ufffd"); err != nil {
				n.Kind = surface.Unknown
			}
		}
	case *ast.SelectorExpr:
		n.Kind, n.Text, n.X = surface.Member, x.Sel.Name, b.expression(x.X)
	case *ast.ParenExpr:
		from, to := n.From, n.To
		n = b.expression(x.X)
		n.From, n.To = from, to
	case *ast.CallExpr:
		n.Kind, n.X, n.Args = surface.Call, b.expression(x.Fun), b.expressions(x.Args)
	case *ast.IndexExpr:
		n.Kind, n.X, n.Args = surface.Index, b.expression(x.X), []*surface.Node{b.expression(x.Index)}
	case *ast.IndexListExpr:
		return b.expression(x.X)
	case *ast.SliceExpr:
		n.Kind, n.Text, n.Args = surface.Operator, ":", []*surface.Node{b.expression(x.X)}
		if low, ok := x.Low.(*ast.BasicLit); ok {
			n.Key = low.Value
		}
	case *ast.StarExpr:
		n.Kind, n.Text, n.Args = surface.Operator, "*", []*surface.Node{b.expression(x.X)}
	case *ast.TypeAssertExpr:
		n.Kind, n.Text, n.Args = surface.Operator, "type", []*surface.Node{b.expression(x.X)}
		if x.Type != nil {
			n.Type = b.typ(x.Type)
		}
	case *ast.UnaryExpr:
		if lit, ok := x.X.(*ast.CompositeLit); ok && x.Op == token.AND {
			return b.literal(lit, b.node(surface.List, x))
		}
		n.Kind, n.Text, n.Args = surface.Operator, x.Op.String(), []*surface.Node{b.expression(x.X)}
	case *ast.BinaryExpr:
		group := b.Group()
		var operands func(e ast.Expr, depth int)
		operands = func(e ast.Expr, depth int) {
			if y, ok := e.(*ast.BinaryExpr); ok && y.Op == x.Op && depth < maxOperands {
				operands(y.X, depth+1)
				group.Operator(y.Op.String())
				b.Push(b.expression(y.Y))
				return
			}
			b.Push(b.expression(e))
		}
		operands(x, 0)
		return group.End()
	case *ast.FuncLit:
		return b.function(x.Type, x.Body, x)
	case *ast.CompositeLit:
		return b.literal(x, n)
	case *ast.KeyValueExpr:
		return b.expression(x.Value)
	case *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.ChanType:
		return b.typ(e)
	}
	return n
}

// maxOperands bounds the operands of a chain of one operator.
const maxOperands = 1000

func (b *translator) literal(x *ast.CompositeLit, n *surface.Node) *surface.Node {
	n.Kind = surface.List
	if x.Type != nil {
		n.Type = b.typ(x.Type)
	}
	mark := b.Mark()
	for _, e := range x.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			b.Push(b.expression(e))
			continue
		}
		n.Kind = surface.Map
		pair := b.node(surface.Bind, kv)
		key := b.expression(kv.Key)
		if key.Kind == surface.Name || key.Kind == surface.Text {
			pair.Key = key.Text
		}
		pair.Args, pair.X = []*surface.Node{key}, b.expression(kv.Value)
		b.Push(pair)
	}
	n.Args = b.Take(mark)
	return n
}

// longestTypeText bounds the bytes of a type that is kept as text.
const longestTypeText = 1 << 10

// typ converts a type to a name, or to its source as a name.
func (b *translator) typ(e ast.Expr) *surface.Node {
	return b.within(func() *surface.Node { return b.typeOf(e) })
}

func (b *translator) typeOf(e ast.Expr) *surface.Node {
	switch x := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return b.expression(e)
	case *ast.StarExpr:
		n := b.node(surface.Operator, e)
		n.Text, n.Args = "*", []*surface.Node{b.typ(x.X)}
		return n
	case *ast.StructType:
		n := b.node(surface.Class, e)
		n.Body = b.fields(x)
		return n
	case *ast.ArrayType:
		n := b.node(surface.Operator, e)
		n.Text, n.Args = "[]", []*surface.Node{b.typ(x.Elt)}
		return n
	case *ast.Ellipsis:
		n := b.node(surface.Operator, e)
		n.Text, n.Args = "[]", []*surface.Node{b.typ(x.Elt)}
		return n
	case *ast.MapType:
		n := b.node(surface.Operator, e)
		n.Text, n.Args = "map", []*surface.Node{b.typ(x.Key), b.typ(x.Value)}
		return n
	}
	n := b.node(surface.Unknown, e)
	if n.To-n.From < longestTypeText {
		n.Text = types.ExprString(e)
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		n.X = b.typ(x.X)
	}
	return n
}
