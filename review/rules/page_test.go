package rules_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/review/life"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/record"
	"github.com/causaldocs/causal/review/rules"
)

var update = flag.Bool("update", false, "write golden files anew")

const pageFile = "docs/principles.md"

// project is a repository with the plugin.
type project struct {
	*enginetest.Project
	t *testing.T
}

func newProject(t *testing.T, files map[string]string) project {
	t.Helper()
	return project{enginetest.NewProject(t, files, over), t}
}

// holds expects texts on the page, in their order.
func (p project) holds(texts ...string) {
	p.t.Helper()
	all, _ := p.Read(pageFile)
	rest := all
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			p.t.Fatalf("the page does not have, or not there, %q:\n%s", text, all)
		}
		rest = after
	}
}

func records(t *testing.T) []*record.Record {
	before, after := history(t)
	return slices.Concat(before, after[:1])
}

func TestPage(t *testing.T) {
	t.Parallel()
	p := newProject(t, files(t, records(t)...))
	p.Update()
	got, _ := p.Read(pageFile)
	golden := filepath.Join("testdata", "principles.md")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the page is\n%s\nwant %s", got, golden)
	}
}

// TestManyChanges: the last ones are shown, with what they are where that is known.
func TestManyChanges(t *testing.T) {
	t.Parallel()
	var all []*record.Record
	for n := range 14 {
		all = append(all, merged(t, n, n, "demo-lint/no-float", float, life.Fixed))
		all[n].Author = strings.Repeat("x", n+1)
	}
	all[12].Key, all[13].Key = "push-abc1234", "release 2"
	p := newProject(t, files(t, all...))
	p.Update()
	p.holds("made by x, xx, xxx, xxxx, xxxxx, and 9 more.", "\n- 4 earlier changes\n- [pull request 4](https://example.com/acme/shop/pull/4), 2025-11-08: fixed",
		"\n- [`push-abc1234`](https://example.com/acme/shop/commit/abc1234), 2025-11-16: fixed by", "\n- `release 2`, 2025-11-17: fixed by")
}

func TestWhatIsNotInForce(t *testing.T) {
	t.Parallel()
	all := records(t)
	for n := range 3 {
		all = append(all, merged(t, 20+n, 20+n, "demo-lint/no-float", float, life.Dismissed))
	}
	p := newProject(t, files(t, append(all, merged(t, 30, 190, "demo-lint/no-float", float, life.Open))...))
	p.Update()
	p.holds("## Not in force", "no-float: Do not.: demoted, dismissed in 2 of its last 5 changes.", "no-sleep: Do not.: expired, not found since 2025-11-06.")
	if text, _ := p.Read(pageFile); strings.Contains(text, "## In force") {
		t.Error(text)
	}
}

