package render

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/source"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render/node"
)

// said is a function of TypeScript of which so many bytes are said.
func said(name, about string, bytes int) string {
	return "/** " + about + "\n *\n * " + strings.Repeat("It is so. ", bytes/10) + "\n */\nexport function " + name + "(): number { return 1 }\n"
}

// library is a large module of two files.
var library = map[string]string{
	"README.md": "# Library\n\nHolds things.\n",
	"lib/a.ts":  said("a0", "Zero.", 5000) + said("a1", "One.", 5000) + said("a2", "Two.", 5000) + said("a3", "Three.", 5000),
	"lib/b.ts":  said("b0", "Zero.", 5000) + said("b1", "One.", 5000) + said("b2", "Two.", 5000) + said("b3", "Three.", 5000),
}

// editsOfLibrary are made in sequence. All pages of a large module depend on it.
var editsOfLibrary = []enginetest.Edit{
	{
		Name: "a body", Files: map[string]string{"lib/a.ts": strings.Replace(library["lib/a.ts"], "return 1", "return 2", 1)},
		Ran: []string{"module/lib"},
	},
	{Name: "a comment", Files: map[string]string{"lib/b.ts": "// here\n" + library["lib/b.ts"]}},
	{
		Name: "a module that gets small", Files: map[string]string{"lib/b.ts": said("b0", "Zero.", 100)},
		Ran: []string{"module/lib", "page/lib", "page/llms.txt"}, Removed: []string{"page/lib#a", "page/lib#b"},
	},
}

// small are six small modules beside each other, in a repository of many.
func small() map[string]string {
	files := map[string]string{}
	for i, about := range []string{"Zero.", "One.", "Two.", "Three.", "Four.", "Five."} {
		name := fmt.Sprintf("f%d", i)
		files["f/"+name+"/i.ts"] = said(name, about, 100)
	}
	for i := range 50 {
		files[fmt.Sprintf("other/d%d/e/f.py", i)] = "x = 1\n"
	}
	return files
}

// editsOfSmall are made in sequence. The page of a bundle depends on each of its modules.
var editsOfSmall = []enginetest.Edit{
	{Name: "a comment", Files: map[string]string{"f/f0/i.ts": "// here\n" + said("f0", "Zero.", 100)}},
	{
		Name: "a small module", Files: map[string]string{"f/f0/i.ts": said("f0", "Nought.", 100)},
		Ran: []string{"module/f/f0", "page/f/#small"},
	},
	{
		Name: "one that gets large", Files: map[string]string{"f/f0/i.ts": said("f0", "Nought.", 5000)},
		Ran: []string{"module/f/f0", "page/f/#small", "page/f/f0", "page/llms.txt", "page/modules"},
	},
	{
		Name: "too few", Gone: []string{"f/f1/i.ts"}, Removed: []string{"module/f/f1", "page/f/#small"},
		Ran: []string{
			"page/f/f2", "page/f/f3", "page/f/f4", "page/f/f5", "page/commands", "page/data", "page/extensions", "page/index", "page/llms.txt", "page/modules", "page/operations",
		},
	},
}

// docsOver is Living Docs over files.
func docsOver(files map[string]string, edits []enginetest.Edit) func(t testing.TB) enginetest.Subject {
	return func(t testing.TB) enginetest.Subject {
		s := enginetest.Prepared(t, files, overDocs, edits...)
		s.Plain = func(_ string, content []byte) []byte { return links.ReplaceAll(content, nil) }
		return s
	}
}

// overDocs completes the configuration of a run of Living Docs.
func overDocs(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
	config := Config{Layout: r.Layout, FrontMatter: true, Text: textOf(r), Hidden: func(file string) bool { return strings.HasPrefix(file, "hidden/") }}
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings(config.Repository, config.FrontMatter),
	})
	c.World, c.Words = look, survey.Words
	c.Plugins = []engine.Plugin{New(config, own, languages.All(), look.LeftOut)}
}

// TestPartsUnderTheSuite holds the pages of parts to what every plugin is held to.
func TestPartsUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, docsOver(library, editsOfLibrary))
}

