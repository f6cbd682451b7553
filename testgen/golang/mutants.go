package golang

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strconv"

	"github.com/causaldocs/causal/testgen/spec"
)

// mostMutants limits the mutants of one function. All of them run against all its cases.
const mostMutants = 12

// mutant is a mutant with the text to insert around a range of the source.
type mutant struct {
	kind          string
	from, to      token.Pos
	before, after string
	said          string // the mutated source text, part of the ID
	id            string
}

// mutator finds the mutants of one function. It has no type information, so its mutants are built to compile for any
// types; those that do not compile are dropped after a build.
type mutator struct {
	file    *sourceFile
	results *ast.FieldList // of the enclosing function
	out     []mutant
}

// mutantsOf returns the mutants of a function. A concurrent function has none: a mutant could deadlock.
func mutantsOf(f *sourceFile, name string, d *ast.FuncDecl) []mutant {
	if concurrent(d.Body) {
		return nil
	}
	m := &mutator{file: f, results: d.Type.Results}
	m.block(d.Body.List)
	for i := range m.out {
		one := &m.out[i]
		one.id = "m-" + spec.Short("mutant", name, one.kind, one.said, strconv.Itoa(m.twin(i)))
	}
	return thinned(m.out)
}

// thinned keeps the first mutant of each kind, then the second of each, up to mostMutants, in source order.
func thinned(all []mutant) []mutant {
	if len(all) <= mostMutants {
		return all
	}
	at, rank, seen := make([]int, len(all)), make([]int, len(all)), map[string]int{}
	for i, one := range all {
		at[i], rank[i] = i, seen[one.kind]
		seen[one.kind]++
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	at = at[:mostMutants]
	slices.Sort(at)
	out := make([]mutant, len(at))
	for i, n := range at {
		out[i] = all[n]
	}
	return out
}

func (m *mutator) twin(i int) (n int) {
	for _, other := range m.out[:i] {
		if other.kind == m.out[i].kind && other.said == m.out[i].said {
			n++
		}
	}
	return n
}

func concurrent(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.ChanType:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

func (m *mutator) add(kind string, n ast.Node, before, after, said string) {
	m.out = append(m.out, mutant{kind: kind, from: n.Pos(), to: n.End(), before: before, after: after, said: said})
}

// number is a placeholder for a mutant's number that cannot occur in source; on is the expression that tests whether
// the mutant is enabled.
const (
	number = "\x00"
	on     = "causalMutant(" + number + ")"
)

func (m *mutator) block(list []ast.Stmt) {
	for _, s := range list {
		m.statement(s)
		m.within(s)
	}
}

func (m *mutator) within(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.BlockStmt:
			m.block(n.List)
			return false
		case *ast.CaseClause:
			for _, x := range n.List {
				m.inside(x)
			}
			m.block(n.Body)
			return false
		case *ast.IfStmt:
			m.condition(n.Cond)
		case *ast.FuncLit:
			outer := m.results
			m.results = n.Type.Results
			m.block(n.Body.List)
			m.results = outer
			return false
		case *ast.BinaryExpr:
			m.binary(n)
		}
		return true
	})
}

func (m *mutator) inside(x ast.Expr) { m.within(&ast.ExprStmt{X: x}) }

// condition negates a condition that is not a binary expression, which has mutants already.
func (m *mutator) condition(x ast.Expr) {
	if _, ok := ast.Unparen(x).(*ast.BinaryExpr); !ok {
		m.add("condition", x, "((", ") != "+on+")", "not "+m.file.text(x))
	}
}

var boundaries = map[token.Token]string{
	token.LSS: " || " + on + " && ", token.GTR: " || " + on + " && ", token.LEQ: " && !(" + on + " && ", token.GEQ: " && !(" + on + " && ",
}

func (m *mutator) binary(x *ast.BinaryExpr) {
	said := m.file.text(x)
	switch x.Op {
	case token.EQL, token.NEQ:
		m.add("comparison", x, "((", ") != "+on+")", said)
		if n, ok := decimal(x.Y); ok && simple(x.X) {
			other := m.file.text(x.X) + " " + x.Op.String() + " " + strconv.Itoa(n+1)
			m.add("constant", x, "(!"+on+" && ", " || "+on+" && "+other+")", said)
		}
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		m.add("comparison", x, "((", ") != "+on+")", said)
		if simple(x.X) && simple(x.Y) {
			after := boundaries[x.Op] + m.file.text(x.X) + " == " + m.file.text(x.Y) + ")"
			if x.Op == token.LEQ || x.Op == token.GEQ {
				after += ")"
			}
			m.add("boundary", x, "(", after, said)
		}
	case token.LAND:
		m.add("logic", x.X, "("+on+" || ", ")", said)
	case token.LOR:
		m.add("logic", x.X, "(!"+on+" && (", "))", said)
	}
}

func decimal(x ast.Expr) (int, bool) {
	lit, ok := x.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return 0, false
	}
	n, err := strconv.Atoi(lit.Value)
	return n, err == nil && n < 1<<30
}

// simple reports whether an expression can be evaluated twice without side effects.
func simple(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return simple(x.X)
	case *ast.SelectorExpr:
		return simple(x.X)
	case *ast.IndexExpr:
		return simple(x.X) && simple(x.Index)
	case *ast.UnaryExpr:
		return x.Op == token.SUB && simple(x.X)
	case *ast.BinaryExpr:
		return swapped[x.Op] != 0 && x.Op != token.QUO && x.Op != token.REM && simple(x.X) && simple(x.Y)
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		return ok && (f.Name == "len" || f.Name == "cap") && len(x.Args) == 1 && simple(x.Args[0])
	}
	return false
}

// swapped maps an operator to its replacement, which the operand types must also support; + may join strings, so
// arithmetic checks its operands.
var swapped = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL, token.REM: token.MUL, token.AND: token.OR, token.OR: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL, token.XOR: token.AND,
}

// arithmetic replaces the first operator that can be replaced whatever the types are.
func (m *mutator) arithmetic(x ast.Expr) (text string, ok bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			to := swapped[n.Op]
			if ok || to == 0 || n.Op == token.ADD && !numeric(n.X) && !numeric(n.Y) {
				return !ok
			}
			whole, at := m.file.text(x), m.file.offset(n.OpPos)-m.file.offset(x.Pos())
			text, ok = whole[:at]+to.String()+whole[at+len(n.Op.String()):], true
		}
		return !ok
	})
	return text, ok
}

func numeric(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.INT || x.Kind == token.FLOAT || x.Kind == token.CHAR
	case *ast.ParenExpr:
		return numeric(x.X)
	case *ast.BinaryExpr:
		return swapped[x.Op] != 0 && (x.Op != token.ADD || numeric(x.X) || numeric(x.Y))
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		return ok && (f.Name == "len" || f.Name == "int" || f.Name == "int64" || f.Name == "uint64" || f.Name == "float64")
	}
	return false
}
