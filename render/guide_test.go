package render

import (
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/keep"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/render/pagecheck"
)

func TestGuideGolden(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"go", "python", "typescript", "java", "rust", "c"} {
		files := filesIn(t, "testdata/repos/"+language)
		r := newRepo(t, files)
		pages := r.pages(files["README.md"])
		g := &guide{sheet: newSheet(r.config, r.graph(), r.config.Layout.Guide()), intro: introduction{readme: survey.Readme{Path: "README.md", Content: []byte(files["README.md"])}}}
		text := g.render()
		golden(t, "testdata/pages/"+language+"/llms.txt", text)
		parsesAsGuide(t, text)
		for _, p := range pagecheck.Check([]pagecheck.Page{{Path: r.config.Layout.Guide(), Content: []byte(text)}}, func(name string) bool { return pages[name] != "" }) {
			t.Errorf("%s: line %d: %s", language, p.Line, p.What)
		}
	}
}

// The convention as programs read it: a title, a summary, words without headings, and then sections of links alone.
var (
	guideHead = regexp.MustCompile(`^# [^\n]+\n\n(> [^\n]+\n\n)?` + regexp.QuoteMeta(keep.Mark) + `\n[^#]+$`)
	guideLink = regexp.MustCompile(`^- \[([^\]]+|(\\.)+)+\]\([^() ]+\)(: .+)?$`)
)

func parsesAsGuide(t *testing.T, text string) {
	t.Helper()
	head, sections, _ := strings.Cut(text, "\n## ")
	if !guideHead.MatchString(head) || !keep.Ours([]byte(text)) {
		t.Errorf("the guide begins with %q", head)
	}
	for section := range strings.SplitSeq(sections, "\n\n## ") {
		heading, links, _ := strings.Cut(section, "\n\n")
		if heading == "" || links == "" {
			t.Errorf("an empty section %q", section)
		}
		for line := range strings.Lines(links) {
			if !guideLink.MatchString(strings.TrimSuffix(line, "\n")) {
				t.Errorf("%q under %q is no link", line, heading)
			}
		}
	}
	if at := strings.LastIndex(text, "\n## "); !strings.HasPrefix(text[at:], "\n## Optional\n") {
		t.Errorf("the last section is %q", text[at:])
	}
}

// TestGuideLeadsToPagesThatAreThere: a part of which callers reach nothing has no page.
func TestGuideLeadsToPagesThatAreThere(t *testing.T) {
	t.Parallel()
	g := repositoryOf(60)
	g.parts = map[string][]source.Part{"m1": {{Name: "full"}, {Name: "empty"}}}
	x := &guide{sheet: newSheet(newRepo(t, nil).config, g, layout.Guide()), there: func(p topic) bool { return p.part != "empty" }}
	if lines := x.partLines("m1"); len(lines) != 1 || !strings.Contains(lines[0].link, "full") {
		t.Errorf("got %+v", lines)
	}
}

// TestGuideHasRoom: notes are cut where a guide is too large, and then those modules are left out that fewest others use.
func TestGuideHasRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		modules int
		note    string // of a module
		more    bool   // there are modules that are not listed
	}{{60, "Does its part of the whole work of this repository.\n", false}, {500, "Does its part of the whole work of this…\n", false}, {3000, "Does its part of the whole work of this…\n", true}} {
		g := repositoryOf(c.modules)
		text := (&guide{sheet: newSheet(newRepo(t, nil).config, g, layout.Guide())}).render()
		parsesAsGuide(t, text)
		if len(text) > guideBytes || !strings.Contains(text, c.note) || strings.Contains(text, leftOut) != c.more || c.more && len(text) < guideBytes-200 {
			t.Errorf("%d modules: %d bytes, more %v:\n%s", c.modules, len(text), c.more, text[:2000])
		}
		users := map[string]int{}
		for _, m := range g.Linked() {
			for _, d := range m.Deps {
				users[d]++
			}
		}
		fewest, most := c.modules, 0 // that use one that is listed, and one that is not
		for _, m := range g.Modules() {
			if strings.Contains(text, "(modules/"+m.Path+".md)") {
				fewest = min(fewest, users[m.Path])
			} else {
				most = max(most, users[m.Path])
			}
		}
		if most > fewest {
			t.Errorf("%d modules: one is listed that %d others use, and one is not that %d do", c.modules, fewest, most)
		}
	}
}

// TestGuideStaysAside checks that a file of another author stays, and that additions to the guide stay.
func TestGuideStaysAside(t *testing.T) {
	t.Parallel()
	files := filesIn(t, "testdata/repos/go")
	r := newRepo(t, files)
	r.nodes()
	p, name := r.plugin(), r.config.Layout.Guide()
	unit := engine.Unit{Kind: PageKind, Subject: guidePage}
	if _, err := p.files.Read(name); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is a guide already: %v", err)
	}
	r.files.data[name] = []byte("# Mine\n\n## Docs\n\n- [a](b)\n")
	if old, err := p.loadPage(nil, guidePage); err != nil || old == nil || len(old.Blocked) != 1 {
		t.Errorf("over somebody else's file: %+v, %v", old, err)
	}
	text := r.conclude(p, unit, nil).Body.(*Page).generated
	r.files.data[name] = []byte(strings.Replace(text, "\n## ", "\n"+note+"\n\n## ", 1))
	old, err := p.loadPage(nil, guidePage)
	if err != nil || old == nil || len(old.Blocked) > 0 {
		t.Fatalf("with a note: %+v, %v", old, err)
	}
	again := r.conclude(p, unit, old).Body.(*Page)
	if text := keep.Join(again.generated, again.keeps); text != string(r.files.data[name]) {
		t.Errorf("with a note it is\n%s", text)
	}
}