// TestEditsOfBundles checks that exactly the affected pages of small modules are rendered again, and equal those of a run from scratch.
func TestEditsOfBundles(t *testing.T) {
	t.Parallel()
	enginetest.Edits(t, docsOver(small(), editsOfSmall))
}

// TestPartsHaveAll: each symbol of a large module has its section on the page of one part, where the module's list leads.
func TestPartsHaveAll(t *testing.T) {
	t.Parallel()
	n, g := largeModule("go", ".go", 60, 4)
	var all []*source.Declared
	for i := range n.PublicAPI {
		s := &n.PublicAPI[i]
		s.Doc += strings.Repeat("\n\nMore is said of it.", 30)
		all = append(all, &source.Declared{Symbol: &source.Symbol{Kind: s.Kind, Signature: s.Signature, Doc: s.Doc}, Name: s.Name, Path: s.File})
	}
	parts := source.Divide(all, nil)
	if len(parts) < 3 {
		t.Fatalf("%d parts", len(parts))
	}
	config := newRepo(t, nil).config
	o := newOutline(n, source.NewPartIndex(parts))
	main := renderPage(config, o, g)
	pages := map[string]string{}
	for i, p := range parts {
		pages[p.Name] = renderPart(config, o, g, i)
		if len(pages[p.Name]) > 60<<10 {
			t.Errorf("the page of %s has %d bytes", p.Name, len(pages[p.Name]))
		}
	}
	if strings.Contains(main, "\n### `") {
		t.Error("the page of the module has sections of symbols")
	}
	for _, e := range entries(n.PublicAPI) {
		i := o.index.Of(e.File, e.Name)
		if i < 0 {
			t.Fatalf("%s is in no part", e.Name)
		}
		heading := "\n### `" + e.Name + "`\n"
		for name, text := range pages {
			if (name == parts[i].Name) != strings.Contains(text, heading) {
				t.Errorf("%s, which is in %s: wrong on the page of %s", e.Name, parts[i].Name, name)
			}
		}
	}
	for _, link := range regexp.MustCompile(`\]\((large~[^)#]*)\.md#([^)]*)\)`).FindAllStringSubmatch(main, -1) {
		name := strings.TrimPrefix(link[1], "large~")
		if text := strings.ToLower(pages[name]); !strings.Contains(text, "### `"+link[2]+"`") {
			t.Errorf("no section %s on the page of %q", link[2], name)
		}
	}
}

// TestLongTypeGoesOn checks that the members of a type that is too large for one page are on several pages, each once.
func TestLongTypeGoesOn(t *testing.T) {
	t.Parallel()
	n := &node.Node{Module: "Assert", Path: "x", Language: "java", Sources: []node.Source{{Path: "x/Assert.java"}}}
	add := func(name string, kind source.Kind, bytes int) {
		n.PublicAPI = append(n.PublicAPI, node.Symbol{
			Name: name, Kind: kind, File: "Assert.java", Signature: string(kind) + " " + name, Doc: "It asserts.\n\n" + strings.Repeat("It is so. ", bytes/10),
		})
	}
	add("Assert", source.Class, 100)
	for i := range 40 {
		add(fmt.Sprintf("Assert.is%02d", i), source.Method, 1000)
	}
	var all []*source.Declared
	for _, s := range n.PublicAPI {
		all = append(all, &source.Declared{Symbol: &source.Symbol{Kind: s.Kind, Signature: s.Signature, Doc: s.Doc}, Name: s.Name, Path: "x/Assert.java"})
	}
	parts := source.Divide(all, nil)
	config := Config{Layout: store.Layout{Docs: "docs/causal"}}
	o := newOutline(n, source.NewPartIndex(parts))
	var texts []string
	for i := range parts {
		texts = append(texts, renderPart(config, o, &fakeGraph{}, i))
	}
	whole := strings.Join(texts, "")
	for _, s := range n.PublicAPI[1:] {
		if got := strings.Count(whole, "\n#### `"+s.Name+"`\n"); got != 1 {
			t.Errorf("%s stands there %d times", s.Name, got)
		}
	}
	if len(texts) != 2 || !strings.Contains(texts[0], "Other members are on [`Assert from is25`](x~Assert-2.md).") || strings.Contains(texts[1], "class Assert") {
		t.Errorf("%d pages:\n%.600s\n%.600s", len(texts), texts[0], texts[1])
	}
}

