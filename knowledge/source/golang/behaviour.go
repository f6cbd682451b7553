package golang

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/lazy"
	"github.com/causaldocs/causal/knowledge/source"
)

// calls names the functions whose literal arguments are part of the behaviour surface: package.function -> which
// argument, and what it is.
var calls = lazy.Value[map[string]literalCall]{Make: func() map[string]literalCall {
	return map[string]literalCall{
		"os.Exit": {source.Exit, 0},
	}
}}

type literalCall struct {
	kind source.FactKind
	arg  int
}

// literalArgument has the names of all functions above: 0 when a call only matters if its first argument is a literal.
var literalArgument = lazy.Value[map[string]int]{Make: func() map[string]int {
	m := map[string]int{}
	add := func(name string, arg int) { m[name] = max(m[name], arg) }
	for name, c := range calls.Get() {
		_, function, _ := strings.Cut(name, ".")
		add(function, c.arg)
	}
	return m
}}

// calls notes what the calls in a declaration say about the behaviour surface.
func (r *reader) calls(d ast.Decl) {
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			r.call(call)
		}
		return true
	})
}

// call notes what a call says about the behaviour surface. A test's are nobody's behaviour.
func (r *reader) call(call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || r.out.Test || r.ignored {
		return
	}
	if fact, ok := callFact(sel, call); ok {
		fact.Line = r.line(call.Pos())
		r.out.Facts = append(r.out.Facts, fact)
	}
}

func (r *reader) sortFacts() {
	r.out.Facts = source.SortFacts(r.out.Facts)
}

func callFact(sel *ast.SelectorExpr, call *ast.CallExpr) (source.Fact, bool) {
	name := sel.Sel.Name
	pkg, _ := sel.X.(*ast.Ident)
	if pkg != nil {
		if c, ok := calls.Get()[pkg.Name+"."+name]; ok {
			text, ok := literal(call, c.arg)
			return source.Fact{Kind: c.kind, Name: text}, ok
		}
	}
	return source.Fact{}, false
}

// isFlagSet recognises flag.X, pflag.X, cmd.Flags().X, cmd.PersistentFlags().X, fs.X and flags.X.
func isFlagSet(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		n := strings.ToLower(x.Name)
		return n == "flag" || n == "pflag" || n == "flags" || n == "fs" || strings.HasSuffix(n, "flagset") || strings.HasSuffix(n, "flags")
	case *ast.CallExpr:
		s, ok := x.Fun.(*ast.SelectorExpr)
		return ok && strings.HasSuffix(s.Sel.Name, "Flags")
	}
	return false
}

func literal(call *ast.CallExpr, i int) (string, bool) {
	if i >= len(call.Args) {
		return "", false
	}
	lit, ok := call.Args[i].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	if lit.Kind == token.INT {
		return lit.Value, true
	}
	text, err := strconv.Unquote(lit.Value)
	return strings.ToValidUTF8(text, "�"), err == nil && lit.Kind == token.STRING && text != ""
}

// tests lists the test functions and takes the examples apart.
func (r *reader) tests() {
	for _, d := range r.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		switch name := f.Name.Name; {
		case isTestName(name, "Test") && name != "TestMain", isTestName(name, "Fuzz"):
			r.out.Tests = append(r.out.Tests, name)
		case isTestName(name, "Example") && f.Body != nil:
			r.out.Examples = append(r.out.Examples, r.example(f))
		}
	}
	sort.Strings(r.out.Tests)
}

// isTestName follows the rule of package testing: the rest does not begin with a lower-case letter.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLower(first)
}

func (r *reader) example(f *ast.FuncDecl) source.Example {
	rest := strings.TrimPrefix(f.Name.Name, "Example")
	parts := strings.SplitN(strings.TrimPrefix(rest, "_"), "_", 3)
	e := source.Example{Doc: r.docText(f.Doc)}
	if strings.HasPrefix(rest, "_") {
		e.Suffix, parts = strings.TrimPrefix(rest, "_"), nil
	}
	for i, p := range parts {
		first, _ := utf8.DecodeRuneInString(p)
		switch {
		case i == 0:
			e.Symbol = p
		case unicode.IsUpper(first) && e.Suffix == "":
			e.Symbol += "." + p
		default:
			e.Suffix = strings.TrimPrefix(e.Suffix+"_"+p, "_")
		}
	}
	body := string(r.src[r.offset(f.Body.Lbrace)+1 : max(r.offset(f.Body.Rbrace), r.offset(f.Body.Lbrace)+1)])
	lower := strings.ToLower(body)
	for _, marker := range []string{"// output:", "// unordered output:"} {
		if i := strings.LastIndex(lower, marker); i >= 0 && len(lower) == len(body) {
			e.Output = uncomment(body[i+len(marker):])
			body = body[:i]
			break
		}
	}
	e.Code = dedent(body)
	return e
}

func uncomment(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(l), "//"), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func dedent(code string) string {
	lines := strings.Split(strings.Trim(code, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(l, "\t"), " \t")
	}
	return strings.TrimSpace(strings.ToValidUTF8(strings.Join(lines, "\n"), "�"))
}

// testContent digests what can be shown of a test file.
func (r *reader) testContent() {
	h := source.NewHasher()
	for _, t := range r.out.Tests {
		h.Add(t)
	}
	for _, e := range r.out.Examples {
		h.Add("example " + e.Symbol + " " + e.Suffix)
		h.Add(e.Doc)
		h.Add(e.Code)
		h.Add(e.Output)
	}
	for _, i := range r.out.Imports {
		h.Add("import " + i.Path)
		for _, n := range i.Names {
			h.Add(n.Name)
		}
	}
	h.Add(r.out.Problem)
	r.out.Content = h.Sum()
	r.out.Imports = slices.Clip(r.out.Imports)
}
