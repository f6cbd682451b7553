package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causaldocs/causal/render/pagecheck"
)

// TestThePageOfPrinciplesIsSound: a page of another plugin is held to what pages of living docs are held to.
func TestThePageOfPrinciplesIsSound(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(filepath.Join("..", "..", "review", "rules", "testdata", "principles.md"))
	if err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool { return strings.HasPrefix(name, ".causal/principles/demo-lint-") }
	for _, p := range pagecheck.Check([]pagecheck.Page{{Path: "docs/principles.md", Content: content}}, exists) {
		t.Errorf("line %d: %s", p.Line, p.What)
	}
}
