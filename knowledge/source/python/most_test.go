package python

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/source"
)

// TestManyDeclarations: no more declarations of a file are read than docs/limits.md says, and the file says where they end.
func TestManyDeclarations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"assignments": {strings.Repeat("a = 1\n", source.MostSymbols+1), "line 20001: " + source.TooManySymbols},
		"one line":    {strings.Repeat("a=", source.MostSymbols+1) + "1\n", "line 1: " + source.TooManySymbols},
		"functions":   {strings.Repeat("def f(): pass\n", source.MostSymbols+1), "line 20001: " + source.TooManySymbols},
		"as many":     {strings.Repeat("a = 1\n", source.MostSymbols), ""},
	} {
		f, err := source.Extract(t.Context(), Language{}, "a.py", []byte(c.text))
		if err != nil || f.Problem != c.problem || len(f.Symbols) != 1 {
			t.Errorf("%s: %d symbols, problem %q, %v", name, len(f.Symbols), f.Problem, err)
		}
	}
}

// TestManyFacts: no more variables of a file are listed than docs/limits.md says, and the file says so.
func TestManyFacts(t *testing.T) {
	t.Parallel()
	for extra, want := range map[int]bool{0: false, 1: true} {
		text := strings.Builder{}
		text.WriteString("import os\n")
		for i := range source.MostFacts + extra {
			fmt.Fprintf(&text, "os.environ['A%d']\n", i)
		}
		f, err := source.Extract(t.Context(), Language{}, "a.py", []byte(text.String()))
		if err != nil || len(f.Facts) != source.MostFacts || strings.HasPrefix(f.Problem, "there are more than 20000 routes") != want {
			t.Errorf("%d more: %d facts, problem %q, %v", extra, len(f.Facts), f.Problem, err)
		}
	}
}
