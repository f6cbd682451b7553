package manual_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/manual"
)

var names = map[string]bool{"SHOP_URL": true, "SHOP_TOKEN": true, "HTTPS": true, "server.port": true, "demo": true}

// TestFind: each form in which documents describe names.
func TestFind(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct{ file, content, want string }{
		"heading":            {"README.md", "# Shop\n\n## `SHOP_URL`\n\nThe address of the shop.\nIt has a default.\n\nMore.\n", "SHOP_URL #shop_url: The address of the shop. It has a default."},
		"heading of two":     {"README.md", "### SHOP_URL, `SHOP_TOKEN`\n\nBoth are needed.\n", "SHOP_TOKEN #shop_url-shop_token: Both are needed.|SHOP_URL #shop_url-shop_token: Both are needed."},
		"table":              {"README.md", "| Variable | Default | Description |\n|---|---|---|\n| `SHOP_URL` | a long value of words | Its address |\n", "SHOP_URL #: Its address"},
		"table, no head":     {"README.md", "| A | B |\n|---|---|\n| **SHOP_URL** (string) | The address of the shop. |\n", "SHOP_URL #: The address of the shop."},
		"list":               {"README.md", "## Env\n- `SHOP_URL`: its [address](x.md)\n- **SHOP_TOKEN** – what it sends\n  to the shop\n", "SHOP_TOKEN #env: what it sends to the shop|SHOP_URL #env: its address"},
		"sentence":           {"README.md", "`SHOP_URL` sets the address.\n", "SHOP_URL #: SHOP_URL sets the address."},
		"fence":              {"README.md", "```\nSHOP_URL=x  # the address of it\nexport SHOP_TOKEN=y\n```\n", "SHOP_TOKEN #: |SHOP_URL #: the address of it"},
		"a default before":   {"README.md", "## SHOP_URL\n\n_Default:_ `None`\n\nThe address of the shop.\n\n## SHOP_TOKEN\n\n**Default**: `x` and more\n\n## Other\n", "SHOP_TOKEN #shop_token: |SHOP_URL #shop_url: The address of the shop."},
		"key":                {"README.md", "- server.port: the port of it\n", "server.port #: the port of it"},
		"word":               {"README.md", "- demo: a word, not the key\n\nRun HTTPS or set SHOP_URL.\n", "SHOP_URL #: "},
		"within a paragraph": {"README.md", "It needs\nHTTPS: or nothing else at all.\n", ""},
		"word in code":       {"README.md", "## Options\n\n### Screen\n\n- `demo`: shows the shop\n\n## Carts\n\n- `demo`: another thing\n", "demo #screen: shows the shop"},
		"word of another":    {"api.md", "## Carts\n\n- `demo`: a field of the answer\n\nIt has a `demo`.\n", ""},
		"lines below titles": {"a.rst", "Shop\n~~~~\n\nCarts\n~~~~~\n\n- SHOP_URL: the address of it\n", "SHOP_URL #carts: the address of it"},
		"setext":             {"README.md", "Settings\n====\n\n## Settings\n\n- SHOP_URL: the address of it\n", "SHOP_URL #settings-1: the address of it"},
		"fence in a fence":   {"README.md", "````\n```\n## SHOP_TOKEN\n```\n````\n\n- SHOP_URL: the address of it\n", "SHOP_TOKEN #: |SHOP_URL #: the address of it"},
		"comment":            {"README.md", "<!-- SHOP_TOKEN: a note\nSHOP_TOKEN -->\n- SHOP_URL: the address of it\n", "SHOP_URL #: the address of it"},
		"leads to code":      {"README.md", "`SHOP_URL` is set like this:\n", "SHOP_URL #: "},
		"later description":  {"README.md", "Set SHOP_URL.\n\n## More\n\n- SHOP_URL: the address of it\n", "SHOP_URL #more: the address of it"},
		"listing in reST":    {"a.rst", "Variables\n=========\n\n::\n\n    SHOP_URL     The address (replaces -u)\n", "SHOP_URL #variables: The address (replaces -u)"},
		"directive":          {"a.rst", ".. envvar:: SHOP_URL\n\n   The address of it.\n", "SHOP_URL #: The address of it."},
		"definition":         {"a.rst", "``SHOP_URL``\n    The address of it.\n\nOther text.\n", "SHOP_URL #: The address of it."},
		"manual page":        {"shop.1", ".TP\n.B SHOP_URL\nThe address, see\n\\fBSHOP_TOKEN\\fR\\&.\n.br\nDefault is empty\\&.\n.TP\n.B HTTPS\n", "HTTPS #: |SHOP_URL #: The address, see SHOP_TOKEN. Default is empty."},
		"mdoc":               {"shop.1", ".It Ev SHOP_URL\nThe address of it.\n.El\n", "SHOP_URL #: The address of it."},
		"long":               {"README.md", "- SHOP_URL: " + strings.Repeat("This is a sentence. ", 20), "SHOP_URL #: " + strings.TrimSpace(strings.Repeat("This is a sentence. ", 12))},
	} {
		found := manual.Find(x.file, []byte(x.content), names)
		var got []string
		for _, n := range slices.Sorted(maps.Keys(found)) {
			got = append(got, n+" #"+found[n].Anchor+": "+found[n].Text)
		}
		if got := strings.Join(got, "|"); got != x.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, x.want)
		}
	}
}

// FuzzFind: whatever a document holds, a passage is about a name that was asked for, and short.
func FuzzFind(f *testing.F) {
	f.Add("README.md", "# SHOP_URL\n| `demo` | x |\n- HTTPS: y\n")
	f.Add("a.rst", "HTTPS\n=====\n\nSHOP_URL   x\n")
	f.Add("shop.1", ".B demo\nx\n.TP\n")
	f.Fuzz(func(t *testing.T, file, content string) {
		for name, p := range manual.Find(file, []byte(content), names) {
			if !names[name] || len(p.Text) > 300 {
				t.Errorf("%q: %q", name, p.Text)
			}
		}
	})
}
