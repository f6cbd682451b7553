package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
)

// mutant is a small mistake in a file: a replacement of one text.
type mutant struct {
	file       string // slash-separated, from the root
	line       int
	kind       string
	start, end int // in bytes
	text       string
}

// apply makes the mistake.
func (m mutant) apply(src []byte) []byte {
	return slices.Concat(src[:m.start], []byte(m.text), src[m.end:])
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d %s", m.file, m.line, m.kind) }

// The kinds of mutants.
const (
	comparison   = "comparison"
	logic        = "logic"
	sum          = "sum"
	truth        = "bool"
	number       = "0/1"
	droppedError = "dropped error"
)

// swaps are the operators that are taken for each other.
var swaps = map[token.Token]struct {
	kind string
	by   token.Token
}{
	token.LSS: {comparison, token.LEQ}, token.LEQ: {comparison, token.LSS}, token.GTR: {comparison, token.GEQ}, token.GEQ: {comparison, token.GTR},
	token.EQL: {comparison, token.NEQ}, token.NEQ: {comparison, token.EQL}, token.LAND: {logic, token.LOR}, token.LOR: {logic, token.LAND},
	token.ADD: {sum, token.SUB}, token.SUB: {sum, token.ADD}, token.ADD_ASSIGN: {sum, token.SUB_ASSIGN}, token.SUB_ASSIGN: {sum, token.ADD_ASSIGN},
	token.INC: {sum, token.DEC}, token.DEC: {sum, token.INC},
}

// words are literals that are replaced by each other.
var words = map[string]struct{ kind, by string }{"true": {truth, "false"}, "false": {truth, "true"}, "0": {number, "1"}, "1": {number, "0"}}

// mutants lists the possible mutants of a file, in source order. Some do not compile.
func mutants(file string, src []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(f) {
		return nil, nil
	}
	l := &lister{file: file, src: src, in: fset.File(f.FileStart)}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Name.Name != "init" && d.Name.Name != "_" { // these cannot be called
			l.function(d.Type, d.Body)
		}
	}
	slices.SortStableFunc(l.out, func(a, b mutant) int { return cmp.Compare(a.start, b.start) })
	return l.out, nil
}

// lister collects the mutants of a file.
type lister struct {
	file string
	src  []byte
	in   *token.File
	out  []mutant
}

// add records a mutant that replaces the text at a position.
func (l *lister) add(kind string, at token.Pos, length int, text string) {
	start := l.in.Offset(at)
	l.out = append(l.out, mutant{l.file, l.in.Line(at), kind, start, start + length, text})
}

// function lists the mutants of a function. Function literals have their own results.
func (l *lister) function(t *ast.FuncType, body *ast.BlockStmt) {
	fails := lastIsError(t)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			l.function(n.Type, n.Body)
			return false
		case *ast.BinaryExpr:
			l.operator(n.Op, n.OpPos)
		case *ast.AssignStmt:
			l.operator(n.Tok, n.TokPos)
		case *ast.IncDecStmt:
			l.operator(n.Tok, n.TokPos)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				l.add(logic, n.OpPos, 1, "")
			}
		case *ast.Ident:
			l.word(n.Name, n.Pos())
		case *ast.BasicLit:
			l.word(n.Value, n.Pos())
		case *ast.ReturnStmt:
			if fails && len(n.Results) > 0 {
				l.drop(n.Results[len(n.Results)-1])
			}
		}
		return true
	})
}

func (l *lister) operator(op token.Token, at token.Pos) {
	if swap, ok := swaps[op]; ok {
		l.add(swap.kind, at, len(op.String()), swap.by.String())
	}
}

func (l *lister) word(text string, at token.Pos) {
	if swap, ok := words[text]; ok {
		l.add(swap.kind, at, len(text), swap.by)
	}
}

// drop replaces a returned error with nil. The expression is still used, so the mutant compiles.
func (l *lister) drop(x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok && id.Name == "nil" {
		return
	}
	start, end := l.in.Offset(x.Pos()), l.in.Offset(x.End())
	l.add(droppedError, x.Pos(), end-start, "map[bool]error{false: "+string(l.src[start:end])+"}[true]")
}

// lastIsError reports whether a function has one error as its last result.
func lastIsError(t *ast.FuncType) bool {
	if t.Results == nil {
		return false
	}
	last := t.Results.List[len(t.Results.List)-1]
	id, ok := last.Type.(*ast.Ident)
	return ok && id.Name == "error"
}

// shuffled puts mutants into the order in which they are drawn. It depends on the seed and on them alone.
func shuffled(all []mutant, seed uint64) []mutant {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b mutant) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.start, b.start), strings.Compare(a.kind, b.kind))
	})
	//nolint:gosec // a draw that everybody can repeat
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
