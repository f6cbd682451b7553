package markdown

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPatternsCompile: a mistake in a pattern must show here and not when it is first used.
func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	literal := regexp.MustCompile("lazy\\((?:`([^`]*)`|\"([^\"]*)\")\\)")
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := regexp.Compile(m[1] + m[2]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if strings.HasSuffix(name, "_test.go") || name == "pattern.go" {
			continue
		}
		if strings.Contains(string(text), "regexp.MustCompile") {
			t.Errorf("%s compiles a pattern at start", name)
		}
	}
	if found < 20 {
		t.Errorf("only %d patterns found: does this test still know how they are written?", found)
	}
}
