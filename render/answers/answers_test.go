package answers_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/knowledge/condition"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/knowledge/grounding"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render/answers"
)

// lookFacts are about files of a made-up repository.
const lookFacts fact.Family = "look"

// looks answers what files hold. It implements engine.Room.
type looks struct{ files surveytest.Files }

func (looks) Families() []fact.Family { return []fact.Family{lookFacts} }

func (l looks) Digest(_ context.Context, f fact.Fact) (string, error) {
	if text, ok := l.files.All()[f.Name]; ok {
		return fact.Digest(text), nil
	}
	return "", nil
}

func (l looks) Value(_ context.Context, f fact.Fact) (any, error) { return l.files.All()[f.Name], nil }

func (looks) Changed() ([]fact.Fact, bool) { return []fact.Fact{{Family: lookFacts}}, false }

func (looks) Explain(_ []fact.Observation, changes []fact.Change, _ func(fact.Family, string) []fact.Observation) (out []condition.Cause) {
	for _, c := range changes {
		out = append(out, condition.Cause{Change: c, File: c.Fact.Name, Detail: "changed"})
	}
	return out
}

// over is the plugin over a made-up repository.
func over(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
	config := answers.Config{
		Layout: r.Layout, FrontMatter: true,
		Check: func(f fact.Fact) error {
			if f.Family != lookFacts {
				return errors.New("no answer rests on this")
			}
			return nil
		},
		Because:   func(c fact.Change) string { return c.Fact.Name + " changed" },
		Condition: func([]fact.Fact) string { return "evidence_changed()" },
	}
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings("", config.FrontMatter),
	})
	c.World, c.Words = look, survey.Words
	c.Rooms = []engine.Room{looks{r}, answers.NewRoom(own, look.Own)}
	c.Plugins = []engine.Plugin{answers.New(config, own)}
}

// given is an answer that rests on files as they are.
func given(question string, files map[string]string, rests ...string) string {
	a := answers.Answer{
		Question: question, Confidence: 0.9, Open: []string{"Who *calls* it?"},
		Sentences: []grounding.Sentence{{Text: "`A` returns one of A & co.", Cites: []grounding.Cite{{File: "a.go", From: 3, To: 3}, {Ref: "event 8f3a90c1"}}}},
	}
	for _, name := range rests {
		a.Evidence = append(a.Evidence, fact.New(lookFacts, name).As(fact.Digest(files[name])))
	}
	return string(a.Encode())
}

const (
	one = "package a\n\nfunc A() int { return 1 }\n"
	two = "package a\n\nfunc A() int { return 2 }\n"
)

// TestAnswersUnderTheSuite holds the plugin to what every plugin is held to.
func TestAnswersUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		files := map[string]string{"a.go": one, "b.go": "package b\n"}
		files[answers.File("how")] = given("How does `A` work?", files, "a.go", "b.go")
		both := []string{"answer/how", "answers/page"}
		s := enginetest.Prepared(t, files, over, []enginetest.Edit{
			{Name: "something else", Files: map[string]string{"c.go": "package c\n"}},
			{Name: "what it rests on", Files: map[string]string{"a.go": two}, Ran: both},
			{Name: "more of it", Files: map[string]string{"b.go": "package bb\n"}, Ran: both},
			{Name: "as it was", Files: map[string]string{"a.go": one, "b.go": "package b\n"}, Ran: both},
			{Name: "another answer", Files: map[string]string{answers.File("why"): given("Why?", files, "b.go")}, Ran: []string{"answers/page"}},
			{Name: "a file that is no answer", Files: map[string]string{".causal/answers/README.md": "x\n"}},
			{Name: "an answer is dropped", Gone: []string{answers.File("why")}, Ran: []string{"answers/page"}},
		}...)
		stored := s.Stored
		s.Stored = func(t testing.TB) map[string][]byte { // answers are input: a deleted one is not restored
			all := stored(t)
			maps.DeleteFunc(all, func(name string, _ []byte) bool { return strings.HasPrefix(name, store.Answers+"/") })
			return all
		}
		return s
	})
}

// project is a repository with the plugin.
type project struct {
	*enginetest.Project
	t *testing.T
}

func newProject(t *testing.T, files map[string]string) project {
	t.Helper()
	return project{enginetest.NewProject(t, files, over), t}
}

func (p project) page() string {
	text, _ := p.Read(answers.Page(p.Layout))
	return text
}

// TestPage: sentences lead to their places; an invalid answer names the cause, without links.
func TestPage(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": one, "b.go": "package b\n"}
	files[answers.File("how")] = given("How does `A` <work>?", map[string]string{"a.go": one}, "a.go")
	p := newProject(t, map[string]string{"a.go": one})
	if p.Update(); p.page() != "" {
		t.Fatalf("there is a page without answers:\n%s", p.page())
	}
	for name, text := range files {
		p.Write(name, text)
	}
	p.Write(answers.File("how"), given("How does A work?", map[string]string{"a.go": one}, "a.go"))
	p.Update()
	for _, want := range []string{"## How does A work?\n", "- `A` returns one of ", "[`a.go:3`](../a.go#L3)", "`event 8f3a90c1`", "Confidence: 0.9", "Who \\*calls"} {
		if !strings.Contains(p.page(), want) {
			t.Errorf("%q is not on the page\n%s", want, p.page())
		}
	}
	if strings.Contains(p.page(), "WARNING") {
		t.Errorf("an answer that holds has a banner:\n%s", p.page())
	}
	p.Write("a.go", two)
	p.Update()
	if text := p.page(); !strings.Contains(text, "> [!WARNING]\n> This answer may be wrong now: a.go changed.") || strings.Contains(text, "../a.go") {
		t.Errorf("the page of a fallen answer is\n%s", text)
	}
	if r := p.Update(); len(r.Ran) > 0 || len(r.Fell) > 0 {
		t.Errorf("a second run does %v", r)
	}
}

