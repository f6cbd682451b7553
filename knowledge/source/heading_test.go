package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/markdown"
)

// TestDescribedHeadings: a heading is about a symbol if it can be nothing else.
func TestDescribedHeadings(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		"# Shop\n\n## request.header\n\nThe header.\n\n### More\n\nNot this.\n": "request.header #requestheader: The header.",
		"## `open(path)`\nOpens it.\n":                                          "open #openpath: Opens it.",
		"## open(path: string): Cart\nOpens it.\n":                              "open #openpath-string-cart: Opens it.",
		"## `Cart#add`\n\nAdds.\n\n```js\n# no heading\n```\n":                  "Cart.add #cartadd: Adds.\n\n```js\n# no heading\n```",
		"## shop::open\nOpens it.\n":                                            "shop.open #shopopen: Opens it.",
		"## `options`\nThey are.\n\n## Options\nProse.\n":                       "options #options: They are.",
		"## Open a cart\nProse.\n\n## e.g.\nProse.\n\n## Opening (all)\n":       "",
		"## request.url=\nSets it.\n\n## request.url\nThe address.\n":           "request.url #requesturl: Sets it.|request.url #requesturl-1: The address.",
		"## shop.empty\n\n## shop.more\nText.\n":                                "shop.more #shopmore: Text.",
	} {
		var got []string
		for _, d := range DescribedHeadings([]byte(content), &markdown.Slugger{}) {
			got = append(got, fmt.Sprintf("%s #%s: %s", d.Name, d.Anchor, d.Text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q:\ngot  %q\nwant %q", content, strings.Join(got, "|"), want)
		}
	}
}
