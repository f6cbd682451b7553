package python

import (
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

func init() {
	source.RegisterTraits(Language{}, source.Traits{
		Entries: true, Constructor: "__init__", Underscored: true, Abstract: []string{"ABC", "Protocol", "metaclass=ABCMeta"}, Second: true, Whole: true,
		Alias: func(s *source.Symbol) string {
			if s.Kind != source.Var && s.Kind != source.Const {
				return ""
			}
			_, value, _ := strings.Cut(s.Signature, " = ")
			return value
		},
		Packages: true, PackageFiles: []string{".py"}, Heads: []string{"__init__"},
		ToolFiles: []string{"conftest.py", "noxfile.py", "tasks.py"}, BuildFiles: []string{"setup.py"}, Manifests: []string{"pyproject.toml", "setup.cfg"},
		Main: "__main__", Scripts: []string{".py"}, Nameless: true, Slashed: true, Nested: true,
		Test: func(dir string) string { return "python -m pytest " + dir },
		Standard: func(name string) bool {
			top, _, _ := strings.Cut(name, ".")
			return standardLibrary[top] || top == "_typeshed" || strings.HasPrefix(name, "__")
		},
		TestImports: []string{"pytest", "unittest"}, DataClass: "dataclass", Auxiliary: isTypeParameter,
		Fences: []string{"python", "py", "python3", "pycon"}, Snippet: withoutPrompts, Docstrings: true, Domain: &source.Domain{
			Name: "py", Modular: true, Code: []string{"example", "doctest", "testcode"}, Symbol: described, Directives: map[string]bool{
				"function": false, "class": true, "method": false, "classmethod": false, "staticmethod": false, "exception": true, "data": false,
				"property": false, "decorator": false, "attribute": false,
			},
		},
		Indented: true, Apostrophes: true, LongStrings: []string{`"""`, `'''`},
		Dialect: &source.Dialect{
			Name: "python", Endings: "py pyi pyw", Hash: true,
			Words: "def lambda from as with assert async await del elif except finally global nonlocal pass raise yield match",
		},
	})
}

var typeParameter = lazyregexp.New(`^(\w+\.)*(TypeVar|TypeVarTuple|ParamSpec)\(`)

func isTypeParameter(s *source.Symbol) bool {
	return s.Doc == "" && strings.Contains(s.Signature, " = ") && typeParameter.MatchString(s.Value())
}

var describedName = lazyregexp.New(`^([\pL_][\pL\d_]*(?:\.[\pL_][\pL\d_]*)*)\s*(?:$|[\[(=:])`)

// described reads the signature of a directive, which describes a C declaration in documents without domains.
func described(signature string) (name, language string) {
	if m := describedName.FindStringSubmatch(signature); m != nil {
		return m[1], "python"
	}
	c := source.TraitsOf("c").Domain
	if before, _, ok := strings.Cut(signature, "("); ok && c != nil && strings.ContainsAny(before, " *") && !strings.ContainsAny(before, ".[=:") {
		return c.Symbol(signature)
	}
	return "", "python"
}

func withoutPrompts(code string) string {
	if !strings.Contains(code, ">>> ") {
		return code
	}
	var b strings.Builder
	for line := range strings.Lines(code) {
		if !strings.HasPrefix(line, ">>> ") && !strings.HasPrefix(line, "... ") {
			line = "    \n"
		}
		b.WriteString(line[4:])
	}
	return b.String()
}
