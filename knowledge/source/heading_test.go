package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestHeadings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{
		{"a.md", "---\ntitle: x\n# no\n---\n# Shop\r\n\ntext\n\n## `open` ##\n### Deep\n", "1 Shop, 2 `open`, 3 Deep"},
		{"a.md", "Shop\n====\n\nHow\n---\n\ntwo lines\nof text\n---\n", "1 Shop, 2 How"},
		{"a.md", "| a |\n| --- |\n\n- item\n---\n\n---\n\n#hash\n", ""},
		{"a.md", "```sh\n# no\n~~~\n# no\n```\n# yes\n<!--\n# no\n-->\n<!-- a --> b\n# also\n", "1 yes, 1 also"},
		{"a.md", "> ```\n> # no\n> ```\n\n# yes\n", "1 yes"},
		{"a.md", "# open\n```\n# no\n", "1 open"},
		{"a.rst", "====\nShop\n====\n\nHow\n====\n\nDeep\n~~~~~~\n\nMore\n====\n\n# no\n\n.. code::\n\n    no\n    --\n", "1 Shop, 2 How, 3 Deep, 2 More"},
		{"a.md", "A\n===\n\n`x`\n---\n\n* a\n---\n\n===\n---\n", "1 A, 2 `x`"},
		{"a.rst", "``open``\n========\n\n====\n----\n", "1 ``open``"},
		{"a.rst", "longer than\n===\n\nGrüße\n-----\n", "1 Grüße"},
		{"a.md", "", ""},
		{"a.adoc", "= Shop (1)\n:toc:\n\n[source]\n----\n== no\n----\n\n== How ==\n====\n=== In it\n====\n////\n== no\n////\nOld\n~~~\n\n[x,y]\n-----\n== no\n-----\n```sh\n== no\n```\n", "1 Shop (1), 2 How, 3 In it, 3 Old"},
	} {
		var got []string
		for _, h := range Headings(test.name, []byte(test.content)) {
			got = append(got, fmt.Sprintf("%d %s", h.Level, h.Written))
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%q:\ngot  %q\nwant %q", test.content, strings.Join(got, ", "), test.want)
		}
	}
}

// TestAnchorsOfHeadings: a heading is no list and no sentence, and repeated ones are numbered.
func TestAnchorsOfHeadings(t *testing.T) {
	t.Parallel()
	var got []string
	for _, h := range slices.Concat(Headings("a.adoc", []byte("== The shop's v1.2 -- `open()`\n== A\n== A\n[#all]\n== More\n[[b]]\ntext\n== link:x[B] c\n")), Headings("a.md", []byte("# 1. Set up\n## Why? Because\n## [Docs](x) & **more**\n## `a`\n## `a`\n")), Headings("a.rst", []byte("`gevent <http://x.y>`__\n=======================\n"))) {
		got = append(got, h.Text+" #"+h.Anchor)
	}
	if want := "The shop's v1.2 -- open() #the-shops-v1-2-open|A #a|A #a-2|More #all|B c #b-c|1. Set up #1-set-up|Why? Because #why-because|Docs & more #docs--more|a #a|a #a-1|gevent #gevent"; strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

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
		for _, d := range DescribedHeadings([]byte(content)) {
			got = append(got, fmt.Sprintf("%s #%s: %s", d.Name, d.Anchor, d.Text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q:\ngot  %q\nwant %q", content, strings.Join(got, "|"), want)
		}
	}
}
