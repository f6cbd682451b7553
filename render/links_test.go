package render

import (
	"testing"

	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
)

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{"docs/causal/index.md", "docs/causal/modules/a.md", "modules/a.md"},
		{"docs/causal/modules/a.md", "docs/causal/modules/b.md", "b.md"},
		{"docs/causal/modules/a/b.md", "docs/causal/modules/a.md", "../a.md"},
		{"docs/causal/modules/a.md", "docs/causal/modules/a/b.md", "a/b.md"},
		{"docs/causal/modules/_root.md", "main.go", "../../../main.go"},
		{"index.md", "main.go", "main.go"},
		{"docs/a.md", "docs", "../docs"},
		{"a/a/a.md", "a/a", "../a"},
		{"docs/index.md", "a b/c#d?e.go", "../a%20b/c%23d%3Fe.go"},
		{"docs/index.md", "größe/(x).go", "../gr%C3%B6%C3%9Fe/%28x%29.go"},
	} {
		if got := relative(c.from, c.to); got != c.want {
			t.Errorf("from %s to %s: got %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

func TestFileLink(t *testing.T) {
	t.Parallel()
	web := Config{Repository: "https://example.com/acme/shop", Layout: store.Layout{Docs: "docs/causal"}}
	local := Config{Layout: web.Layout}
	const page = "docs/causal/modules/money.md"
	for _, c := range []struct {
		config              Config
		file, commit, lines string
		want                string
	}{
		{web, "money/a.go", "abc", "10-20", "https://example.com/acme/shop/blob/abc/money/a.go#L10-L20"},
		{web, "money/a.go", "abc", "10-10", "https://example.com/acme/shop/blob/abc/money/a.go#L10"},
		{web, "money/a.go", "abc", "", "https://example.com/acme/shop/blob/abc/money/a.go"},
		{web, "money/a b%.go", "abc", "1-2", "https://example.com/acme/shop/blob/abc/money/a%20b%25.go#L1-L2"},
		{web, "money/a.go", "", "10-20", "../../../money/a.go"},
		{local, "money/a.go", "abc", "10-20", "../../../money/a.go"},
	} {
		if got := c.config.fileLink(page, c.file, c.commit, c.lines); got != c.want {
			t.Errorf("%s at %q, lines %q: got %s, want %s", c.file, c.commit, c.lines, got, c.want)
		}
	}
}

func TestDirectoryLinks(t *testing.T) {
	t.Parallel()
	web := newSheet(Config{Repository: "https://example.com/acme/shop"}, nil, "docs/causal/modules/x.md")
	for dir, want := range map[string]string{".": "../../../", "money": "../../../money/", "a b/c": "../../../a%20b/c/", "docs": "../../../docs/"} {
		if got := web.dirLink(dir); got != want {
			t.Errorf("%s: got %s, want %s", dir, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"a/b": "a/b", ".": ".", "a b": "'a b'", "it's": `'it'\''s'`, "$x": "'$x'", "a;b": "'a;b'", "it's \xff": `$'it\'s \xff'`} {
		if got := shellWord(word); got != want {
			t.Errorf("%q: got %s, want %s", word, got, want)
		}
	}
}

// TestAnchors checks the anchors of headings in page order. If GitHub and Python-Markdown make different anchors of a heading, the page
// adds one.
func TestAnchors(t *testing.T) {
	t.Parallel()
	p := &page{}
	p.heading(2, "Overview")
	for _, c := range [][2]string{
		{"Parse", "parse"}, {"cart.total", "carttotal"}, {"_private", "_private"}, {"operator new", "operator-new"},
		{"parse", ownAnchor + "parse-1"}, {"Overview", ownAnchor + "overview-1"}, {"Größe", ownAnchor + "größe"},
		{"operator -=", ownAnchor + "operator--"}, {"operator==", "operator"}, {"operator!=", ownAnchor + "operator-1"}, {"a -> b", ownAnchor + "a---b"},
		{"->", ownAnchor + "-"}, {"<T>", "t"}, {"[]", ownAnchor}, {"symbol-V.is", ownAnchor + "symbol-vis"},
	} {
		if got := p.anchor(c[0]); got != c[1] {
			t.Errorf("%q has the anchor %q, want %q", c[0], got, c[1])
		}
	}
}

// TestModuleLink: an old text that is kept may name a module that has gone.
func TestModuleLink(t *testing.T) {
	t.Parallel()
	p := modulePage(Config{Layout: store.Layout{Docs: "docs/causal"}}, newOutline(&node.Node{Path: "db"}, undivided), &fakeGraph{list: []Summary{{Path: "cart"}}})
	for module, want := range map[string]string{"cart": "[cart](cart.md)", "gone": "gone"} {
		if got := p.moduleLink(module); got != want {
			t.Errorf("%s: got %s, want %s", module, got, want)
		}
	}
}
