package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/causaldocs/causal/render/node"
)

func TestParameters(t *testing.T) {
	t.Parallel()
	for signature, want := range map[string]string{
		"def f()":                            "",
		"def f(a, b=1)":                      "a b=",
		"def f(a, /, *, b: int = 1) -> None": "a b=",
		"def f(self, *args: t.Any, **more: dict[str, int])":         "self *args **more",
		"def f(a: Callable[[int], str] = lambda x: x, b: X = (1,))": "a= b=",
		"def f(a: Annotated[int, Field(default=1)])":                "a",
		"limit = 1": "",
	} {
		if got := parameters(&symbol{Symbol: node.Symbol{Signature: signature}}); got != want {
			t.Errorf("%s: %q, want %q", signature, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := filepath.Join(dir, "docs", "causal", "modules", "shop.md")
	if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "### Open\n\nOpen opens the shop in the morning, see [`Close`](#close). It rings the bell twice.\n"
	if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	pages, err := pagesOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	shown := func(name, signature string) symbol {
		return symbol{Symbol: node.Symbol{Name: name, As: []string{"shop." + name}, Signature: signature}}
	}
	symbols := []symbol{shown("Open", "func Open(at int)"), shown("Close", "func Close()")}
	told := account{
		public: map[string]bool{"shop.Open": true, "shop.Close": true, "shop.Gone": true},
		told: map[string]telling{
			"shop.Open":  {signature: "funcOpen(atint)", doc: "Open opens the shop in the morning, see [Close].\nIt rings the bell twice."},
			"shop.Close": {signature: "funcClose(atint)", doc: "Close lets nobody in any more. Ends."},
			"shop.Gone":  {signature: "funcGone()", doc: "Gone is nowhere to be seen."},
		},
		alike: equal(squeezed),
	}
	want := "  signatures 0.500 (1 of 2), documentation 0.500 (1 of 2)\n  other signature: shop.Close\n  documentation not whole: shop.Close\n"
	if got := complete(told, symbols, pages); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
