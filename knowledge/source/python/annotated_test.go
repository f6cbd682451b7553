package python

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

func TestDocumentationInTypes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, signature, doc string }{
		{"alone", "def f(a: Annotated[int, Doc(\"The a.\")] = 3, b: str = ''): pass",
			"def f(a: int = 3, b: str = '')", ":param a: The a."},
		{"with a docstring", "def f(a: t.Annotated[list[int], Doc('''\n  The a.\n\n  More.\n  ''')]):\n  \"\"\"Runs.\"\"\"",
			"def f(a: list[int])", "Runs.\n\n:param a: The a.\n\n    More."},
		{"beside others", "def f(a: Annotated[int, Gt(0), doc.Doc(\"The a.\"), Lt(9)]): pass",
			"def f(a: Annotated[int, Gt(0), Lt(9)])", ":param a: The a."},
		{"of two", "def f(a: Annotated[int, Doc(\"A.\",)], *, b: Annotated[int, Doc(\"B.\"),] = 1) -> int: pass",
			"def f(a: int, *, b: int = 1) -> int", ":param a: A.\n:param b: B."},
		{"none", "def f(a: Annotated[int, Gt(0)], b: Doc(\"x\")): pass",
			"def f(a: Annotated[int, Gt(0)], b: Doc(\"x\"))", ""},
		{"not a text", "def f(a: Annotated[int, Doc(x)]): pass", "def f(a: Annotated[int, Doc(x)])", ""},
		{"not finished", "def f(a: Annotated[int, Doc('x'", "def f(a: Annotated[int, Doc('x'", ""},
	}
	for _, test := range tests {
		f, err := source.Extract(t.Context(), Language{}, "a.py", []byte(test.src+"\n"))
		if err != nil || len(f.Symbols) != 1 {
			t.Errorf("%s: %d symbols: %v", test.name, len(f.Symbols), err)
			continue
		}
		if s := f.Symbols[0]; s.Signature != test.signature || s.Doc != test.doc {
			t.Errorf("%s: got %q with %q", test.name, s.Signature, s.Doc)
		}
	}
}
