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

func (r *reader) imports() {
	if r.ignored {
		return // a separate program
	}
	selected := r.selected()
	for _, spec := range r.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil || p == "C" || p == "" {
			continue
		}
		imp := source.Import{Path: p, Line: r.line(spec.Pos())}
		local := localName(spec)
		used := selected[local]
		slices.Sort(used)
		used = slices.Compact(used)
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

// selected lists the names that the file selects from each package. A lower-case member belongs to something that shadows the
// package, such as a parameter.
func (r *reader) selected() map[string][]string {
	out := map[string][]string{}
	for _, spec := range r.tree.Imports {
		out[localName(spec)] = nil
	}
	ast.Inspect(r.tree, func(n ast.Node) bool {
		if n, ok := n.(*ast.SelectorExpr); ok && n.Sel.IsExported() {
			if x, ok := n.X.(*ast.Ident); ok {
				if names, imported := out[x.Name]; imported {
					out[x.Name] = append(names, n.Sel.Name)
				}
			}
		}
		return true
	})
	return out
}
