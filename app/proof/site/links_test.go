package site

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func built(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	s, err := read(built(map[string]string{
		"index.html":         `<h1 id="top">A</h1><a href="more/">b</a><a href="more/#part">b</a><a href="#top">a</a><img src="a.png"><a href="https://example.com/x#y">out</a>`,
		"more/index.html":    `<h2 id="part">B</h2><a href="../#nowhere">a</a><a href="gone/">c</a><a href="..">a</a><script src="/lost.js"></script>`,
		"a.png":              "",
		"assets/style.css.x": "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"more/index.html: ../#nowhere is not an anchor", "more/index.html: /lost.js is not a file", "more/index.html: gone/ is not a file",
	}
	if got := s.broken(); !slices.Equal(got, want) {
		t.Errorf("broken are %q, want %q", got, want)
	}
	if links, anchors := s.counts(); links != 8 || anchors != 3 {
		t.Errorf("%d links, %d of them to an anchor", links, anchors)
	}
}

// TestDifferencesFromGitHub compares pages with their HTML as a site generator makes it.
func TestDifferencesFromGitHub(t *testing.T) {
	t.Parallel()
	pages := built(map[string]string{
		"index.md": "---\na: b\n---\n# Shop\n\nIt `sells`.\n\n- one\n- two\n", "modules/cart.md": "---\na: b\n---\n# Cart\n\n- one\n",
	})
	same := map[string]string{
		"index.html":              `<body><nav>x</nav><article><h1>Shop<a class="headerlink">¶</a></h1><p>It <code>sells</code>.</p><ul><li>one</li><li>two</li></ul></article></body>`,
		"modules/cart/index.html": `<body><article><h1>Cart</h1><ul><li>one</li></ul></article></body>`,
	}
	if got := differences(t, pages, built(same)); len(got) > 0 {
		t.Errorf("found %v in pages that show the same", got)
	}
	same["modules/cart/index.html"] = `<body><article><h1>Cart</h1><p>- one</p></article></body>`
	got := differences(t, pages, built(same))
	if len(got) != 1 || !strings.Contains(got["modules/cart.md"], "-one") {
		t.Errorf("found %v", got)
	}
}