// TestKeptText: text of people on the page is kept, also when no answer is left.
func TestKeptText(t *testing.T) {
	t.Parallel()
	const kept = "<!-- causal:keep note -->\nAsk Grace.\n<!-- /causal:keep -->\n"
	files := map[string]string{"a.go": one}
	files[answers.File("how")] = given("How?", files, "a.go")
	p := newProject(t, files)
	p.Update()
	p.Write(answers.Page(p.Layout), p.page()+"\n"+kept)
	p.Write("a.go", two)
	p.Update()
	if text := p.page(); !strings.Contains(text, kept) || !strings.Contains(text, "WARNING") {
		t.Errorf("the page is\n%s", text)
	}
	p.Remove(answers.File("how"))
	p.Update()
	if text := p.page(); !strings.Contains(text, kept) || strings.Contains(text, "How?") {
		t.Errorf("the page is\n%s", text)
	}
}

// TestForeignFiles: an invalid file is reported, and does no harm.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	good := given("How?", map[string]string{"a.go": one}, "a.go")
	change := func(old, text string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in\n%s", old, good)
		}
		return strings.Replace(good, old, text, 1)
	}
	for name, text := range map[string]string{
		"no YAML":              "{",
		"a list":               "- a\n",
		"nothing":              "",
		"an alias":             change(`question: "How?"`, "question: &a How\nopen: [*a]"),
		"a key twice":          change("confidence: 0.9", "confidence: 0.9\nconfidence: 0.8"),
		"an unknown key":       change("confidence: 0.9", "confidence: 0.9\nrun: rm"),
		"a confidence":         change("confidence: 0.9", "confidence: 2"),
		"no number":            change("confidence: 0.9", "confidence: .nan"),
		"no evidence":          strings.Split(good, "evidence:")[0] + "evidence: []\n",
		"a link":               change("`A` returns", "[x](http://e.example) returns"),
		"HTML":                 change("`A` returns", "<img src=x> returns"),
		"a question in HTML":   change(`"How?"`, `"<script>How?"`),
		"a heading":            change(`"How?"`, `"# How?"`),
		"another family":       change("look a.go", "file a.go"),
		"evidence of nothing":  change("look a.go", "look"),
		"a sentence of nobody": change(`cites: ["a.go:3", "event 8f3a90c1"]`, "cites: []"),
	} {
		p := newProject(t, map[string]string{"a.go": one, answers.File("how"): text})
		if r := p.Update(); len(r.Blocked) != 1 || r.Blocked[0].Unit.String() != "answer/how" || !strings.Contains(r.Blocked[0].Because, answers.File("how")) {
			t.Errorf("%s: %+v", name, r.Blocked)
		}
		if after, _ := p.Read(answers.File("how")); after != text {
			t.Errorf("%s: the file was written: %s", name, after)
		}
		if page := p.page(); page != "" {
			t.Errorf("%s: there is a page\n%s", name, page)
		}
	}
}

// TestEncode: encoding and decoding are inverse.
func TestEncode(t *testing.T) {
	t.Parallel()
	a := &answers.Answer{
		Question: "How: \"why\" & 'what' #1?", Confidence: 1, Condition: `modified("a b.go")`, Open: []string{"one", "- two"}, Invalid: []string{"a: b", "c"},
		Sentences: []grounding.Sentence{
			{Text: "It is `a: b`, 'c' \"d\".", Cites: []grounding.Cite{{File: "a b.go", From: 1, To: 9}, {File: "c.go", From: 2, To: 2}, {Ref: "node money"}, {Ref: "event 8f3a90c1"}}},
			{Text: "And so on.", Cites: []grounding.Cite{{File: "Makefile"}}},
		},
		Evidence: []fact.Observation{fact.New(lookFacts, "a \"b\".go").As("digest"), fact.New(lookFacts, "gone").As("")},
	}
	files := oneFile(a.Encode())
	got, err := answers.Load(files, "how")
	if err != nil {
		t.Fatal(err)
	}
	if got.Condition = a.Condition; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", a) {
		t.Errorf("%+v\nis read as\n%+v", a, got)
	}
}

// oneFile is what every file holds.
type oneFile []byte

func (f oneFile) Read(string) ([]byte, error) { return f, nil }

func TestSlugs(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		".causal/answers/how-1a.yml": "how-1a", ".causal/answers/How.yml": "", ".causal/answers/a/b.yml": "", ".causal/answers/.yml": "", ".causal/answers/-a.yml": "",
		".causal/answers/a.yaml": "", ".causal/nodes/a.yml": "", ".causal/answers/" + strings.Repeat("a", 99) + ".yml": "",
	} {
		if slug, ok := answers.SlugOf(file); ok != (want != "") || ok && slug != want {
			t.Errorf("%s is the answer %q, %t", file, slug, ok)
		}
	}
}
