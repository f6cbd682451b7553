package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/engine"
)

const note = "<!-- causal:keep note -->\nAsk finance.\n<!-- /causal:keep -->"

func TestKeepBlocksStayWithTheirSection(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ page, generated, want string }{
		"at the end of its section": {
			"# A\n\n## B\n\nb\n\n" + note + "\n\n## C\n\nc\n", "# A\n\n## B\n\nnew\n\n## C\n\nc\n", "# A\n\n## B\n\nnew\n\n" + note + "\n\n## C\n\nc\n"},
		"put at the beginning of a section": {
			"# A\n\n## B\n\n" + note + "\n\nb\n", "# A\n\n## B\n\nb\n", "# A\n\n## B\n\nb\n\n" + note + "\n"},
		"before the first section": {
			note + "\n# A\n\n## B\n\nb\n", "# A\n\n## B\n\nb\n", "# A\n\n" + note + "\n\n## B\n\nb\n"},
		"the section is gone": {
			"# A\n\n## B\n\nb\n\n" + note + "\n\n" + footerOpen + "\n\n</details>\n", "# A\n\n## D\n\nd\n\n" + footerOpen + "\n\n</details>\n",
			"# A\n\n## D\n\nd\n\n" + note + "\n\n" + footerOpen + "\n\n</details>\n"},
		"the section and the footer are gone": {"# A\n\n## B\n\n" + note + "\n", "# A\n", "# A\n\n" + note + "\n"},
		"after the footer": {
			"# A\n\n" + footerOpen + "\n\n</details>\n\n" + note + "\n", "# A2\n\n" + footerOpen + "\n\n</details>\n",
			"# A2\n\n" + footerOpen + "\n\n</details>\n\n" + note + "\n"},
		"a heading in a fence is none": {
			"# A\n\n## B\n\n```\n## C\n```\n\n" + note + "\n\n## D\n", "# A\n\n## B\n\n```\n## C\n```\n\n## D\n", "# A\n\n## B\n\n```\n## C\n```\n\n" + note + "\n\n## D\n"},
		"a marker in a fence is none":  {"# A\n\n```\n" + note + "\n```\n", "# A\n", "# A\n"},
		"the same block twice is one":  {"# A\n\n" + note + "\n\n" + note + "\n", "# A\n", "# A\n\n" + note + "\n"},
		"without an end of line":       {"# A\n\n" + note, "# A\n", "# A\n\n" + note + "\n"},
		"with carriage returns inside": {"# A\n\n" + strings.ReplaceAll(note, "\n", "\r\n") + "\n", "# A\n", "# A\n\n" + strings.ReplaceAll(note, "\n", "\r\n") + "\n"},
		"two, in order": {
			"# A\n\n" + note + "\n\n" + strings.Replace(note, "note", "a", 1) + "\n", "# A\n", "# A\n\n" + note + "\n\n" + strings.Replace(note, "note", "a", 1) + "\n"},
		"with fences and headings of its own": {
			"# A\n\n<!-- causal:keep x -->\n## Mine\n```\ncode\n<!-- /causal:keep -->\n\n## B\n", "# A\n\n## B\n",
			"# A\n\n<!-- causal:keep x -->\n## Mine\n```\ncode\n<!-- /causal:keep -->\n\n## B\n"},
	} {
		_, keeps, err := splitPage([]byte(c.page))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := joinPage(c.generated, keeps); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestKeepBlocksThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"# A\n<!-- causal:keep a -->\n":                                    `keep block "a" does not end`,
		"<!-- causal:keep a -->\n<!-- causal:keep b -->\n":                 `line 2: keep block "b" begins inside "a"`,
		note + "\n" + strings.Replace(note, "finance", "sales", 1) + "\n":  `line 6: two different keep blocks are called "note"`,
		"<!-- causal:keep a -->\n<<<<<<< HEAD\n<!-- /causal:keep -->\n":    `line 3: keep block "a" holds conflict markers`,
		"<!-- causal:keep a -->\n>>>>>>> other\n<!-- /causal:keep -->\n\n": `line 3: keep block "a" holds conflict markers`,
	} {
		if _, _, err := splitPage([]byte(page)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", page, err, want)
		}
	}
}

