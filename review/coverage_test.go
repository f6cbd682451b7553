package review

import (
	"fmt"
	"strings"
	"testing"
)

func TestLanguageOf(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"a/b.go": "Go", "x.PY": "Python", "a.d.ts": "TypeScript", "docs/a.md": "Markdown", "lib/a.rb": "Ruby", "a.xyz": ".xyz", "Makefile": "Makefile",
		".env": ".env", "a." + strings.Repeat("x", 50): "other", "a.\x1b[0m": "other", "a.é": "other",
	} {
		if got := languageOf(file); got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
}

// TestCoverageIsBounded: files with many extensions are counted as other.
func TestCoverageIsBounded(t *testing.T) {
	t.Parallel()
	var c Coverage
	for i := range 100 {
		c.add(&coverage{Language: fmt.Sprintf(".%03d", i)})
		c.add(&coverage{Language: "Go", Examined: true})
	}
	if len(c.Missed) != mostLanguages+1 || Count(c.Missed) != 100 || len(c.Examined) != 1 || c.Examined[0].Files != 100 {
		t.Errorf("%+v", c)
	}
}
