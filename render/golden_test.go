package render

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/pagecheck"
)

// TestPagesGolden renders the repositories of testdata/repos and compares with testdata/pages.
func TestPagesGolden(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"go", "python", "typescript", "java", "rust", "c"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			files := filesIn(t, "testdata/repos/"+language)
			r := newRepo(t, files)
			pages := r.pages(files["README.md"])
			for name, text := range pages {
				golden(t, "testdata/pages/"+language+"/"+strings.TrimPrefix(name, "docs/causal/"), text)
			}
			faultless(t, pages, files)
		})
	}
}

// pages renders all pages, by path.
func (r *repo) pages(readme string) map[string]string {
	r.t.Helper()
	nodes := r.nodes()
	g := r.graph()
	pages := map[string]string{
		r.config.Layout.Index():      entryOf(r.config, g, readme),
		r.config.Layout.ModuleList(): renderList(r.config, g),
	}
	var surfaces []surface
	for _, m := range slices.Sorted(maps.Keys(nodes)) {
		pages[r.config.Layout.Page(m)] = pageOf(r.config, nodes[m], g, nil)
		if text := encodeSurface(nodes[m]); text != "" {
			s, err := readSurface(m, text)
			if err != nil {
				r.t.Fatal(err)
			}
			surfaces = append(surfaces, s)
		}
	}
	for name, text := range map[string]string{
		CommandPage: renderCommands(r.config, surfaces, func(module, _ string, _ bool) string { return path.Base(module) }), operationPage: renderOperations(r.config, g, surfaces, settings{}, nil, nil, 0),
	} {
		if text != "" {
			pages[r.config.Layout.Overview(name)] = text
		}
	}
	return pages
}

// entryOf renders the entry page of a repository in which no module uses another.
func entryOf(c Config, g graph, readme string) string {
	x := indexPage{sheet: newSheet(c, g, c.Layout.Index()), intro: introduction{readme: survey.Readme{Path: "README.md", Content: []byte(readme)}}, usage: func(string) []string { return nil }, flows: func(string) []flow { return nil }}
	return x.render()
}

// faultless checks links, anchors and diagrams of pages against the files of a repository.
func faultless(t testing.TB, pages map[string]string, files map[string]string) {
	t.Helper()
	var list []pagecheck.Page
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		list = append(list, pagecheck.Page{Path: name, Content: []byte(pages[name])})
		if strings.Contains(pages[name], "\n\n\n") || !strings.HasSuffix(pages[name], "\n") || strings.HasSuffix(pages[name], "\n\n") {
			t.Errorf("%s has blank lines too many, or no end of line", name)
		}
	}
	exists := func(p string) bool {
		if _, ok := files[p]; ok || pages[p] != "" || strings.HasPrefix(p, ".causal/nodes/") {
			return true
		}
		p = strings.TrimSuffix(p, "/")
		return p == "." || p == "" || slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(f string) bool { return strings.HasPrefix(f, p+"/") })
	}
	for _, p := range pagecheck.Check(list, exists) {
		t.Errorf("%s:%d: %s: %s", p.Page, p.Line, p.What, strings.Split(pages[p.Page], "\n")[p.Line-1])
	}
}

// TestPagesAreFunctionsOfTheirNodes renders twice, and a third time from nodes that were updated from the first.
func TestPagesAreFunctionsOfTheirNodes(t *testing.T) {
	t.Parallel()
	files := filesIn(t, "testdata/repos/go")
	r := newRepo(t, files)
	first := r.pages(files["README.md"])
	if second := r.pages(files["README.md"]); !maps.Equal(first, second) {
		t.Error("a second run gives other pages")
	}
	again := newRepo(t, files)
	if second := again.pages(files["README.md"]); !maps.Equal(first, second) {
		t.Error("another process gives other pages")
	}
}

func TestLinksAreRelativeWithoutARemote(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"go", "python", "c"} {
		files := filesIn(t, "testdata/repos/"+language)
		r := newRepo(t, files)
		r.config.Repository = ""
		pages := r.pages(files["README.md"])
		faultless(t, pages, files)
		for name, text := range pages {
			if strings.Contains(text, "/blob/") || strings.Contains(text, "#L") {
				t.Errorf("%s has a permanent link", name)
			}
		}
	}
}

func TestPagesWithoutFrontMatter(t *testing.T) {
	t.Parallel()
	files := filesIn(t, "testdata/repos/go")
	r := newRepo(t, files)
	r.config.FrontMatter = false
	pages := r.pages(files["README.md"])
	faultless(t, pages, files)
	for name, text := range pages {
		if !strings.HasPrefix(text, keep.Mark+"\n# ") || !keep.Ours([]byte(text)) {
			t.Errorf("%s begins with %q", name, text[:min(80, len(text))])
		}
	}
}
