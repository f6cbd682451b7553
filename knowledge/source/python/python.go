// Package python reads Python source files: declarations with signatures and docstrings, imports with the members
// that are used, the behaviour surface, and the digests that tell a change of meaning from a change of formatting.
//
// A file is read in one pass: the lexer cuts it into logical lines of tokens, the outline walks the lines and keeps
// what is declared at module and class level. No syntax tree is built.
package python

import (
	"context"
	"math"
	"path"

	"github.com/causaldocs/causal/knowledge/source"
	kernel "github.com/causaldocs/causal/knowledge/source/token"
)

// Language reads Python source and stub files.
type Language struct{}

var _ source.Language = Language{}

// Name implements source.Language.
func (Language) Name() string { return "python" }

// Version implements source.Language.
func (Language) Version() int { return 18 }

// Extensions implements source.Language.
func (Language) Extensions() []string { return []string{".py", ".pyi"} }

// Manifests implements source.Language.
func (Language) Manifests() []string { return []string{"pyproject.toml", "setup.py", "setup.cfg"} }

// Extract implements source.Language.
func (l Language) Extract(ctx context.Context, name string, src []byte) source.File {
	f := source.File{Language: l.Name(), Scoped: true, Main: path.Base(name) == "__main__.py"}
	if len(src) > math.MaxInt32 {
		f.Test = namedAsTest(name)
		f.Problem = "line 1: the file is too large"
		f.Content = source.DigestOf(string(src))
		return f
	}
	meter := kernel.NewMeter(ctx, len(src))
	x := newReader(&meter, string(src), path.Base(name))
	x.lex()
	x.outline()
	x.finish(&f, name)
	x.release()
	return f
}
