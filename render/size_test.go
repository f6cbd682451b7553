package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/source"

	_ "github.com/causaldocs/causal/knowledge/rapidseed"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/testmode"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/render/pagecheck"
)

// mostPageBytes is the size limit for rendering on GitHub.
const mostPageBytes = 512_000

// largeModule is a module with many of everything.
func largeModule(language, ext string, symbols, files int) (*node.Node, *fakeGraph) {
	n := &node.Node{
		Module: "large", Path: "services/backend/large", Language: language, Purpose: "Holds everything.", PurposeFrom: node.FromDoc,
		Doc:                   "Holds everything.\n\n" + strings.Repeat("It holds *this* and _that_ <tag> [x].\n\n", 700),
		InvalidationCondition: `modified("services/backend/large/*")`,
	}
	for i := range files {
		n.Sources = append(n.Sources, node.Source{Path: fmt.Sprintf("services/backend/large/file%04d%s", i, ext), About: "Holds a part of everything."})
	}
	kinds := []source.Kind{source.Func, source.Struct, source.Const, source.Method, source.Var}
	for i := range symbols {
		n.PublicAPI = append(n.PublicAPI, node.Symbol{
			Name: fmt.Sprintf("Symbol%04d", i), Kind: kinds[i%len(kinds)], File: fmt.Sprintf("file%04d%s", i%files, ext), At: headID, Lines: "10-20",
			Signature: fmt.Sprintf("func Symbol%04d(first, second string, third ...int) (result map[string]string, err error)", i),
			Doc:       "Does one thing of many.\n\n" + strings.Repeat("At length it does more. ", 20), Aliases: []string{fmt.Sprintf("Other%d", i)},
		})
		n.Tests = append(n.Tests, fmt.Sprintf("TestSymbol%04d", i))
		n.Behaviour = append(n.Behaviour, node.Behavior{Kind: source.Env, Name: fmt.Sprintf("VARIABLE_%04d", i), File: fmt.Sprintf("file%04d%s", i%files, ext)})
		n.External = append(n.External, fmt.Sprintf("example.com/package/number%04d", i))
		n.InvalidationCondition += fmt.Sprintf(` or symbol_changed("services/other%04d", "Name")`, i)
		n.Dependencies = append(n.Dependencies, fmt.Sprintf("services/other%04d", i))
	}
	g := &fakeGraph{code: map[string][]string{n.Path: slices.Clone(n.Dependencies)}, tests: map[string][]string{n.Path: n.Dependencies}}
	return n, g
}

func TestNoPageIsTooLongToRead(t *testing.T) {
	t.Parallel()
	for language, ext := range map[string]string{"go": ".go", "python": ".py", "c": ".h", "java": ".java"} {
		for _, size := range [][2]int{{2000, 1000}, {300, 1}} {
			n, g := largeModule(language, ext, size[0], size[1])
			text := pageOf(newRepo(t, nil).config, n, g, nil)
			if len(text) > mostPageBytes {
				t.Errorf("%s with %d symbols in %d files: %d bytes", language, size[0], size[1], len(text))
			}
			if !strings.Contains(text, "`Symbol0001") || !strings.Contains(text, "file0000"+ext) {
				t.Errorf("%s with %d symbols in %d files: the page says nothing of what is there", language, size[0], size[1])
			}
			for _, p := range pagecheck.Check([]pagecheck.Page{{Path: "docs/causal/modules/services/backend/large.md", Content: []byte(text)}},
				func(string) bool { return true }) {
				if strings.HasPrefix(p.What, "the page has ") {
					continue // it is long, and says so
				}
				t.Errorf("%s: line %d: %s", language, p.Line, p.What)
			}
		}
	}
}

