package api

import (
	"crypto/sha256"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"sync"
)

// mostParsed limits the bytes of Go source whose trees one run keeps. Trees without function bodies take twice that.
// The limit is several times mostSource.
const mostParsed = 64 << 20

// Parsed caches the Go source that one run has parsed, in both versions, because packages share imports and most
// files do not differ. The source of each package is still read for every comparison, to record it as evidence. It is
// safe for concurrent use.
type Parsed struct {
	mu    sync.Mutex
	trees *trees
}

// current returns the cache, or a new one if it is full. Users of the old one keep it.
func (p *Parsed) current() *trees {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trees == nil || p.trees.full() {
		p.trees = &trees{fset: token.NewFileSet(), files: map[parsedFile]func() (*ast.File, error){}}
	}
	return p.trees
}

// trees holds parsed files with their positions. The files are immutable.
type trees struct {
	fset  *token.FileSet
	mu    sync.Mutex
	files map[parsedFile]func() (*ast.File, error)
	bytes int
}

// parsedFile identifies a file. The name matters because positions include it.
type parsedFile struct {
	name    string
	content [sha256.Size]byte
}

func (t *trees) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes > mostParsed
}

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

// withOwnImports copies a tree's imports, because their names depend on the loader.
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
