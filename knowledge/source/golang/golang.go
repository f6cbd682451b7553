// Package golang reads Go source with the standard library's parser.
package golang

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
	"github.com/causaldocs/causal/knowledge/source"
)

// Language reads Go. The zero value is ready to use.
type Language struct{}

// Name implements source.Language.
func (Language) Name() string { return "go" }

// Version implements source.Language.
func (Language) Version() int { return 45 }

// Extensions implements source.Language.
func (Language) Extensions() []string { return []string{".go"} }

// Manifests implements source.Language.
func (Language) Manifests() []string { return []string{"go.mod"} }

// Extract implements source.Language.
func (Language) Extract(ctx context.Context, name string, src []byte) source.File {
	if len(src) < longFile {
		return extract(name, src, false)
	}
	return abandonable(ctx, func() source.File { return extract(name, src, false) })
}

// extract reads a file. carefully treats the file as broken: it uses the tree instead of the tokens, and must give the
// same result.
func extract(name string, src []byte, carefully bool) source.File {
	test := strings.HasSuffix(name, "_test.go")
	if test && !bytes.Contains(src, []byte("\nfunc Example")) {
		return extractTest(name, src)
	}
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	out := source.File{
		Language:  "go",
		Package:   tree.Name.Name,
		Strict:    true,
		Generated: ast.IsGenerated(tree),
		Guard:     Guard(name, tree),
		Problem:   problem(err),
	}
	out.Test = test || forTests(out.Guard)
	file := fset.File(tree.FileStart)
	if file == nil {
		out.Content = source.DigestOf("unreadable", string(src))
		return out
	}
	r := &reader{src: src, file: file, tree: tree, out: out, broken: carefully || err != nil, walker: newWalker()}
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
	broken  bool // the tree has holes, and tokens and text may disagree with it
	ignored bool // excluded from every build
	out     source.File

	tokens  tokens
	hash    source.Hasher // of the current content
	symbol  source.Hasher // of a symbol's interface
	text    bytes.Buffer
	refs    refs
	symbols []source.Symbol
	ordered []source.Digest // declarations whose order matters
	free    []source.Digest // declarations in any order
	docs    []byte          // inner documentation of one declaration, framed
	specs   []piece
	walker  walker
}

func (r *reader) read() {
	r.out.Doc = r.docText(r.tree.Doc)
	directives := r.directives()
	r.tokens.src = r.src
	if r.out.Test {
		r.imports()
		r.tests()
		r.out.Content = source.TestContent(&r.out)
		return
	}
	r.walker.open(r)
	for _, d := range r.tree.Decls {
		r.decl(d)
	}
	r.out.Body = source.SortReferences(r.out.Body)
	r.imports()
	r.mergeSymbols()
	if !r.ignored {
		r.surface()
		r.unnamed()
		r.data()
	}
	r.sortFacts()
	r.fileContent(directives)
}

func (r *reader) fileContent(directives []string) {
	r.hash.Reset()
	r.hash.Add(r.out.Package)
	r.hash.Add(r.out.Doc)
	for _, d := range directives {
		r.hash.Add(d)
	}
	for _, imp := range r.importLines() {
		r.hash.Add(imp)
	}
	for _, d := range r.ordered {
		r.hash.Add(string(d))
	}
	slices.Sort(r.free)
	for _, d := range r.free {
		r.hash.Add(string(d))
	}
	if r.out.Problem != "" {
		r.hash.AddFramed(r.rescan(0, len(r.src)))
	}
	r.out.Content = r.hash.Sum()
}

// directives returns the tool directives of the file, and the preamble of cgo.
func (r *reader) directives() []string {
	var out []string
	for _, g := range r.tree.Comments {
		for _, c := range g.List {
			if !isDirective(c.Text) {
				continue
			}
			out = append(out, strings.TrimRight(c.Text, " \t\r"))
			r.ignored = r.ignored || ignoring.MatchString(c.Text)
		}
	}
	for _, d := range r.tree.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Doc != nil && importsC(g) {
			out = append(out, g.Doc.Text())
		}
	}
	return out
}

// ignoring matches the build constraint of a standalone program.
var ignoring = lazyregexp.New(`^//(?:go:build| \+build) ignore\w*\s*$`)

func isDirective(text string) bool {
	rest, ok := strings.CutPrefix(text, "//")
	if !ok || rest == "" {
		return false
	}
	switch rest[0] {
	case ' ':
		return strings.HasPrefix(rest, " +build ")
	case 'g':
		return strings.HasPrefix(rest, "go:")
	case 'e':
		return strings.HasPrefix(rest, "export ")
	case 'l':
		return strings.HasPrefix(rest, "line ")
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

func (r *reader) line(p token.Pos) int { return r.file.Line(p) }

func (r *reader) offset(p token.Pos) int {
	return min(max(r.file.Offset(p), 0), len(r.src))
}
