package workspace_test

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/workspace"
)

// FuzzParseTarget checks that no target leads outside of the repository, and that a parsed target formats to one that parses to the same.
func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{
		"money", "../money/money.go", "./x", ".", "..", "/etc/passwd", "/repo/cart#total", "a#b#c", "#", "--addr", "mio::Poll", "Parse()",
		"GET /total", "`x`", "@Test", "a\x00b", "\xff", "//x", "a//b/", "C:\\x", "....", "::", "docs/causal/modules/a.md#b",
	} {
		f.Add(seed, "src/click")
	}
	f.Fuzz(func(t *testing.T, text, in string) {
		root, err := filepath.Abs("/repo")
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(root, in)
		got := workspace.ParseTarget(root, dir, text)
		if !filepath.IsLocal(got.Dir) {
			t.Fatalf("%q in %q: seen from %q", text, in, got.Dir)
		}
		for _, p := range got.Paths {
			if !filepath.IsLocal(p) || path.Clean(p) != p {
				t.Fatalf("%q in %q leads to %q", text, in, p)
			}
			again := workspace.ParseTarget(root, root, filepath.Join(root, filepath.FromSlash(p)))
			clean := !strings.ContainsAny(p, "#\\") && strings.Trim(p, " \t\r\n`") == p
			if clean && !slices.Equal(again.Paths, []string{p}) {
				t.Fatalf("%q is %q when it is read again", p, again.Paths)
			}
		}
		if len(got.Paths) > 2 || strings.Contains(got.Name, "::") || strings.HasPrefix(got.Name, ".") {
			t.Fatalf("%q in %q is %+v", text, in, got)
		}
	})
}
