package render

import (
	"fmt"
	"strings"
	"testing"
)

func documentsPageIn(t *testing.T, files blobs) string {
	t.Helper()
	f := &facts{r: files}
	page := renderDocuments(Config{Layout: layout}, outlinesOf(f))
	if f.err != nil {
		t.Fatal(f.err)
	}
	_, page, _ = strings.Cut(page, "derived from the code.\n\n")
	return page
}

func TestDocumentsPage(t *testing.T) {
	t.Parallel()
	got := documentsPageIn(t, blobs{
		"README.md":      "# Shop\n\n## Install <b>it</b>\n\n### With `make`\n\n## [Docs](docs)\n\n## Install <b>it</b>\n",
		"docs/set_up.md": "# Set the shop up\n\n## First\n", "docs/faq.md": "# Who?\n\n# Why?\n", "docs/short.md": "Text.\n", "docs/sub/index.rst": "Sub\n===\n",
		"CONTRIBUTING.md": "# Help\n", "man/shop-x.1": "# no\n", "man/shop-y.1.adoc": "= SHOP-Y 1\n\n== What\n", "CHANGELOG.md": "# 1.0\n", "README.de.md": "# Laden\n", "docs/tests/x.md": "# X\n", "examples/README.md": "# E\n",
	})
	want := strings.Join([]string{
		"## [Readme](../../README.md) `README.md`\n",
		"- [Install it](../../README.md#install-it)",
		"    - [With make](../../README.md#with-make)",
		"- [Docs](../../README.md#docs)",
		"- [Install it](../../README.md#install-it-1)\n",
		"## [Help](../../CONTRIBUTING.md) `CONTRIBUTING.md`\n",
		"## [Faq](../faq.md) `docs/faq.md`\n",
		"- [Who?](../faq.md#who)",
		"- [Why?](../faq.md#why)\n",
		"## [Set the shop up](../set_up.md) `docs/set_up.md`\n",
		"- [First](../set_up.md#first)\n",
		"## [Short](../short.md) `docs/short.md`\n",
		"## [Shop-x.1](../../man/shop-x.1) `man/shop-x.1`\n",
		"## [Shop-y.1](../../man/shop-y.1.adoc) `man/shop-y.1.adoc`\n",
		"- [What](../../man/shop-y.1.adoc#what)\n",
		"## [Sub](../sub/index.rst) `docs/sub/index.rst`\n",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := documentsPageIn(t, blobs{"README.md": "# Shop\n\n## Install\n"}); got != "" {
		t.Errorf("a README with one section has the page\n%s", got)
	}
}

// TestManyHeadings: a long document loses its deepest headings first, and many documents have fewer each.
func TestManyHeadings(t *testing.T) {
	t.Parallel()
	deep := "# T\n"
	for i := range 150 {
		deep += fmt.Sprintf("## H%d\n### D%d\n", i, i)
	}
	got := documentsPageIn(t, blobs{"docs/deep.md": deep})
	if !strings.Contains(got, "#h149)\n- and 150 more headings\n") || strings.Contains(got, "[D1]") {
		t.Errorf("a long document:\n%s", got)
	}
	files := blobs{}
	for i := range 40 {
		files[fmt.Sprintf("docs/d%d.md", i)] = deep
	}
	got = documentsPageIn(t, files)
	if n := strings.Count(got, "\n"); n > mostHeadings || !strings.Contains(got, "- [H11](../d39.md#h11)\n- and 288 more headings\n") {
		t.Errorf("%d lines:\n%s", n, got)
	}
}
