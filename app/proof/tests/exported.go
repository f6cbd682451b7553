package main

import (
	"go/ast"
	"regexp"
	"strings"

	"github.com/causaldocs/causal/testgen"
)

// exported lists the functions and methods of a package that others can call and that have a body, as specifications name them: the
// module, a space and the symbol.
func exported(u *unit) (out []string) {
	for _, f := range u.trees {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && d.Name.IsExported() {
				if name := symbolOf(d); ast.IsExported(name) {
					out = append(out, testgen.ModuleName(u.dir)+" "+name)
				}
			}
		}
	}
	return out
}

// symbolOf is the name of a function, that of a method with its type before it.
func symbolOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// particulars match the parts of a reason that are specific to one function. The table of reasons shows an ellipsis instead.
var particulars = []struct {
	found *regexp.Regexp
	by    string
}{
	{regexp.MustCompile(`^(takes|returns) .*?, (of which|which) `), "$1 …, $2 "},
	{regexp.MustCompile(`^(reaches|needs) .*`), "$1 …"},
	{regexp.MustCompile(`^(changes the variable) \S+`), "$1 …"},
	{regexp.MustCompile(`: .*`), ": …"},
}

// reasonKind returns a reason without its function-specific parts.
func reasonKind(reason string) string {
	for _, p := range particulars {
		reason = p.found.ReplaceAllString(reason, p.by)
	}
	return strings.TrimSpace(reason)
}
