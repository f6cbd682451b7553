// Package golang reads Go source with the standard library's parser.
package golang

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/causaldocs/causal/knowledge/source"
)

// Language reads Go. The zero value is ready to use.
type Language struct{}

// Name implements source.Language.
func (Language) Name() string { return "go" }

// Version implements source.Language.
func (Language) Version() int { return 1 }

// Extensions implements source.Language.
func (Language) Extensions() []string { return []string{".go"} }

// Manifests implements source.Language.
func (Language) Manifests() []string { return []string{"go.mod"} }

// Extract implements source.Language.
func (Language) Extract(name string, src []byte) source.File {
	test := strings.HasSuffix(name, "_test.go")
	if test && !bytes.Contains(src, []byte("\nfunc Example")) {
		return extractTest(src)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	r := &reader{src: src, file: fset.File(tree.FileStart), tree: tree, hash: source.NewHasher()}
	r.out = source.File{
		Language:  "go",
		Package:   tree.Name.Name,
		Test:      test,
		Strict:    true,
		Generated: ast.IsGenerated(tree),
		Problem:   problem(err),
	}
	if r.file == nil {
		r.out.Content = source.DigestOf("unreadable", string(src))
		return r.out
	}
	r.read()
	return r.out
}

func problem(err error) string {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("line %d: %s", list[0].Pos.Line, list[0].Msg)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

type reader struct {
	src     []byte
	file    *token.File
	tree    *ast.File
	hash    *source.Hasher
	ignored bool // excluded from every build
	out     source.File
	ordered []source.Digest // declarations whose order has a meaning
	free    []source.Digest // declarations that may stand in any order
}

func (r *reader) read() {
	r.out.Doc = docText(r.tree.Doc)
	directives := r.directives()
	r.out.Imports = r.imports()
	if r.ignored {
		r.out.Imports = nil // a program of its own, which only lies here
	}
	if r.out.Test {
		r.tests()
		r.testContent()
		return
	}
	for _, d := range r.tree.Decls {
		r.decl(d)
	}
	r.mergeSymbols()
	r.sortFacts()
	h := source.NewHasher()
	h.Add(r.out.Package)
	h.Add(normal(r.out.Doc))
	for _, d := range directives {
		h.Add(d)
	}
	for _, imp := range r.importLines() {
		h.Add(imp)
	}
	slices.Sort(r.free)
	for _, d := range append(r.ordered, r.free...) {
		h.Add(string(d))
	}
	if r.out.Problem != "" {
		hashTokens(h, r.src, 0, len(r.src))
	}
	r.out.Content = h.Sum()
}

// directives are the comments that the tools obey, wherever they stand, and the preamble of cgo.
func (r *reader) directives() []string {
	var out []string
	for _, g := range r.tree.Comments {
		for _, c := range g.List {
			if !isDirective(c.Text) {
				continue
			}
			out = append(out, strings.TrimRight(c.Text, " \t\r"))
			if c.Text == "//go:build ignore" || c.Text == "// +build ignore" {
				r.ignored = true
			}
		}
	}
	for _, d := range r.tree.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Doc != nil && importsC(g) {
			out = append(out, g.Doc.Text())
		}
	}
	return out
}

func isDirective(text string) bool {
	for _, p := range []string{"//go:", "//export ", "//line ", "// +build "} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

func importsC(g *ast.GenDecl) bool {
	for _, s := range g.Specs {
		if imp, ok := s.(*ast.ImportSpec); ok && imp.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

func (r *reader) importLines() []string {
	var out []string
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

// imports lists each import with the members that the file selects from it.
func (r *reader) imports() []source.Import {
	members := r.walk()
	var out []source.Import
	for _, spec := range r.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil || p == "C" || p == "" {
			continue
		}
		imp := source.Import{Path: p, Line: r.line(spec.Pos())}
		local := packageName(p)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		switch used := members[local]; {
		case local == "_":
		case local == "." || len(used) == 0:
			// a package may be named otherwise than its directory: then nobody knows what is used
			imp.All = true
		default:
			for _, n := range used {
				imp.Names = append(imp.Names, source.Name{Name: n})
			}
		}
		out = append(out, imp)
	}
	return out
}

// packageName guesses the name of the package at an import path, as the language's tools do.
func packageName(p string) string {
	base := path.Base(p)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	base, _, _ = strings.Cut(base, ".")
	return strings.TrimPrefix(base, "go-")
}

// walk goes over the file once: it notes the behaviour surface, and for each package that is imported the sorted set
// of members selected from it.
func (r *reader) walk() map[string][]string {
	names := map[string]bool{}
	for _, spec := range r.tree.Imports {
		if spec.Name != nil {
			names[spec.Name.Name] = true
		} else if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			names[packageName(p)] = true
		}
	}
	sets := map[string][]string{}
	ast.Inspect(r.tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && names[x.Name] {
				sets[x.Name] = append(sets[x.Name], n.Sel.Name)
			}
		case *ast.CallExpr:
			r.call(n)
		}
		return true
	})
	for name, list := range sets {
		sort.Strings(list)
		sets[name] = slices.Compact(list)
	}
	return sets
}

func (r *reader) line(p token.Pos) int { return r.file.Line(p) }

func (r *reader) offset(p token.Pos) int {
	return min(max(r.file.Offset(p), 0), len(r.src))
}

// docText is a comment group's text with directives left out.
func docText(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(g.Text(), "�"))
}

// normal removes what formatting can change in a documentation comment: blanks at line ends.
func normal(doc string) string {
	lines := strings.Split(doc, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Join(lines, "\n")
}
