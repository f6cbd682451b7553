package golang

import (
	"go/ast"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causaldocs/causal/knowledge/source"
)

func (r *reader) sortFacts() {
	r.out.Facts = source.SortFacts(r.out.Facts)
}

// tests lists the test functions and parses the examples.
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

// isTestName follows package testing: the rest of the name does not begin with a lower-case letter.
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
	return strings.ToValidUTF8(source.Unindent(strings.Split(code, "\n"), true), "�")
}
