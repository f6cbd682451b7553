// Package rust reads the declarations, references and imports of Rust source files, and resolves the imports in a
// Cargo workspace.
//
// It works on tokens without a syntax tree. A file is split once into tokens with linked brackets; a scan finds the
// items and skips bodies, and all data of an item comes from its tokens.
package rust

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Language reads Rust source files.
type Language struct{}

// Name implements source.Language.
func (Language) Name() string { return "rust" }

// Version implements source.Language.
func (Language) Version() int { return 35 }

// Extensions implements source.Language.
func (Language) Extensions() []string { return []string{".rs"} }

// Manifests implements source.Language.
func (Language) Manifests() []string { return []string{"Cargo.toml"} }

// Extract implements source.Language.
func (Language) Extract(ctx context.Context, name string, src []byte) source.File {
	var p problem
	meter := kernel.NewMeter(ctx, len(src))
	o := &outline{meter: &meter, src: src, problem: &p, keep: inTestFolder(name)}
	o.toks = balance(src, lex(&meter, src, &p), &p)
	f := source.File{Language: "rust", Scoped: true, Tests: o.testNames(), Generated: source.HasGenerator(src, "//")}
	o.run()
	f.Test = o.keep || o.testing || len(f.Tests) > 0 && o.onlyTests(name)
	if f.Test {
		o.unskip()
	}
	f.Guard = o.cfg(0, o.innerEnd(0))
	f.Imports = o.imports()
	f.Problem = p.String()
	if f.Test {
		f.Content = source.TestContent(&f)
		return f
	}
	o.frame()
	f.Doc = o.doc(0, o.innerEnd(0), innerDoc)
	f.Symbols = o.symbols()
	o.bodies(&f)
	f.Symbols = append(f.Symbols, o.expanded(f.Symbols)...)
	f.Problem = p.String()
	slices.SortStableFunc(f.Symbols, func(a, b source.Symbol) int { return a.Line - b.Line })
	f.Facts = o.facts(name)
	if guard, ok := mainGuard(f.Symbols); ok && isEntry(name) {
		f.Main, f.MainGuard = true, guard
	}
	h := source.NewHasher()
	o.content(h, 0, len(o.toks))
	for _, t := range f.Tests {
		h.Add(t)
	}
	if f.Generated {
		h.Add("generated")
	}
	f.Content = h.Sum()
	return f
}

// unskip restores test-only code in a test file.
func (o *outline) unskip() {
	for i := range o.toks {
		o.toks[i].skip = false
	}
}
