package api

import (
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sync"
)

// mostParsed is how many bytes of Go source are kept parsed for the packages of one run. Trees without the bodies of functions take
// twice that. It is several times what one package may be compared with.
const mostParsed = 64 << 20

// Parsed is the Go source that one run has parsed, in both versions: packages import the same ones, and most files do not differ.
// What a package is compared by is read again for each, so that it is evidence of each. It is safe for concurrent use.
type Parsed struct {
	mu    sync.Mutex
	trees *trees
}

// current is what is kept, anew where that has become too much. Who has the former goes on with it.
func (p *Parsed) current() *trees {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trees == nil || p.trees.full() {
		p.trees = &trees{fset: token.NewFileSet(), files: map[parsedFile]func() (*ast.File, error){}}
	}
	return p.trees
}

// trees are the parsed files of one set of positions. Nobody changes them.
type trees struct {
	fset  *token.FileSet
	mu    sync.Mutex
	files map[parsedFile]func() (*ast.File, error)
	bytes int
}

// parsedFile identifies a file: positions have its name.
type parsedFile struct {
	name    string
	content [sha256.Size]byte
}

func (t *trees) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes > mostParsed
}

// parse returns the tree of a file without the bodies of functions.
func (t *trees) parse(name string, text []byte) (*ast.File, error) {
	key := parsedFile{name, sha256.Sum256(text)}
	t.mu.Lock()
	once := t.files[key]
	if once == nil {
		once = sync.OnceValues(func() (*ast.File, error) { return parseOutline(t.fset, name, text) })
		t.files[key] = once
		t.bytes += len(text)
	}
	t.mu.Unlock()
	return once()
}

func parseOutline(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			d.Body = nil
		}
	}
	return f, nil
}

// withOwnImports is a tree whose imports can be given names: what they are called depends on who can be loaded.
func withOwnImports(f *ast.File) *ast.File {
	own := *f
	own.Imports, own.Decls = nil, slices.Clone(f.Decls)
	for i, d := range own.Decls {
		list, ok := d.(*ast.GenDecl)
		if !ok || list.Tok != token.IMPORT {
			continue
		}
		imports := *list
		imports.Specs = slices.Clone(list.Specs)
		for j, s := range imports.Specs {
			spec := *s.(*ast.ImportSpec)
			imports.Specs[j] = &spec
			own.Imports = append(own.Imports, &spec)
		}
		own.Decls[i] = &imports
	}
	return &own
}