// TestStrangersText: what others wrote means nothing to a reader of Markdown.
func TestStrangersText(t *testing.T) {
	t.Parallel()
	all := records(t)[3:]
	for _, r := range all {
		r.Author = "@everyone <img src=x>"
		r.Findings[0].Message = "See #1 <script>alert(1)</script> [x](javascript:alert(1)) `"
	}
	p := newProject(t, files(t, all...))
	p.Update()
	p.Write(floatFile, strings.NewReplacer(
		"Reviews found it in 3 merged changes.", "# Not a heading @team\\n\\n<details>\\n\\n<!-- causal:keep x -->", "pr-4,", "\"pr-4](x) <b>\",",
	).Replace(string(principle.Derive(all, nil, standard).Files[floatFile])))
	p.Update()
	text, _ := p.Read(pageFile)
	for _, bad := range []string{"<script", "<img", "\n# Not", "](javascript", "<details>\n\n", "<!-- causal:keep", "<b>"} {
		for line := range strings.Lines(text) {
			bare := line
			for open, rest, ok := strings.Cut(line, "`"); ok; open, rest, ok = strings.Cut(bare, "`") { // code shows what stands in it
				_, behind, _ := strings.Cut(rest, "`")
				bare = open + behind
			}
			if strings.Contains(bare, bad) && !strings.Contains(bare, `\`+bad[:1]) {
				t.Errorf("%q stands in %q", bad, line)
			}
		}
	}
	p.holds("&lt;script", "`@everyone`")
}

func TestPeoplesNotesStay(t *testing.T) {
	t.Parallel()
	const note = "<!-- causal:keep note -->\nAsk finance.\n<!-- /causal:keep -->"
	p := newProject(t, files(t, records(t)...))
	p.Update()
	text, _ := p.Read(pageFile)
	p.Write(pageFile, strings.Replace(text, "## How to change one\n", "## How to change one\n\n"+note+"\n", 1))
	p.Write(record.Path("pr-30"), files(t, merged(t, 30, 30, "demo-lint/no-float", float, life.Fixed))[record.Path("pr-30")])
	p.Update()
	p.holds("Found in 4 merged changes", "## How to change one", note)
	for name := range p.All() {
		if strings.HasPrefix(name, ".causal/reviews/") || strings.HasPrefix(name, ".causal/principles/") {
			p.Remove(name)
		}
	}
	p.Update()
	p.holds("No principles are left.", note)
}

func TestNobodysPageIsOverwritten(t *testing.T) {
	t.Parallel()
	all := files(t, records(t)...)
	all[pageFile] = "# Ours\n"
	p := newProject(t, all)
	if r := p.Update(); len(r.Blocked) != 1 || r.Blocked[0].Unit != rules.PageUnit {
		t.Errorf("%+v", r.Blocked)
	}
	if text, _ := p.Read(pageFile); text != "# Ours\n" {
		t.Error(text)
	}
}

// TestFilesThatCannotBeRead: what stands in them stays, the page says so, and the rest goes on.
func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	all := files(t, records(t)...)
	all[".causal/principles/ours.yml"] = "principle: ours\nstatus: maybe\n"
	all[".causal/principles/README.md"] = "Notes.\n"
	p := newProject(t, all)
	r := p.Update()
	if len(r.Blocked) != 1 || r.Blocked[0].Unit != rules.Unit("ours") || !strings.Contains(r.Blocked[0].Because, `status is "maybe"`) {
		t.Errorf("%+v", r.Blocked)
	}
	p.holds("## Not readable", "ours.yml", "maybe")
	if text, _ := p.Read(".causal/principles/ours.yml"); text != all[".causal/principles/ours.yml"] {
		t.Error(text)
	}
	p.Remove(".causal/principles/ours.yml")
	if r := p.Update(); len(r.Blocked) > 0 {
		t.Errorf("it was taken away: %+v", r.Blocked)
	}
	p.holds("## In force", "no-float")
}

// TestBranchesMerge: two branches both closed the third change that has a pattern, and git put both files together as it could.
func TestBranchesMerge(t *testing.T) {
	t.Parallel()
	before, after := history(t)
	branch := func(third *record.Record) (project, string) {
		p := newProject(t, files(t, append(slices.Clone(before), third)...))
		p.Update()
		text, _ := p.Read(floatFile)
		return p, text
	}
	p, ours := branch(after[0])
	_, theirs := branch(after[2])
	p.Write(floatFile, "<<<<<<< HEAD\n"+ours+"=======\n"+theirs+">>>>>>> other\n")
	for name, text := range files(t, after[2]) {
		p.Write(name, text)
	}
	p.Update()
	clean := newProject(t, files(t, append(slices.Clone(before), after[0], after[2])...))
	clean.Update()
	for _, name := range []string{floatFile, pageFile} {
		got, _ := p.Read(name)
		if want, _ := clean.Read(name); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
		}
	}
}

// counting counts what is read.
type counting struct{ reads, lists int }

func (c *counting) Read(string) ([]byte, error)   { c.reads++; return nil, fs.ErrNotExist }
func (c *counting) List(string) ([]string, error) { c.lists++; return nil, nil }

// TestNothingCostsNothing: where no change was closed, nothing is concluded, written and read.
func TestNothingCostsNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"a.go": "package a\n"})
	r := p.Update()
	if len(r.Ran)+len(r.Blocked) > 0 || len(p.Stored()) > 0 {
		t.Errorf("ran %v, stored %v", r.Ran, p.Stored())
	}
	c := &counting{}
	room := rules.NewRecords(c, standard, func() []string { return []string{"docs/index.md", ".causal/nodes/a.yml"} })
	if facts, all := room.Changed(); len(facts) > 0 || all || *c != (counting{}) {
		t.Errorf("%v changed, %+v", facts, *c)
	}
	for range 3 {
		for _, family := range room.Families() {
			if _, err := room.Digest(t.Context(), fact.New(family, ".")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if *c != (counting{lists: 2}) {
		t.Errorf("%+v", *c)
	}
}
