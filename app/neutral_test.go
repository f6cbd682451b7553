package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source/languages"
)

// neutral lists the packages that serve all languages alike: what differs between languages is a trait that the language's own
// package registers.
var neutral = []string{
	"knowledge/source", "knowledge/survey", "knowledge/engine", "render", "review", "review/api", "review/stale", "review/match",
}

// ofLanguage lists the files of review/api that compare one language, by the beginning of their names, with the languages that they
// may name. The table in languages.go finds them.
var ofLanguage = map[string][]string{
	"review/api/go": {"go", "c"}, "review/api/python": {"python"}, "review/api/java": {"java"}, "review/api/rust": {"rust"},
	"review/api/ecma": {"typescript", "javascript"}, "review/api/c": {"c", "c++"},
	"review/api/languages.go": {"go", "python", "typescript", "javascript", "java", "rust", "c", "c++"},
}

// otherNames lists what else names a language: files that its tools read, and the names of its files and members.
var otherNames = map[string][]string{
	"go":         {"go.mod", "go.sum", "go.work", "golang"},
	"python":     {"pyproject.toml", "setup.cfg", "__init__", "__main__", "pytest", "unittest", "dataclass", "TypeVar"},
	"javascript": {"package.json"},
	"typescript": {"tsconfig"},
	"java":       {"pom.xml", "build.gradle", "META-INF", "src/main"},
	"rust":       {"Cargo.toml", "crate::", "doc(hidden)", "macro_export"},
}

// remaining lists the files with literals that may name a language, how many, and why.
var remaining = map[string]struct {
	count int
	why   string
}{
	"knowledge/source/described.go": {1, "Sphinx's default domain"},
	"knowledge/survey/manual.go":    {1, "a directory of sources may be called like a language"},
	"render/environment.go":         {1, "programs of a build, by their customary names"},
	"render/prose.go":               {1, "an example in the instructions to a model"},
	"review/stale/reference.go":     {4, "programs in the command lines of documents"},
}

// namesOf returns for each language a pattern of literals that name it: its name, the extension of its files, or one of its files.
func namesOf(t *testing.T) map[string]*regexp.Regexp {
	t.Helper()
	out := map[string]*regexp.Regexp{}
	for _, l := range languages.All() {
		alternatives := []string{"^" + regexp.QuoteMeta(l.Name()) + "$"}
		if len(l.Name()) > 3 {
			alternatives = append(alternatives, `\b`+l.Name()+`\b`)
		}
		for _, ext := range l.Extensions() {
			alternatives = append(alternatives, `(^|[\w*)/])\\?`+regexp.QuoteMeta(ext)+`(\W|$)`, "(?-i:^"+strings.TrimPrefix(regexp.QuoteMeta(ext), `\.`)+"$)")
		}
		for _, name := range otherNames[l.Name()] {
			alternatives = append(alternatives, regexp.QuoteMeta(name))
		}
		out[l.Name()] = regexp.MustCompile("(?i)" + strings.Join(alternatives, "|"))
	}
	return out
}

// TestNeutralPackagesNameNoLanguage: a string literal of a package that serves all languages names none of them.
func TestNeutralPackagesNameNoLanguage(t *testing.T) {
	t.Parallel()
	patterns, found, looked := namesOf(t), map[string]int{}, 0
	for _, f := range files(t) {
		if f.test || !slices.Contains(neutral, f.dir()) {
			continue
		}
		looked++
		own := allowedIn(f.name)
		for _, l := range literals(t, f.name) {
			for language, names := range patterns {
				if !names.MatchString(l.text) || slices.Contains(own, language) {
					continue
				}
				if found[f.name]++; found[f.name] > remaining[f.name].count {
					t.Errorf("%s:%d: %q names %s: what differs between languages is a trait (knowledge/source/traits.go)", f.name, l.line, l.text, language)
				}
			}
		}
	}
	for file, r := range remaining {
		if found[file] < r.count {
			t.Errorf("%s: %d literals name a language, and not %d (%s)", file, found[file], r.count, r.why)
		}
	}
	if looked < 150 {
		t.Errorf("only %d files were found", looked)
	}
}

func allowedIn(file string) (own []string) {
	longest := ""
	for prefix, languages := range ofLanguage {
		if strings.HasPrefix(file, prefix) && len(prefix) > len(longest) {
			longest, own = prefix, languages
		}
	}
	return own
}

type literal struct {
	text string
	line int
}

// literals returns the string literals of a file, without import paths and struct tags.
func literals(t *testing.T, name string) (out []literal) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path.Join("..", name), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil {
				out = append(out, literal{text, set.Position(n.Pos()).Line})
			}
		}
		return true
	})
	return out
}
