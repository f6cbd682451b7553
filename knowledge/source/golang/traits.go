package golang

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

func init() {
	source.RegisterTraits(Language{}, source.Traits{
		Elsewhere: elsewhere, Inside: isInternal, Capitals: true, Resolution: source.Resolution{Modules: true, Closed: true, Converts: true, Serves: "ServeHTTP"},
		Packages: true, PackageFiles: []string{".go"}, Imported: true, Ignores: ignores,
		Test:        func(dir string) string { return strings.TrimSuffix("go test ./"+dir, "/.") },
		TestImports: []string{"testing"}, Examples: true, Standard: func(name string) bool {
			first, _, _ := strings.Cut(name, "/")
			return !strings.Contains(first, ".")
		},
		Fences: []string{"go", "golang"}, Prose: true,
		Wrapping:    &source.Wrapping{Own: "package ", Ahead: "package snippet\n", Hoist: "import", Whole: "\nfunc ", Before: "func _() {\n", After: "\n}\n"},
		LongStrings: []string{"`"}, Raw: "`", ToolFiles: []string{"magefile.go"},
		Dialect: &source.Dialect{Name: "go", Endings: "go", Words: "func package var type interface map chan go defer select range fallthrough goto"},
	})
}

// ignores reports whether the go command ignores a file.
func ignores(name string) bool {
	return name[0] == '_' || name[0] == '.' || strings.Contains(name, "/_") || strings.Contains(name, "/.")
}

// ofTools matches build constraints that only tools set.
var ofTools = lazyregexp.New(`(^|[^!\w])(ignore|mage|tools)\b`)

func isInternal(u *source.Unit, s *source.Symbol) bool {
	return u.File.Package == "main" || strings.Contains("/"+u.Path, "/internal/") || ofTools.MatchString(u.File.Guard) || ofTools.MatchString(s.Guard)
}
