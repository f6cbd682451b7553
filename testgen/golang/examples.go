package golang

import (
	"encoding/json"
	"go/ast"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type printedCall struct {
	call *ast.CallExpr
	line string
}

var outputs = lazyregexp.New(`^(?i:\s*output:)`)

// shownIn returns the calls that the examples of a file print, one a line. An example with any other statement is left
// out: its output lines cannot be assigned to calls.
func shownIn(f *ast.File) (out []printedCall) {
	inside := !strings.HasSuffix(f.Name.Name, "_test") // in an external test package, a plain name is a function of the tests
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil || d.Recv != nil || !strings.HasPrefix(d.Name.Name, "Example") || len(d.Body.List) == 0 {
			continue
		}
		lines := outputOf(f, d.Body)
		if len(lines) != len(d.Body.List) {
			continue
		}
		var one []printedCall
		for i, s := range d.Body.List {
			if call := printed(s); call != nil && (inside || !plain(call)) {
				one = append(one, printedCall{call, lines[i]})
			}
		}
		if len(one) == len(lines) {
			out = append(out, one...)
		}
	}
	return out
}

func outputOf(f *ast.File, body *ast.BlockStmt) []string {
	var last *ast.CommentGroup
	for _, c := range f.Comments {
		if c.Pos() > body.List[len(body.List)-1].End() && c.End() <= body.Rbrace {
			last = c
		}
	}
	if last == nil {
		return nil
	}
	text := last.Text()
	head := outputs.FindString(text)
	if head == "" {
		return nil
	}
	return strings.Split(strings.TrimSpace(text[len(head):]), "\n")
}

// printed returns the call that a fmt.Println statement prints, or nil.
func printed(s ast.Stmt) *ast.CallExpr {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || typeName(call.Fun, imports{"fmt": "fmt"}) != "fmt.Println" {
		return nil
	}
	made, _ := call.Args[0].(*ast.CallExpr)
	return made
}

func plain(call *ast.CallExpr) bool {
	_, ok := call.Fun.(*ast.Ident)
	return ok
}

// promises returns the calls of a function whose result an example documents, which need no run.
func (p *Package) promises(plan *Plan, f *function) (out []testgen.Candidate) {
	if plan.Recv != nil {
		return nil
	}
	for _, s := range p.shown {
		if name := typeName(s.call.Fun, imports{p.Name: p.Name}); name != f.name && name != p.Name+"."+f.name {
			continue
		}
		args, ok := p.arguments(plan, s.call)
		if want := plan.wantOf(s.line); ok && want != nil && len(out) < testgen.MostCases {
			out = append(out, testgen.Candidate{Args: args, From: testgen.FromDoc, Why: "an example of the documentation shows it", Want: want})
		}
	}
	return out
}

// wantOf parses an output line as a result; nil if it is ambiguous.
func (p *Plan) wantOf(line string) *spec.Want {
	if p.Fails {
		text, fine := strings.CutSuffix(line, " <nil>")
		if !fine && len(p.Results) > 0 && line != "<nil>" {
			return &spec.Want{Error: true}
		}
		line = text
	}
	if len(p.Results) != 1 || line == "" || strings.TrimSpace(line) != line {
		return nil
	}
	t := p.Results[0]
	if t.Stringer && !t.ByPointer || t.Kind == Pointer && t.Elem.Stringer {
		return &spec.Want{StringOf: &line}
	}
	if t.Stringer || t.Path != "" {
		return nil
	}
	var raw any = line
	switch t.Kind {
	case String:
	case Bool:
		raw = map[string]any{"true": true, "false": false}[line]
	case Int, Uint:
		raw = json.Number(line)
	default:
		return nil
	}
	v, ok := valueOf(t, raw, "")
	if !ok {
		return nil
	}
	return &spec.Want{Values: []spec.Typed{{Type: t.Text, Value: v}}}
}
