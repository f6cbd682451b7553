package summary_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/store"
)

func TestFit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	for name, c := range map[string]struct {
		parts []string
		limit int
		want  string
	}{
		"all of it":            {[]string{"a", "b"}, 100, "a\n\nb"},
		"what is too long":     {[]string{"a", long, "b"}, 150, "a\n\n_… Shortened: the text is too long for GitHub._\n\nb"},
		"two that are":         {[]string{"a", long, long, "b"}, 150, "a\n\n_… Shortened: the text is too long for GitHub._\n\nb"},
		"two with one between": {[]string{long, "a", long}, 180, "_… Shortened: the text is too long for GitHub._\n\na"},
	} {
		got := summary.Fit(c.parts, c.limit)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if len(got) > c.limit {
			t.Errorf("%s: %d bytes, at most %d", name, len(got), c.limit)
		}
	}
}

// TestFitKeepsToItsLimit: however the parts are, nothing is longer than asked for where at least the note fits.
func TestFitKeepsToItsLimit(t *testing.T) {
	t.Parallel()
	for limit := 60; limit < 400; limit++ {
		for size := range 120 {
			part := strings.Repeat("y", size)
			if got := summary.Fit([]string{part, "z", part, part, "z", part}, limit); len(got) > limit {
				t.Fatalf("limit %d, parts of %d: %d bytes", limit, size, len(got))
			}
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	layout := store.Layout{Docs: "docs/causal"}
	gone, kept, before := layout.Page("gone"), layout.Page("kept"), []byte("one\n\ntwo\n")
	differing := []store.Difference{
		{Name: layout.Node("kept"), After: []byte("module: kept\n")}, {Name: gone, Before: before},
		{Name: kept, Before: before, After: []byte("one\n\nthree\n")}, {Name: layout.Page("made"), After: []byte("new\n")},
	}
	var got []string
	for _, p := range summary.Pages(layout, differing) {
		got = append(got, p.Path+" "+strings.Join(p.Lines, "|"))
	}
	want := []string{gone + " -one|-two", kept + " -two|+three", layout.Page("made") + " +new"}
	if !slices.Equal(got, want) {
		t.Errorf("the pages are\n%q, want\n%q", got, want)
	}
}

func invalidated(nodes ...string) *report.Update {
	r := &report.Update{}
	for _, n := range nodes {
		r.Invalidated = append(r.Invalidated, report.Invalidated{Node: n, Because: `modified("` + n + `/*")`, File: n + "/a.go", Detail: "changed"})
	}
	return r
}

// TestNothingInItIsMarkdown: names from a repository stay names.
func TestNothingInItIsMarkdown(t *testing.T) {
	t.Parallel()
	p := summary.Pull{
		Web: "https://github.com/octo/shop", Base: "main", Layout: store.Layout{Docs: "docs"}, Report: invalidated("a|b", "@octo/`x`"), Files: 2,
		Pages: []summary.Page{{Path: "docs/a.md", Lines: []string{"-```", "+@octo"}}},
	}
	text := p.Markdown()
	if table, _, _ := strings.Cut(text, "<details>"); strings.Contains(table, "a|b") {
		t.Errorf("a name adds a column to the table:\n%s", table)
	}
	if !strings.Contains(text, "- `` @octo/`x` ``: ") {
		t.Errorf("a name mentions somebody:\n%s", text)
	}
	if !strings.Contains(text, "1 page goes stale") || !strings.Contains(text, "2 source files changed") {
		t.Errorf("it does not say what there is:\n%s", text)
	}
}

func TestLongListsEnd(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 60 {
		names = append(names, strings.Repeat("m", i+1))
	}
	text := summary.Pull{Report: invalidated(names...), Files: -1}.Markdown()
	for _, want := range []string{"and 54 more", "- … and 10 more", "<sub>no model</sub>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		report report.Update
		want   string
	}{
		{report.Update{PagesWritten: []string{"a", "b"}, Updated: []string{"a"}}, "2 pages updated"},
		{report.Update{Updated: []string{"a"}}, "1 node updated; no page changes"},
		{report.Update{}, "3 files updated"},
	} {
		if got := summary.Title(&c.report, 3, "updated"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestReadMessage(t *testing.T) {
	t.Parallel()
	r := &report.Update{Session: "s-1", Invalidated: []report.Invalidated{{Node: "money", Detail: "new"}}}
	message := summary.Headline + "\n\n" + summary.Message(r, "c0ffee")
	for _, message := range []string{message, strings.Replace(message, "\n", " [skip ci]\n", 1)} {
		if head, reasons := summary.ReadMessage(message); head != "c0ffee" || reasons != summary.Reasons(r) {
			t.Errorf("read %q and %q", head, reasons)
		}
	}
	for _, other := range []string{"", "Change it", summary.Headline + "\n\n- money: changed\n\nCausal-Session: s-1", "Fix\n\n" + summary.Message(r, "c0ffee")} {
		if head, reasons := summary.ReadMessage(other); head != "" || reasons != "" {
			t.Errorf("%q reads as %q and %q", other, head, reasons)
		}
	}
}

// TestCommitsAreBounded: a message is as short when everything falls, and says how much more there is.
func TestCommitsAreBounded(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, 332)
	for i := range 332 {
		names = append(names, strings.Repeat("long/", 200)+strconv.Itoa(i))
	}
	for i, n := range names {
		names[i] = strconv.Itoa(i) + n
	}
	text := summary.Reasons(invalidated(names...))
	if len(text) > 10_000 || !strings.HasSuffix(text, "\n- and 312 more") {
		t.Errorf("%d bytes: …%s", len(text), text[len(text)-60:])
	}
}

// TestLargePagesAreComparedInTime: pages without common blocks are compared in linear time, and moved blocks are reported.
func TestLargePagesAreComparedInTime(t *testing.T) {
	t.Parallel()
	layout := store.Layout{Docs: "docs/causal"}
	var before, after strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&before, "before %d\n", i)
		fmt.Fprintf(&after, "after %d\n", i)
	}
	pages := summary.Pages(layout, []store.Difference{
		{Name: layout.Page("large"), Before: []byte(before.String() + "the same\n"), After: []byte("the same\n" + after.String())},
	})
	if len(pages) != 1 || len(pages[0].Lines) != 400_000 || pages[0].Lines[0] != "-before 0" || pages[0].Lines[200_000] != "+after 0" {
		t.Fatalf("%d pages", len(pages))
	}
	text := summary.Pull{Layout: layout, Report: invalidated("large"), Pages: pages, Files: -1}.Markdown()
	if len(text) > 100_000 || !strings.Contains(text, "… and 399801 more lines") {
		t.Errorf("%d bytes of comment", len(text))
	}
}
