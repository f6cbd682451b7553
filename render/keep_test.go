package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/frame"
	"github.com/causaldocs/causal/knowledge/keep"
)

const note = "<!-- causal:keep note -->\nAsk finance.\n<!-- /causal:keep -->"

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
	fence := false
	for i, l := range lines {
		if !fence && i >= head {
			free = append(free, i)
		}
		if strings.HasPrefix(l, "```") {
			fence = !fence
		}
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

// TestKeepBlocksSurvive inserts blocks anywhere in a page and renders it again with other content. Every block stays byte for byte, and a
// second rendering changes nothing.
func TestKeepBlocksSurvive(t *testing.T) {
	t.Parallel()
	draw := aPage(t)
	rapid.Check(t, func(rt *rapid.T) {
		page, texts := withBlocks(rt, draw(rt))
		_, keeps, err := keep.Split([]byte(page))
		if err != nil {
			rt.Fatal(err)
		}
		if len(keeps) != len(texts) {
			rt.Fatalf("%d blocks of %d are found", len(keeps), len(texts))
		}
		generated := draw(rt)
		joined := keep.Join(generated, keeps)
		for i, text := range texts {
			if keeps[i].Text != text {
				rt.Fatalf("block %d reads\n%s\nwant\n%s", i, keeps[i].Text, text)
			}
			if strings.Count(joined, text+"\n") != 1 {
				rt.Fatalf("block %d is not there once:\n%s", i, joined)
			}
		}
		inOrder(rt, keeps, joined)
		rest, again, err := keep.Split([]byte(joined))
		if err != nil {
			rt.Fatalf("what was joined does not split: %v\n%s", err, joined)
		}
		if keep.Squeeze(rest) != keep.Squeeze(generated) {
			rt.Fatalf("the rest is\n%s\nwant\n%s", rest, generated)
		}
		if second := keep.Join(generated, again); second != joined {
			rt.Fatalf("a second rendering gives\n%s\nafter\n%s", second, joined)
		}
		if len(texts) > 0 && strings.Contains(strings.Join(strings.Split(joined, "<!-- causal:keep")[:1], ""), "\n\n\n") {
			rt.Fatalf("blank lines pile up:\n%s", joined)
		}
	})
}

// inOrder checks that blocks of one section keep their order.
func inOrder(rt *rapid.T, keeps []keep.Block, joined string) {
	last := map[string]int{}
	for _, k := range keeps {
		at := strings.Index(joined, k.Text+"\n")
		if at < last[k.Anchor] {
			rt.Fatalf("%s went before its neighbour:\n%s", k.ID, joined)
		}
		last[k.Anchor] = at
	}
}

// stored reads the stored conclusion of a page.
func stored(t *testing.T, d *Docs, u engine.Unit) *engine.Conclusion {
	t.Helper()
	c, err := d.loadPage(nil, u.Subject)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPagesKeepWhatPeopleWrote checks that a keep block does not change the conclusion, and survives an edit.
func TestPagesKeepWhatPeopleWrote(t *testing.T) {
	t.Parallel()
	files := filesIn(t, "testdata/repos/go")
	r := newRepo(t, files)
	r.nodes()
	d, money := r.plugin(), pageUnit("money")
	if c := stored(t, d, money); c != nil {
		t.Fatalf("before the first run: %+v", c)
	}
	write := func() engine.Conclusion {
		c := r.conclude(d, money, stored(t, d, money))
		if err := d.Store(c, frame.Frame{}); err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := write()
	const page = "docs/causal/modules/money.md"
	r.files.data[page] = append(r.files.data[page], "\n"+note+"\n"...)
	if c := stored(t, d, money); c.Digest != first.Digest || r.conclude(d, money, c).Digest != first.Digest {
		t.Error("a block alone makes another page")
	}
	files["money/money.go"] = strings.Replace(files["money/money.go"], "Scale = 100", "Scale = 1000", 1)
	r.read(files)
	r.nodes()
	if c := write(); c.Digest == first.Digest {
		t.Error("an edit makes the same page")
	}
	if text := string(r.files.data[page]); !strings.HasSuffix(text, "\n"+note+"\n") || !strings.Contains(text, "`1000`") {
		t.Errorf("the page is\n%s", text)
	}
	r.files.data[page] = []byte("# Mine\n")
	if c := stored(t, d, money); len(c.Blocked) != 1 || !strings.Contains(c.Blocked[0].Mend, "docs.dir") {
		t.Errorf("a foreign page: %+v", c)
	}
}

func TestRetiredPages(t *testing.T) {
	t.Parallel()
	r := newRepo(t, filesIn(t, "testdata/repos/go"))
	d := r.plugin()
	const gone, noted, foreign = "docs/causal/modules/gone.md", "docs/causal/modules/noted.md", "docs/causal/modules/foreign.md"
	ours := "---\ntitle: gone\ngenerated:\n  by: causal/docs-1\n---\n\n# gone\n"
	r.files.data[gone], r.files.data[noted], r.files.data[foreign] = []byte(ours), []byte(ours+"\n"+note+"\n"), []byte("# Mine\n")
	for i, c := range []struct {
		module string
		want   engine.Removal
	}{
		{"gone", engine.Removal{Done: true}}, {"gone", engine.Removal{}}, {"noted", engine.Removal{Written: true}}, {"noted", engine.Removal{}},
		{"foreign", engine.Removal{}},
	} {
		got, err := d.removePage(c.module)
		if err != nil || got.Done != c.want.Done || got.Written != c.want.Written || len(got.Blocked) > 0 {
			t.Errorf("%d: %s: %+v, %v, want %+v", i, c.module, got, err, c.want)
		}
	}
	if r.files.data[gone] != nil {
		t.Error("the page of a module that is gone is there")
	}
	if text := string(r.files.data[noted]); !strings.Contains(text, note) || !strings.Contains(text, "was removed or moved") || !keep.Ours([]byte(text)) {
		t.Errorf("what a person wrote is not kept:\n%s", text)
	}
	if string(r.files.data[foreign]) != "# Mine\n" {
		t.Error("a foreign page was touched")
	}
}
