package golang

import (
	"go/ast"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

func (r *reader) importLines() []string {
	out := make([]string, 0, len(r.tree.Imports))
	for _, imp := range r.tree.Imports {
		line := imp.Path.Value
		if imp.Name != nil {
			line = imp.Name.Name + " " + line
		}
		out = append(out, line)
	}
	sort.Strings(out)
	return slices.Compact(out)
}

func (r *reader) declarePackages() {
	for _, spec := range r.tree.Imports {
		r.tokens.members.declare(localName(spec))
	}
}

func (r *reader) imports() {
	if r.broken {
		r.walk()
	}
	if r.ignored {
		return // a separate program
	}
	for _, spec := range r.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil || p == "C" || p == "" {
			continue
		}
		imp := source.Import{Path: p, Line: r.line(spec.Pos())}
		local := localName(spec)
		// A lower-case member belongs to something that shadows the package, such as a parameter.
		used := slices.DeleteFunc(slices.Clone(r.tokens.members.of(local)), func(name string) bool { return !ast.IsExported(name) })
		if local != "_" && local != path.Base(p) && (spec.Name != nil || len(used) > 0) {
			imp.As = local
		}
		switch {
		case local == "_":
		case local == "." || len(used) == 0:
			// the package name may differ from the directory, so the used members are unknown
			imp.All = true
		default:
			imp.Names = make([]source.Name, len(used))
			for i, n := range used {
				imp.Names[i].Name = n
			}
		}
		r.out.Imports = append(r.out.Imports, imp)
	}
}

// localName returns the local name of an import, guessed from the path if needed.
func localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return packageName(p)
}

// packageName guesses the package name from an import path, as the Go tools do.
func packageName(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".")
	return strings.TrimPrefix(base, "go-")
}

// walk finds the selected package members in the syntax tree, because the tokens of a broken file do not show them.
func (r *reader) walk() {
	r.tokens.members.forget()
	ast.Inspect(r.tree, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := n.X.(*ast.Ident); ok {
				r.tokens.members.add([]byte(x.Name), []byte(n.Sel.Name))
			}
		}
		return true
	})
}
