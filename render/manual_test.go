package render

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/node"
)

// TestManualsStandWithTheirSymbols checks that a description in a manual is shown as the documentation of its symbol, with the source, and
// makes the symbol public.
func TestManualsStandWithTheirSymbols(t *testing.T) {
	t.Parallel()
	r := newRepo(t, map[string]string{
		"pyproject.toml": "[project]\nname = \"shop\"\n",
		"shop.py":        "__all__ = ['buy']\n\ndef buy(what): pass\n\nclass Order:\n    def send(self, to): pass\n\n    def other(self): pass\n",
	})
	say := func(symbol, text string, line int) survey.Manual {
		return survey.Manual{Symbol: symbol, Path: "docs/api.rst", Digest: source.DigestOf(text), Text: text, Line: line, End: line + 9}
	}
	manual := []survey.Manual{
		say("shop.buy", "Buys it with :class:`Order`.\n\n:param what: what it is\n\nLike this::\n\n    buy(1)", 1), say("shop.Order.send", "Sends it.", 20),
	}
	r.manual = map[string][]survey.Manual{".": manual}
	r.examples = map[string][]survey.Example{".": {{Symbol: "shop.buy", Language: "python", Path: "docs/api.rst", Code: "buy(1)", Line: 8, End: 8}}}
	n := r.nodes()["."]
	text := pageOf(r.config, n, r.graph(), nil)
	from := "From [`docs/api.rst`](https://example.com/acme/shop/blob/" + headID + "/docs/api.rst#L1-L10):\n\nBuys it with `Order`.\n\n| Parameter | |\n|---|---|\n| `what` | what it is |\n\nLike this:\n\n```python\nbuy(1)\n```\n\n[Source]"
	for _, want := range []string{from, "#### `shop.Order.send`", "\n\nSends it.\n\n", "— Buys it with `Order`."} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%q is not there once:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Order.other") || strings.Contains(text, "### Inside") {
		t.Errorf("more is told of what callers do not reach:\n%s", text)
	}
	again, err := node.Decode(n.Encode())
	if err != nil || again.Digest != n.Digest {
		t.Errorf("it is read as another: %v", err)
	}
}

// TestManualsKeepTheirPlaces checks that the place of a description is at a commit, and changes only with the text.
func TestManualsKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	manual := []survey.Manual{{Symbol: "F", Path: "docs/a.rst", Digest: "f", Line: 9, End: 10}, {Symbol: "G", Path: "docs/a.rst", Digest: "g", Line: 1, End: 2}}
	n := &node.Node{Manual: manuals(manual)}
	was := &node.Node{Manual: []node.Described{{Symbol: "F", Path: "docs/a.rst", At: "old", Lines: "7-8"}, {Symbol: "G", Path: "docs/b.rst", At: "old", Lines: "1-2"}}}
	placesOfManual(manual, engine.Origin{Commit: "new", Permanent: true, Clean: func(string) bool { return true }}, was, n)
	if f, g := n.Manual[0], n.Manual[1]; f.At != "old" || f.Lines != "7-8" || g.At != "new" || g.Lines != "1-2" {
		t.Errorf("%+v", n.Manual)
	}
}
