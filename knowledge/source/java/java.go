// Package java reads Java sources: declarations, references, imports, and the behaviour surface of common frameworks.
// It works on tokens and an outline of the declarations, without a syntax tree. A second pass over the bodies
// collects references; names are resolved only within the file.
package java

import (
	"context"
	"path"

	"github.com/causaldocs/causal/knowledge/ddl"
	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Language reads Java, up to the syntax of Java 25.
type Language struct{}

var _ source.Language = Language{}

// Name implements source.Language.
func (Language) Name() string { return "java" }

// Version implements source.Language.
func (Language) Version() int { return 29 }

// Extensions implements source.Language.
func (Language) Extensions() []string { return []string{".java"} }

// Manifests implements source.Language: only module declarations, because packages are found by directory.
func (Language) Manifests() []string { return []string{moduleInfo} }

// Extract implements source.Language.
func (Language) Extract(ctx context.Context, name string, src []byte) source.File {
	u := read(kernel.NewMeter(ctx, len(src)), string(src))
	p := &parser{unit: u, base: path.Base(name)}
	p.run()
	f := source.File{
		Language:  "java",
		Package:   p.pkg,
		Test:      p.isTest(name),
		Generated: source.HasGenerator(u.src, "//") || p.generated,
		Main:      p.main,
		Tests:     source.Unique(p.tests),
		Imports:   append(p.imports, u.qualifiedUses(p.imports)...),
		Problem:   u.problem.String(),
	}
	if p.docOf >= 0 {
		f.Doc = u.fileDoc(p.docOf, p.base)
	}
	if !f.Test {
		f.Facts = u.facts(p)
	}
	if f.Test && p.pkg != "" {
		f.Imports = append(f.Imports, p.packageUses()...)
	}
	d := newDigester(u)
	f.Symbols = symbols(p, d)
	ddl.Describe(f.Facts, f.Symbols)
	f.Content = d.file(f)
	p.bodies(&f)
	return f
}