// repositoryOf builds a repository of modules that use the ones before them.
func repositoryOf(n int) *fakeGraph {
	g := &fakeGraph{}
	for i := range n {
		s := Summary{
			Path: fmt.Sprintf("area%d/team%d/module%03d", i%7, i%23, i), Title: fmt.Sprintf("module%03d", i), Language: "go",
			Purpose: "Does its part of the whole work of this repository.", Derived: i%3 == 0,
		}
		for _, back := range []int{1, 7, 50} {
			if i >= back {
				s.Deps = append(s.Deps, g.list[i-back].Path)
			}
		}
		g.list = append(g.list, s)
	}
	slices.SortFunc(g.list, func(a, b Summary) int { return strings.Compare(a.Path, b.Path) })
	return g
}

func TestIndexOfManyModules(t *testing.T) {
	t.Parallel()
	config := newRepo(t, nil).config
	for _, n := range []int{2, 20, 21, 500} {
		text := entryOf(config, repositoryOf(n), "# Large\n\nDoes a lot.")
		if n == 2 { // the areas of the others use each other in circles
			if boxes := strings.Count(diagramOf(t, text), "["); boxes != 2 {
				t.Errorf("%d modules: %d boxes", n, boxes)
			}
		}
		if rows := strings.Count(text, "\n| [`area"); rows > mostRead {
			t.Errorf("%d modules: %d rows on the entry page", n, rows)
		}
		if rows := strings.Count(renderList(config, repositoryOf(n)), "\n| [`area"); rows != n {
			t.Errorf("%d modules: %d rows", n, rows)
		}
		if n == 500 {
			golden(t, "testdata/index-500.md", text)
		}
	}
}

// TestIndexOfTooManyModules: the page can be shown however many modules there are, and none is left out without a word.
func TestIndexOfTooManyModules(t *testing.T) {
	t.Parallel()
	config := newRepo(t, nil).config
	several := regexp.MustCompile("(?m)^\\| `(.*)/…` \\| its modules have a page each \\|$")
	for _, n := range []int{4000, testmode.Of(8_000, 30_000)} {
		text := renderList(config, repositoryOf(n))
		if len(text) > 512_000 {
			t.Errorf("%d modules: %d bytes: the web does not show it", n, len(text))
		}
		modules := repositoryOf(n).Modules()
		told := strings.Count(text, "\n| [`area")
		for _, m := range several.FindAllStringSubmatch(text, -1) {
			for _, s := range modules {
				if strings.HasPrefix(s.Path, m[1]+"/") {
					told++
				}
			}
		}
		if told != n {
			t.Errorf("%d modules: %d are told of", n, told)
		}
	}
	wide := &fakeGraph{}
	for i := range 20_000 {
		wide.list = append(wide.list, Summary{Path: fmt.Sprintf("top%d/a%05d/b/c%d", i%9, i, i), Title: "c", Language: "go"})
	}
	if text := renderList(config, wide); len(text) > 512_000 || !strings.Contains(text, "| `top0/…` | its modules") {
		t.Errorf("%d bytes for modules that share no directory", len(text))
	}
}

// diagramOf is the first diagram of a page, which parses.
func diagramOf(t *testing.T, text string) string {
	t.Helper()
	_, after, found := strings.Cut(text, "```mermaid\n")
	fence, _, closed := strings.Cut(after, "\n```")
	if !found || !closed {
		t.Fatal("no diagram")
	}
	if err := pagecheck.Diagram(fence); err != nil {
		t.Fatal(err)
	}
	return fence
}

