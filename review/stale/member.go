package stale

import (
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/causaldocs/causal/knowledge/source"
)

// members lists what a type of Go has that is no declaration of its own: the fields of a struct, and the methods of an interface.
func members(language string, s *source.Symbol) []string {
	if language != "go" || s.Kind != source.Struct && s.Kind != source.Interface || len(s.Signature) > longestSignature {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+s.Signature, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return nil
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		var list *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			list = n.Fields
		case *ast.InterfaceType:
			list = n.Methods
		case *ast.Field, *ast.FieldList: // of what is within these, nobody knows the owner
			return false
		default:
			return true
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.IsExported() {
					out = append(out, name.Name)
				}
			}
		}
		return false
	})
	return out
}
