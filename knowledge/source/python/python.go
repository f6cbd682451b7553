// Package python reads Python source files: declarations with signatures and docstrings, imports with the members that
// are used, the behaviour surface, and digests that separate changes of meaning from changes of formatting. It reads a
// file in one pass without a syntax tree: the lexer splits it into logical lines, and the outline collects
// declarations at module and class level.
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
func (Language) Version() int { return 37 }

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
	return f
}