// TestLargestTypeIsNotBlank checks that the page of a part shows its type even if the sections are longer than the division estimated.
func TestLargestTypeIsNotBlank(t *testing.T) {
	t.Parallel()
	n := &node.Node{Module: "Service", Path: "x", Language: "java", Sources: []node.Source{{Path: "x/Service.java"}}}
	n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: "Service", Kind: source.Class, File: "Service.java", Signature: "public class Service", Doc: "It serves."})
	for i := range 60 {
		name := fmt.Sprintf("Service.get%02d", i)
		n.PublicAPI = append(n.PublicAPI, node.Symbol{Name: name, Kind: source.Method, File: "Service.java", Signature: "void " + name, Doc: "It gets.\n\n" + strings.Repeat("It is so. ", 90)})
	}
	parts := []source.Part{{Name: "Service", Files: []string{"Service.java"}}, {Name: "Other", Files: []string{"Other.java"}}}
	text := renderPart(Config{Layout: store.Layout{Docs: "docs/causal"}}, newOutline(n, source.NewPartIndex(parts)), &fakeGraph{}, 0)
	if !strings.Contains(text, "public class Service") {
		t.Errorf("the type has no declaration:\n%.600s", text)
	}
	for _, s := range n.PublicAPI[1:] {
		if got := strings.Count(text, "\n#### `"+s.Name+"`\n"); got != 1 {
			t.Errorf("%s is on the page %d times", s.Name, got)
		}
	}
}

func TestTopics(t *testing.T) {
	t.Parallel()
	l := store.Layout{Docs: "docs/causal"}
	for _, c := range []struct {
		topic   topic
		subject string
		path    string
	}{
		{topic{module: "."}, ".", "docs/causal/modules/_root.md"},
		{topic{module: "src/click"}, "src/click", "docs/causal/modules/src/click.md"},
		{topic{module: "index"}, "./index", "docs/causal/modules/index.md"},
		{topic{module: "src/click", part: "core.Context"}, "src/click#core.Context", "docs/causal/modules/src/click~core.Context.md"},
		{topic{module: ".", part: "con"}, ".#con", "docs/causal/modules/_root~_con.md"},
		{topic{module: "commands", part: "a"}, "./commands#a", "docs/causal/modules/commands~a.md"},
		{topic{module: "a#b%c"}, "a%23b%25c", "docs/causal/modules/a#b%25c.md"},
		{topic{module: "a~b"}, "a~b", "docs/causal/modules/a%7Eb.md"},
		{topic{bundle: survey.Bundle{Dir: ".", Name: "small"}}, "#small", "docs/causal/modules/~small.md"},
		{topic{bundle: survey.Bundle{Dir: "src/fp", Name: "day-helpers-2"}}, "src/fp/#day-helpers-2", "docs/causal/modules/src/fp/~day-helpers-2.md"},
	} {
		if got := c.topic.subject(); got != c.subject {
			t.Errorf("%+v is %q, want %q", c.topic, got, c.subject)
		}
		if got, ok := topicOf(c.subject); !ok || got != c.topic {
			t.Errorf("%q is %+v, want %+v", c.subject, got, c.topic)
		}
		if got := c.topic.path(l); got != c.path {
			t.Errorf("%+v lies in %s, want %s", c.topic, got, c.path)
		}
		if got, ok := topicAt(l, c.path); !ok || got != c.topic {
			t.Errorf("in %s is %+v, want %+v", c.path, got, c.topic)
		}
	}
	for _, subject := range []string{"index", "modules", "commands"} {
		if got, ok := topicOf(subject); ok {
			t.Errorf("%s is %+v", subject, got)
		}
	}
}
