package adr

import (
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/reasoning"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text string
		want             Record
	}{
		{
			"adr-tools", "doc/adr/0002-use-sqlite.md", "# 2. Use SQLite\n\nDate: 2016-02-12\n\n## Status\n\nAccepted\n\nSupercedes [1. Use files](0001-use-files.md)\n\n## Context\n\nx\n\n## Decision\n\nWe will use\nSQLite.\n\nMore.\n",
			Record{Number: 2, Title: "Use SQLite", Decision: "We will use SQLite.", Status: Accepted, Date: "2016-02-12", Over: []string{"0001-use-files.md"}},
		},
		{
			"superseded", "0001-use-files.md", "# 1. Use files\r\n\r\n## Status\r\n\r\nAccepted\r\n\r\nSuperseded by [2. Use SQLite](../adr/0002-use-sqlite.md#status)\r\n",
			Record{Number: 1, Title: "Use files", Status: Superseded, By: []string{"0002-use-sqlite.md"}},
		},
		{
			"MADR with front matter", "adr-012-cache.md", "---\nstatus: \"superseded by ADR-0013\"\ndate: 2024-01-02\ndecision-makers: [Ada, Grace]\n---\n\n# Cache answers\n\n## Decision Outcome\n\nChosen option: \"Redis\", because\n\n* it is there\n* it is fast\n\n### Consequences\n",
			Record{Number: 12, Title: "Cache answers", Decision: `Chosen option: "Redis", because it is there; it is fast`, Status: Superseded, Date: "2024-01-02", Deciders: "Ada, Grace", By: []string{"13"}},
		},
		{
			"MADR with a list", "0003-x.md", "# ADR-3: Say what is meant\n\n* Status: rejected\n* **Deciders**: Ada\n* Date: 2020-05-06\n",
			Record{Number: 3, Title: "Say what is meant", Status: Rejected, Date: "2020-05-06", Deciders: "Ada"},
		},
		{"a template", "0004-x.md", "# Title\n\n* Status: [proposed | rejected | accepted]\n", Record{Number: 4, Title: "Title", Status: Proposed}},
		{"with what it is before its title", "0005-x.md", "# Architecture Decision Record: Use ADRs\n", Record{Number: 5, Title: "Use ADRs", Status: Proposed}},
		{"deprecated", "0006-x.md", "# X\n## Status\nDeprecated\n", Record{Number: 6, Title: "X", Status: Deprecated}},
	} {
		got, ok := Read(c.file, c.text)
		c.want.Path = c.file
		if !ok || got.Number != c.want.Number || got.Title != c.want.Title || got.Decision != c.want.Decision || got.Status != c.want.Status || got.Date != c.want.Date ||
			got.Deciders != c.want.Deciders || !slices.Equal(got.By, c.want.By) || !slices.Equal(got.Over, c.want.Over) || got.Path != c.file {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	if _, ok := Read("0001-x.md", "no title\n"); ok {
		t.Error("a document without a title is one")
	}
	for file, want := range map[string]bool{"0001-x.md": true, "ADR007-x.md": true, "adr-7-x.markdown": true, "12.x.md": true, "README.md": false, "template.md": false, "0001-x.png": false, "2024.md": false} {
		if _, ok := Named(file); ok != want {
			t.Errorf("%s is one: %v", file, ok)
		}
	}
}

// TestDrafts: the events of documents follow from their statuses, and recording them again only adds new ones.
func TestDrafts(t *testing.T) {
	t.Parallel()
	log, _ := ledger.New(nil)
	r := reasoning.NewRecorder(log)
	record := func(records ...Record) {
		t.Helper()
		for _, d := range Drafts(records, reasoning.NewRecorder(log).Former) {
			d.Key = ""
			for i, target := range d.Targets { // keys are only unique within one recording
				for _, e := range log.Events() {
					if e.Source == target && e.Type.Position() {
						d.Targets[i] = string(e.ID)
					}
				}
			}
			if _, err := r.Record(d.Draft, "", d.At); err != nil && !strings.Contains(err.Error(), "recorded already") {
				t.Fatal(err)
			}
		}
	}
	state := func() string {
		var out []string
		for _, i := range func() []reasoning.Item {
			s := reasoning.New(log).State(nil)
			return append(slices.Clone(s.Current), s.Past...)
		}() {
			out = append(out, strings.ReplaceAll(i.Event.Text, "\n\n", ". ")+" "+string(i.Status)+" "+string(i.Standing))
		}
		return strings.Join(out, "; ")
	}
	files := Record{Path: "d/1.md", Number: 1, Title: "Use files", Status: Accepted, Date: "2020-01-02"}
	zig := Record{Path: "d/2.md", Number: 2, Title: "Use Zig", Decision: "We will not.", Status: Rejected}
	record(zig, files)
	if got := state(); got != "Use files active settled; Use Zig. We will not. parked none" || log.Events()[0].At != "2020-01-02T00:00:00Z" {
		t.Error(got)
	}
	before := len(log.Events())
	record(files, zig)
	if n := len(log.Events()); n != before {
		t.Errorf("again: %d events more", n-before)
	}
	files.Status, files.By = Superseded, []string{"3"}
	sqlite := Record{Path: "d/3.md", Number: 3, Title: "Use SQLite", Status: Accepted}
	old := Record{Path: "d/4.md", Number: 4, Title: "Log everything", Status: Superseded, By: []string{"9"}}
	record(files, zig, sqlite, old)
	if got := state(); got != "Use SQLite active settled; Log everything parked none; Use Zig. We will not. parked none; Use files superseded none" {
		t.Error(got)
	}
	sqlite.Decision = "With WAL."
	record(files, zig, sqlite, old)
	if got := state(); !strings.HasPrefix(got, "Use SQLite. With WAL. active settled; ") {
		t.Error(got)
	}
}

// FuzzRead: whatever a document contains, the result consists of its text.
func FuzzRead(f *testing.F) {
	f.Add("# 2. Use SQLite\n\n## Status\n\nSupercedes [1](0001-x.md)\n\n## Decision\n\nWe will.\n")
	f.Add("---\nstatus: accepted\n---\n# X\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := Read("0001-x.md", text)
		if ok && (r.Title == "" || len(r.Title)+len(r.Decision) > len(text)) {
			t.Fatalf("%q: %+v", text, r)
		}
		Drafts([]Record{r}, func(string, string) string { return "" })
	})
}
