package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/cli"
)

// TestNamesThatAreNoText: a path is bytes. One that is no UTF-8 has its node and its page like any other, links lead to it, and
// the next run, also one that remembers nothing, finds nothing to do.
func TestNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	if err := os.WriteFile(filepath.Join(t.TempDir(), "\xff"), nil, 0o644); err != nil {
		t.Skipf("this file system has no such names: %v", err)
	}
	r := newShop(t)
	r.writeAll(map[string]string{
		"money/o\xffdd.go":       "package money\n\n// Odd is odd.\nfunc Odd() {}\n",
		"money/o\xff_test.go":    "package money\n\nimport \"testing\"\n\nfunc TestOdd(t *testing.T) {}\n",
		"money/listed\xff.rb":    "class X; end\n",
		"d\xffir/in.go":          "// Package in is odd.\npackage in\n\nimport \"example.com/shop/cart\"\n\n// Of is of carts.\nfunc Of() { cart.Total(1) }\n",
		"d\xffir/sub/README.md":  "# Sub\n\nIt is below.\n",
		"d\xffir/sub/b\xfe.py":   "def g():\n    \"Do g.\"\n",
		"d\xfeir/in.go":          "package in\n\nimport _ \"example.com/shop/cart\"\n\n// In is in.\nfunc In() {}\n",
		"broken/b\xff.go":        "package broken\n\nfunc (\n",
		"cart/naïve \xc3.go":     "package cart\n\n// Naive is.\nfunc Naive() {}\n",
		"cart/testdata/\xff.txt": "",
	})
	r.commit("Odd names")
	r.update()
	if want := []string{"broken", "cart", "d%FEir", "d%FFir", "d%FFir/sub", "money"}; !slices.Equal(r.nodes(), want) {
		t.Errorf("nodes %q, want %q", r.nodes(), want)
	}
	for name, text := range map[string]string{
		"docs/causal/modules/money.md":      "[`\"o\\xffdd.go\"`](../../../money/o%FFdd.go)",
		"docs/causal/modules/d%FFir.md":     "[`\"d\\xffir\"`](../../../d%FFir/)",
		"docs/causal/modules/d%FFir/sub.md": "[`\"b\\xfe.py\"`](../../../../d%FFir/sub/b%FE.py)",
		"docs/causal/modules/cart.md":       "[\"d\\\\xffir\"](d%25FFir.md)",
		"docs/causal/modules/README.md":     "[`\"d\\xffir\"`](d%25FFir.md)",
		".causal/nodes/d%FFir.yml":          `path: '"d\xffir"'`,
	} {
		if !strings.Contains(r.read(name), text) {
			t.Errorf("%s does not hold %s:\n%s", name, text, r.read(name))
		}
	}
	r.causal(cli.ExitClean, "check")
	if got := r.update(); !strings.Contains(got.out, "nothing was written") {
		t.Errorf("a second update wrote something:\n%s", got)
	}
	sameAsScratch(t, r)

	r.commit("Document them")
	clone := &repo{t: t, dir: filepath.Join(t.TempDir(), "clone"), now: r.now}
	r.git("clone", "--quiet", r.dir, clone.dir)
	clone.causal(cli.ExitClean, "check")
	for target, want := range map[string]string{
		"d\xffir": `d\xffir is fresh.`, "d\xffir/in.go": `a source of d\xffir`, "money/o\xffdd.go": "statements from it\n  └─ Odd", "d\xffir/sub/b\xfe.py": "a source of",
		`page/"d\xffir"`: `d\xffir is fresh.`, `"d\xffir/in.go"`: `a source of d\xffir; gives its purpose`, `"d\xffir".Of`: `"Of is of carts."`,
	} {
		if got := clone.causal(cli.ExitClean, "why", target); !strings.Contains(got.out, want) {
			t.Errorf("why %q does not say %q:\n%s", target, want, got)
		}
	}
	session := strings.TrimSuffix(strings.TrimPrefix(r.git("ls-files", ".causal/frames"), ".causal/frames/"), ".yml")
	if got := clone.causal(cli.ExitClean, "trace", session); !strings.Contains(got.out, `module/"d\xffir"  [completed, holds`) {
		t.Errorf("the trace does not show it:\n%s", got)
	}

	r.write("money/o\xffdd.go", "package money\n\n// Odd is even.\nfunc Odd() { _ = 1 }\n")
	if got := r.causal(cli.ExitFindings, "check"); !strings.Contains(got.out, `money/o\xffdd.go`) {
		t.Errorf("the change of an odd file is not told:\n%s", got)
	}
	r.update()
	r.remove("d\xffir")
	r.update()
	if r.has("docs/causal/modules/d%FFir.md") || r.has(".causal/nodes/d%FFir.yml") {
		t.Error("a removed directory keeps its page or node")
	}
	r.causal(cli.ExitClean, "check")
	sameAsScratch(t, r)
}