// aPage draws a page of the repositories in testdata.
func aPage(t *testing.T) func(rt *rapid.T) string {
	t.Helper()
	var all []string
	for _, language := range []string{"go", "python"} {
		files := filesIn(t, "testdata/repos/"+language)
		pages := newRepo(t, files).pages(files["README.md"])
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			all = append(all, pages[name])
		}
	}
	return func(rt *rapid.T) string { return rapid.SampledFrom(all).Draw(rt, "page") }
}

// withBlocks inserts blocks between lines outside of fences, and returns their texts in order.
func withBlocks(rt *rapid.T, page string) (string, []string) {
	lines := strings.SplitAfter(strings.TrimSuffix(page, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	head := slices.Index(lines[1:], "---\n") + 2 // after the front matter
	var free []int
	fence := ""
	for i, l := range lines {
		if fence == "" && i >= head {
			free = append(free, i)
		}
		fence = fenceAfter(fence, strings.TrimRight(l, "\n"))
	}
	free = append(free, len(lines))
	at := rapid.SliceOfNDistinct(rapid.SampledFrom(free), 0, 6, rapid.ID[int]).Draw(rt, "lines")
	slices.Sort(at)
	var out strings.Builder
	var texts []string
	for i := 0; i <= len(lines); i++ {
		if n := slices.Index(at, i); n >= 0 {
			words := rapid.SliceOfN(rapid.SampledFrom([]string{"Words.", "", "  indented", "## Heading", "```", "~~~", "| a | b |", "<b>", "trailing  ", "\ttab", "é ☃"}), 0, 6).Draw(rt, "words")
			text := fmt.Sprintf("<!-- causal:keep id.%d -->\n%s\n<!-- /causal:keep -->", n, strings.Join(words, "\n"))
			texts = append(texts, text)
			out.WriteString(strings.Repeat("\n", rapid.IntRange(0, 2).Draw(rt, "blanks")) + text + "\n")
		}
		if i < len(lines) {
			out.WriteString(lines[i])
		}
	}
	return out.String(), texts
}

// TestKeepBlocksSurvive puts blocks anywhere into a page and renders it again with other content: every block stays,
// byte for byte, and what has been rendered once does not change any more.
func TestKeepBlocksSurvive(t *testing.T) {
	t.Parallel()
	draw := aPage(t)
	rapid.Check(t, func(rt *rapid.T) {
		page, texts := withBlocks(rt, draw(rt))
		_, keeps, err := splitPage([]byte(page))
		if err != nil {
			rt.Fatal(err)
		}
		if len(keeps) != len(texts) {
			rt.Fatalf("%d blocks of %d are found", len(keeps), len(texts))
		}
		generated := draw(rt)
		joined := joinPage(generated, keeps)
		for i, text := range texts {
			if keeps[i].text != text {
				rt.Fatalf("block %d reads\n%s\nwant\n%s", i, keeps[i].text, text)
			}
			if strings.Count(joined, text+"\n") != 1 {
				rt.Fatalf("block %d is not there once:\n%s", i, joined)
			}
		}
		inOrder(rt, keeps, joined)
		rest, again, err := splitPage([]byte(joined))
		if err != nil {
			rt.Fatalf("what was joined does not split: %v\n%s", err, joined)
		}
		if !sameGenerated(rest, generated) {
			rt.Fatalf("the rest is\n%s\nwant\n%s", rest, generated)
		}
		if second := joinPage(generated, again); second != joined {
			rt.Fatalf("a second rendering gives\n%s\nafter\n%s", second, joined)
		}
		if len(texts) > 0 && strings.Contains(strings.Join(strings.Split(joined, "<!-- causal:keep")[:1], ""), "\n\n\n") {
			rt.Fatalf("blank lines pile up:\n%s", joined)
		}
	})
}

// inOrder checks that blocks of one section keep their order.
func inOrder(rt *rapid.T, keeps []keepBlock, joined string) {
	last := map[string]int{}
	for _, k := range keeps {
		at := strings.Index(joined, k.text+"\n")
		if at < last[k.anchor] {
			rt.Fatalf("%s went before its neighbour:\n%s", k.id, joined)
		}
		last[k.anchor] = at
	}
}

// TestPresentKeepsWhatPeopleWrote goes through the plugin: pages with blocks are written once, checks are quiet then.
func TestPresentKeepsWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	files := filesIn(t, "testdata/repos/go")
	r := newRepo(t, files)
	r.nodes()
	d := New(r.config, r, r.files)
	request := func(write bool) engine.PageRequest {
		return engine.PageRequest{
			Known: func(m string) (*engine.Known, error) { return r.known[m], nil },
			Graph: r.graph(), Modules: []string{"cmd/shop", "money"}, Index: true, Write: write, Readme: []byte(files["README.md"]),
			Stale: func(string) bool { return false }, Exists: func(string) bool { return true },
		}
	}
	present := func(write bool) engine.PageReport {
		report, err := d.Present(request(write))
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if got := present(false).Drifted; len(got) != 3 || got[0].Because != "the page is missing" || got[0].Mend != mendUpdate {
		t.Errorf("before the first run: %+v", got)
	}
	if got := present(true).Written; len(got) != 3 {
		t.Errorf("the first run writes %q", got)
	}
	const page = "docs/causal/modules/money.md"
	r.files.data[page] = append(r.files.data[page], "\n"+note+"\n"...)
	withNote := string(r.files.data[page])
	if got := present(true); len(got.Written)+len(got.Drifted) != 0 || string(r.files.data[page]) != withNote {
		t.Errorf("a block alone makes the run write %q: %+v", got.Written, got.Drifted)
	}
	files["money/money.go"] = strings.Replace(files["money/money.go"], "Scale = 100", "Scale = 1000", 1)
	r.read(files)
	r.nodes()
	if got := present(false).Drifted; len(got) != 1 || got[0].Page != page || got[0].Because != "the page differs from its node" {
		t.Errorf("after an edit: %+v", got)
	}
	if got := present(true).Written; !slices.Equal(got, []string{page}) {
		t.Errorf("after an edit the run writes %q", got)
	}
	if text := string(r.files.data[page]); !strings.HasSuffix(text, "\n"+note+"\n") || !strings.Contains(text, "`1000`") {
		t.Errorf("the page is\n%s", text)
	}
	r.files.data[page] = []byte("# Mine\n")
	if got := present(true); len(got.Written) != 0 || len(got.Drifted) != 1 || !got.Drifted[0].Blocked || string(r.files.data[page]) != "# Mine\n" {
		t.Errorf("a foreign page: %+v", got)
	}
}

func TestRetiredPages(t *testing.T) {
	t.Parallel()
	r := newRepo(t, filesIn(t, "testdata/repos/go"))
	r.nodes()
	d := New(r.config, r, r.files)
	const gone, noted, foreign = "docs/causal/modules/gone.md", "docs/causal/modules/noted.md", "docs/causal/modules/foreign.md"
	ours := "---\ntitle: gone\ngenerated:\n  by: causal/docs-1\n---\n\n# gone\n"
	r.files.data[gone], r.files.data[noted], r.files.data[foreign] = []byte(ours), []byte(ours+"\n"+note+"\n"), []byte("# Mine\n")
	request := engine.PageRequest{Graph: r.graph(), Removed: []string{"foreign", "gone", "noted"}, Write: true, Exists: func(string) bool { return true }}
	report, err := d.Present(request)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(report.Removed, []string{gone}) || r.files.data[gone] != nil {
		t.Errorf("removed: %q", report.Removed)
	}
	if text := string(r.files.data[noted]); !strings.Contains(text, note) || !strings.Contains(text, "no longer there") || !isOurs([]byte(text)) {
		t.Errorf("what a person wrote is not kept:\n%s", text)
	}
	if string(r.files.data[foreign]) != "# Mine\n" {
		t.Error("a foreign page was touched")
	}
	if report, err = d.Present(request); err != nil || len(report.Written)+len(report.Removed)+len(report.Drifted) != 0 {
		t.Errorf("a second run: %+v, %v", report, err)
	}
}
