package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

const mostCalls = 24

// written collects the existing calls of a function: in its documentation, the README, tests and the package.
func (p *Package) written(plan *Plan, f *function) (out []testgen.Candidate) {
	out = p.promises(plan, f)
	name := testgen.LastName(f.name)
	take := func(call *ast.CallExpr, from, why string) {
		if args, ok := p.arguments(plan, call); ok && len(out) < mostCalls {
			out = append(out, testgen.Candidate{Args: args, From: from, Why: why})
		}
	}
	texts := []struct{ text, prefix, why string }{{"", "", ""}, {p.doc, "", "the documentation of the package calls it so"}, {p.readme, p.Name + ".", "the README calls it so"}}
	if f.decl.Doc != nil {
		texts[0].text, texts[0].why = f.decl.Doc.Text(), "the documentation calls it so"
	}
	if plan.Recv != nil {
		texts = texts[:2] // a README may call a method of this name on another type
	}
	for _, t := range texts {
		for _, call := range callsIn(t.text, t.prefix+name) {
			take(call, testgen.FromDoc, t.why)
		}
	}
	for _, t := range p.tests {
		why := "a test of the package calls it so"
		if strings.HasPrefix(t.Name.Name, "Example") {
			why = "an example of the package calls it so"
		}
		callsTo(t.Body, name, func(c *ast.CallExpr) { take(c, testgen.FromTest, why) })
	}
	if plan.Recv == nil {
		for _, name := range p.valueNames {
			callsTo(p.vars[name].value, f.name, func(c *ast.CallExpr) { take(c, testgen.FromLiteral, "the package calls it so for "+name) })
		}
	}
	return out
}

func callsTo(n ast.Node, name string, found func(*ast.CallExpr)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calledName(call) == name {
			found(call)
		}
		return true
	})
}

// calledName returns the name of a called function or method; empty if it has none.
func calledName(call *ast.CallExpr) string {
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		return f.Sel.Name
	}
	return valueName(call.Fun)
}

// in bytes
const longestCall = 300

func callsIn(text, name string) (out []*ast.CallExpr) {
	for at := 0; len(out) < mostCalls; {
		i := strings.Index(text[at:], name+"(")
		if i < 0 {
			break
		}
		start := at + i
		at = start + len(name) + 1
		if start > 0 && wordByte(text[start-1]) {
			continue
		}
		end := spec.ClosingBracket(text[at:min(len(text), at+longestCall)])
		if end < 0 {
			continue
		}
		x, err := parser.ParseExpr("f(" + text[at:at+end] + ")")
		if call, ok := x.(*ast.CallExpr); err == nil && ok {
			out = append(out, call)
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// arguments returns the arguments of a call. ok is false unless all of them are literal.
func (p *Package) arguments(plan *Plan, call *ast.CallExpr) (args []spec.Typed, ok bool) {
	n := len(plan.Params)
	switch {
	case call.Ellipsis != token.NoPos:
		if len(call.Args) != n {
			return nil, false
		}
	case plan.Variadic:
		if len(call.Args) < n-1 {
			return nil, false
		}
	case len(call.Args) != n:
		return nil, false
	}
	for i, in := range plan.Params {
		var v spec.Value
		if plan.Variadic && i == n-1 && call.Ellipsis == token.NoPos {
			list := []spec.Value{}
			for _, x := range call.Args[i:] {
				one, ok := p.valueOf(in.Type.Elem, x)
				if !ok {
					return nil, false
				}
				list = append(list, one)
			}
			v = list
		} else if v, ok = p.valueOf(in.Type, call.Args[i]); !ok {
			return nil, false
		}
		args = append(args, spec.Typed{Type: in.Type.Text, Value: v})
	}
	return args, true
}

func (p *Package) valueOf(t *Type, x ast.Expr) (spec.Value, bool) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return p.valueOf(t, x.X)
	case *ast.BasicLit:
		return literalOf(t, x, "")
	case *ast.UnaryExpr:
		if lit, ok := x.X.(*ast.BasicLit); ok && x.Op == token.SUB {
			return literalOf(t, lit, "-")
		}
	case *ast.Ident:
		return p.named(t, x.Name)
	case *ast.SelectorExpr:
		return p.named(t, x.Sel.Name)
	case *ast.CallExpr:
		return p.converted(t, x)
	case *ast.CompositeLit:
		if t.Kind != Slice {
			return nil, false
		}
		list := []spec.Value{}
		for _, e := range x.Elts {
			v, ok := p.valueOf(t.Elem, e)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	}
	return nil, false
}

// named evaluates a name: a constant or fixed variable of the package, or a predeclared identifier.
func (p *Package) named(t *Type, name string) (spec.Value, bool) {
	switch {
	case t.Path == "" && t.Name != "" && (slices.Contains(p.consts[t.Name], name) || slices.Contains(p.fixed()[t.Name], name)):
		return map[string]spec.Value{constKey: name}, true
	case (name == "true" || name == "false") && (t.Kind == Bool || t.Kind == Any):
		return name == "true", true
	case name == "nil":
		return nil, t.Kind == Any || t.Kind == Slice || t.Kind == Map || t.Kind == Fault
	}
	return nil, false
}

// converted evaluates a value inside a conversion or a reader's constructor.
func (p *Package) converted(t *Type, call *ast.CallExpr) (spec.Value, bool) {
	name := calledName(call)
	_, list := call.Fun.(*ast.ArrayType)
	switch {
	case t.Kind == Context && (name == "Background" || name == "TODO"):
		return nil, true
	case len(call.Args) != 1:
	case t.Kind == Reader && (name == "NewReader" || name == "NewBufferString"):
		return p.valueOf(&Type{Kind: String}, call.Args[0])
	case list && t.Kind == Slice && t.Elem.Kind == Uint && t.Elem.Bits == 8:
		return p.valueOf(&Type{Kind: String}, call.Args[0])
	case scalar(t) && (name == t.Name && t.Name != "" || name == t.Text):
		return p.valueOf(t, call.Args[0])
	}
	return nil, false
}

func literalOf(t *Type, lit *ast.BasicLit, sign string) (spec.Value, bool) {
	switch {
	case lit.Kind == token.STRING && (t.Kind == String || t.Kind == Any):
		text, err := strconv.Unquote(lit.Value)
		return text, err == nil && len(text) <= longestSeed
	case lit.Kind == token.INT && (t.Kind == Int || t.Kind == Uint || t.Kind == Any):
		n, err := strconv.ParseInt(sign+lit.Value, 0, 64)
		return n, err == nil && (t.Kind != Uint || n >= 0)
	case (lit.Kind == token.INT || lit.Kind == token.FLOAT) && (t.Kind == Float || t.Kind == Any):
		n, err := strconv.ParseFloat(sign+lit.Value, 64)
		return n, err == nil
	case lit.Kind == token.CHAR && t.Kind == Int:
		r, _, _, err := strconv.UnquoteChar(strings.Trim(lit.Value, "'"), '\'')
		return int64(r), err == nil
	}
	return nil, false
}
