package render

import (
	"slices"
	"strings"
	"testing"
)

// TestPassesOn lists the modules all of whose names others get from a module, on its page.
func TestPassesOn(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"package.json":      `{"name": "shop", "main": "src/index.ts"}`,
		"src/index.ts":      "export * from './add';\nexport * from './cart';\nexport * from './own';\nexport * from './part/one';\nexport { hide } from './more';\nimport * as only from './only';\nonly.run();\n",
		"src/own.ts":        "export const own = 1;\n",
		"src/add/index.ts":  "export function add() {}\n",
		"src/cart/index.ts": "export class Cart {}\n",
		"src/part/one.ts":   "export const one = 1;\n",
		"src/part/two.ts":   "export const two = 2;\n",
		"src/more/index.ts": "export function hide() {}\n",
		"src/only/index.ts": "export function run() {}\n",
		"lib/a.h":           "#include \"../inc/b.h\"\nint a(void);\n",
		"inc/b.h":           "int b(void);\n",
	}
	r := newRepo(t, files)
	nodes := r.nodes()
	if got, want := nodes["src"].PassesOn, []string{"src/add", "src/cart"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := nodes["lib"].PassesOn; got != nil {
		t.Errorf("of a header: %q", got)
	}
	page := r.pages("")["docs/causal/modules/src.md"]
	if want := "Callers also get all that these modules export:\n· [add](src/add.md)\n· [cart](src/cart.md)\n"; !strings.Contains(page, want) {
		t.Errorf("%q is not in\n%s", want, page)
	}
	faultless(t, r.pages(""), files)
}
