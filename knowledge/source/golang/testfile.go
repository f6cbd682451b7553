package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strconv"

	"github.com/causaldocs/causal/knowledge/source"
)

// extractTest reads the tests and imports of a test file without examples. It does not parse function bodies, which
// are half of the source in many repositories and are never shown.
func extractTest(name string, src []byte) source.File {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", src, parser.ImportsOnly|parser.ParseComments|parser.SkipObjectResolution)
	r := &reader{src: src, tree: tree}
	r.out = source.File{
		Language: "go", Package: tree.Name.Name, Test: true, Generated: ast.IsGenerated(tree), Guard: Guard(name, tree), Problem: problem(err),
	}
	for _, spec := range tree.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && p != "C" && p != "" {
			r.out.Imports = append(r.out.Imports, source.Import{Path: p, All: true, Line: fset.Position(spec.Pos()).Line})
		}
	}
	for _, name := range functionNames(src) {
		if isTestName(name, "Test") && name != "TestMain" || isTestName(name, "Fuzz") {
			r.out.Tests = append(r.out.Tests, name)
		}
	}
	sort.Strings(r.out.Tests)
	r.out.Content = source.TestContent(&r.out)
	return r.out
}

func functionNames(src []byte) []string {
	var out []string
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '{', '(':
			depth++
		case '}', ')':
			depth--
		case '"', '\'', '`', '/':
			i = skip(src, i)
		case '\n':
			if depth != 0 || !bytes.HasPrefix(src[i+1:], []byte("func ")) {
				continue
			}
			rest := src[i+len("\nfunc "):]
			end := bytes.IndexAny(rest, "([ \n")
			if end > 0 {
				out = append(out, string(rest[:end]))
			}
		}
	}
	return out
}

// skip returns the last index of the literal or comment at i, or i.
func skip(src []byte, i int) int {
	until := func(end string, from int) int {
		if at := bytes.Index(src[min(from, len(src)):], []byte(end)); at >= 0 {
			return from + at + len(end) - 1
		}
		return len(src) - 1
	}
	switch c := src[i]; {
	case c == '`':
		return until("`", i+1)
	case c == '/' && bytes.HasPrefix(src[i:], []byte("//")):
		return max(until("\n", i+2)-1, i) // the line end is handled separately
	case c == '/' && bytes.HasPrefix(src[i:], []byte("/*")):
		return until("*/", i+2)
	case c == '/':
		return i
	}
	for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
		if src[j] == '\\' {
			j++
		} else if src[j] == src[i] {
			return j
		}
	}
	return i
}