func TestPicture(t *testing.T) {
	t.Parallel()
	module := func(path, kind string, deps ...string) Summary {
		return Summary{Path: path, Title: "title of " + path, Kind: kind, Deps: deps}
	}
	for name, c := range map[string]struct {
		modules []Summary
		want    []string
	}{
		"nothing":             {nil, nil},
		"one":                 {[]Summary{module("a", "")}, nil},
		"two strangers":       {[]Summary{module("a", ""), module("b", "")}, nil},
		"a stranger":          {[]Summary{module("a", "", "b"), module("b", ""), module("c", "")}, []string{`n0["a"]`, `n1["b"]`, "n0 --> n1"}},
		"tests, examples":     {[]Summary{module("a", "", "b"), module("b", ""), module("t", kindTests, "a"), module("examples/x", "", "a")}, []string{`n0["a"]`, `n1["b"]`, "n0 --> n1"}},
		"the root":            {[]Summary{module(".", "", "end"), module("end", "")}, []string{`n0["title of ."]`, `n1["end"]`, "n0 --> n1"}},
		"itself":              {[]Summary{module("a", "", "a")}, nil},
		"names of a language": {[]Summary{module(`x"]; click`, "", "subgraph"), module("subgraph", "")}, []string{`n0["subgraph"]`, `n1["x#quot;]; click"]`, "n1 --> n0"}},
		"below one another":   {[]Summary{module("a", "", "a/b"), module("a/b", "", "a")}, nil},
		"a circle":            {[]Summary{module("a", "", "b"), module("b", "", "a", "c"), module("c", "")}, nil},
		"circles side by side": {
			[]Summary{module("s/a", "", "s/b", "s/c"), module("s/b", "", "s/a"), module("s/c", "", "s/d"), module("s/d", "", "s/c", "x"), module("x", "", "y"), module("y", "")},
			[]string{`n0["s/a, s/b"]`, `n1["s/c, s/d"]`, `n2["x"]`, `n3["y"]`, "n0 --> n1", "n1 --> n2", "n2 --> n3"},
		},
		"what follows": {[]Summary{module("a", "", "b", "c"), module("b", "", "c"), module("c", "")}, []string{`n0["a"]`, `n1["b"]`, `n2["c"]`, "n0 --> n1", "n1 --> n2"}},
	} {
		fence := picture(c.modules)
		var lines []string
		if fence != "" {
			all := strings.Split(fence, "\n")
			for _, l := range all[2 : len(all)-1] {
				lines = append(lines, strings.TrimSpace(l))
			}
		}
		if !slices.Equal(lines, c.want) {
			t.Errorf("%s: got %q, want %q", name, lines, c.want)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	config := newRepo(b, nil).config
	for _, language := range [][2]string{{"go", ".go"}, {"python", ".py"}} {
		n, g := largeModule(language[0], language[1], 300, 20)
		b.Run(language[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pageOf(config, n, g, nil)
			}
		})
	}
}

// TestEntryPageListsPagesOfOthers: while there are units that they are about.
func TestEntryPageListsPagesOfOthers(t *testing.T) {
	t.Parallel()
	c := Config{Layout: store.Layout{Docs: "docs"}, Others: []Other{{Kind: "others", Path: "docs/a b.md", Title: "A & B", About: "what *they* are"}}}
	if text := entryOf(c, repositoryOf(1), ""); !strings.Contains(text, " · [A & B](a%20b.md): what \\*they\\* are · ") {
		t.Errorf("the page is %q", text)
	}
}

// TestPictureTakesCirclesOfDirectoriesApart: directories may use each other where no module does.
func TestPictureTakesCirclesOfDirectoriesApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var modules []Summary
		n := rapid.IntRange(2, 40).Draw(t, "modules")
		for i := range n {
			s := Summary{Path: fmt.Sprintf("d%d/m%02d", rapid.IntRange(0, 12).Draw(t, "dir"), i)}
			for range rapid.IntRange(0, 3).Draw(t, "deps") {
				if i > 0 {
					s.Deps = append(s.Deps, modules[rapid.IntRange(0, i-1).Draw(t, "dep")].Path)
				}
			}
			modules = append(modules, s)
		}
		fence := picture(modules)
		arrows := map[string]map[string]int{}
		for _, m := range regexp.MustCompile(`(n\d+) --> (n\d+)`).FindAllStringSubmatch(fence, -1) {
			if arrows[m[1]] == nil {
				arrows[m[1]] = map[string]int{}
			}
			arrows[m[1]][m[2]] = 1
		}
		if circle := circleIn(arrows); circle != nil || strings.Count(fence, "[") > mostBoxes {
			t.Errorf("the circle %v in\n%s", circle, fence)
		}
	})
}
