package skills_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
)

// project is a repository with the plugins over it.
type project struct {
	*enginetest.Repository
	t     *testing.T
	model prompt.Model
}

func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	r := enginetest.NewRepository(t.TempDir(), files)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return &project{r, t, nil}
}

func (p *project) update() *engine.Report {
	p.t.Helper()
	own := p.Files()
	c, err := p.Open(own)
	if err != nil {
		p.t.Fatal(err)
	}
	overWith(p.Repository, own, &c, p.model)
	c.Workers = 4
	r, err := engine.New(c).Update(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

func (p *project) read(name string) string { return p.All()[name] }

const failing = `id: list
version: 1.0.0
description: Lists modules
steps:
  - id: text
    uses: text.template
    input: {template: "# List\n\n{{index .l 0}}", data: {l: []}}
    output: {text: outputs.text}
  - id: page
    uses: docs.page
    input: {path: list.md, text: outputs.text}
when: [update]
`

// TestAFailedSkillKeepsThePageWithABanner: the page keeps its text and says why it is out of date, until the skill works again.
func TestAFailedSkillKeepsThePageWithABanner(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "a/a.go": one, skill.Path("list"): listing("list", "Modules")})
	p.update()
	good := p.read("docs/list.md")
	p.Write(skill.Path("list"), failing)
	r := p.update()
	bad := p.read("docs/list.md")
	if !strings.Contains(bad, "# Modules\n\n> **Out of date:** the skill failed: `.causal/skills/list.yml:7`: step text: ") || !strings.Contains(bad, "- a: ") || len(r.Kept) != 1 {
		t.Errorf("kept %v:\n%s", r.Kept, bad)
	}
	if again := p.update(); len(again.Kept) != 1 || p.read("docs/list.md") != bad {
		t.Errorf("the next run: %v\n%s", again.Kept, p.read("docs/list.md"))
	}
	p.Write(skill.Path("list"), listing("list", "Modules"))
	if r := p.update(); p.read("docs/list.md") != good || len(r.Kept) > 0 {
		t.Errorf("%v\n%s", r.Kept, p.read("docs/list.md"))
	}
}

func TestAFailedSkillWithoutAPageSaysSo(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", skill.Path("list"): failing})
	if r := p.update(); len(r.Kept) != 1 || !strings.Contains(p.read("docs/list.md"), "# list\n\n> **Out of date:** ") {
		t.Errorf("%v\n%s", r.Kept, p.read("docs/list.md"))
	}
}

// TestASkillWithProblemsCostsItself: its page stays, its problems are reported, and other skills run.
func TestASkillWithProblemsCostsItself(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "a/a.go": one, skill.Path("list"): listing("list", "Modules"), skill.Path("more"): listing("more", "More")})
	p.update()
	p.Write(skill.Path("list"), "a: &a [x]\nid: *a\n")
	p.Write("a/a.go", two)
	r := p.update()
	if len(r.Blocked) != 1 || !strings.Contains(r.Blocked[0].Because, "line 1: anchors") {
		t.Errorf("blocked: %v", r.Blocked)
	}
	if got := p.read("docs/list.md"); !strings.Contains(got, "**Out of date:**") || !strings.Contains(got, "one thing") {
		t.Errorf("the page of the broken skill:\n%s", got)
	}
	if !strings.Contains(p.read("docs/more.md"), "two things") {
		t.Error("another skill did not run")
	}
	p.Write(skill.Path("list"), listing("list", "Modules"))
	if r := p.update(); len(r.Blocked) > 0 || !strings.Contains(p.read("docs/list.md"), "two things") || strings.Contains(p.read("docs/list.md"), "Out of date") {
		t.Errorf("mended: %v\n%s", r.Blocked, p.read("docs/list.md"))
	}
}

func TestNotesAndPagesOfPeopleStay(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "a/a.go": one, skill.Path("list"): listing("list", "Modules"), "docs/more.md": "mine\n"})
	p.update()
	note := "<!-- causal:keep n -->\nAsk finance.\n<!-- /causal:keep -->"
	p.Write("docs/list.md", strings.Replace(p.read("docs/list.md"), "---\n\nWritten", note+"\n\n---\n\nWritten", 1))
	p.Write(skill.Path("more"), listing("more", "More"))
	p.Write("a/a.go", two)
	r := p.update()
	if got := p.read("docs/list.md"); !strings.Contains(got, note) || !strings.Contains(got, "two things") {
		t.Errorf("the note is gone, or the page is old:\n%s", got)
	}
	if p.read("docs/more.md") != "mine\n" || len(r.Blocked) != 1 {
		t.Errorf("%v: %s", r.Blocked, p.read("docs/more.md"))
	}
	p.Remove(skill.Path("list"))
	p.update()
	if got := p.read("docs/list.md"); !strings.Contains(got, note) || strings.Contains(got, "two things") {
		t.Errorf("of a skill that is gone:\n%s", got)
	}
}

// TestWithoutHistoryAPageStays: where the history is not at hand, a page is neither changed nor out of date.
func TestWithoutHistoryAPageStays(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "HISTORY": "begun", skill.Path("past"): history})
	p.update()
	before := p.read("docs/deep/past.md")
	p.Remove("HISTORY")
	if r := p.update(); p.read("docs/deep/past.md") != before || len(r.Kept) > 0 || len(r.Partial) != 1 || !strings.Contains(before, "begun") {
		t.Errorf("%v, %v\n%s", r.Kept, r.Partial, p.read("docs/deep/past.md"))
	}
}

// filed is a skill that shows files, and reads commits for nothing.
const filed = `id: filed
version: 1.0.0
description: Tells files
steps:
  - {id: files, uses: git.changes, output: {files: vars.files}}
  - id: text
    uses: text.template
    input: {template: "# Files\n\n{{range .}}{{.}}{{end}}", data: vars.files}
    output: {text: vars.text}
  - {id: page, uses: docs.page, input: {path: filed.md, text: vars.text}}
  - {id: commits, uses: git.changes, output: {commits: vars.commits}}
when: [update]
`

// TestWithoutCommits: a page that needs none is up to date. One that needs some stays.
func TestWithoutCommits(t *testing.T) {
	t.Parallel()
	early := strings.Replace(strings.Replace(filed, "output: {files: vars.files}", "output: {files: vars.files, commits: vars.log}", 1), "filed", "early", 2)
	p := newProject(t, map[string]string{"go.mod": "module x\n", "FILES": "a.go", skill.Path("filed"): filed, skill.Path("early"): early})
	p.update()
	p.Write("FILES", "b.go")
	p.update()
	if got := p.read("docs/filed.md"); !strings.Contains(got, "b.go") || strings.Contains(got, "Out of date") {
		t.Errorf("a page that needs none:\n%s", got)
	}
	if got := p.read("docs/early.md"); strings.Contains(got, "b.go") || !strings.Contains(got, "step files: the git history is not available here") {
		t.Errorf("a page that needs commits:\n%s", got)
	}
}

const asking = `id: said
version: 1.0.0
description: What a model says
steps:
  - id: modules
    uses: code.modules
    output: {modules: vars.modules}
  - id: ask
    uses: model.complete
    input: {prompt: Say something, schema: {type: object, properties: {said: {type: string}}}, data: vars.modules}
    output: {answer.said: vars.said}
    else: {answer: {said: nothing}}
  - id: text
    uses: text.template
    input: {template: "# Said\n\n{{.}}", data: vars.said}
    output: {text: outputs.text}
  - id: page
    uses: docs.page
    input: {path: said.md, text: outputs.text}
when: [update]
`

// parrot is a model that says one thing.
type parrot struct {
	says  string
	asked int
}

func (m *parrot) Complete(_ context.Context, r prompt.Request) (prompt.Response, error) {
	m.asked++
	if r.Use != prompt.Skills || r.Unit != "skill/said" || !strings.Contains(r.Turns[0].Text, "one thing") && !strings.Contains(r.Turns[0].Text, "two things") {
		return prompt.Response{}, errors.New("the request is not that of the step")
	}
	data, err := json.Marshal(map[string]any{"said": m.says})
	return prompt.Response{Answer: data}, err
}

// TestAnswersAreKept: a page with a model's answer is checked and rebuilt without the model, until the data of the request changes.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "a/a.go": one, skill.Path("said"): asking})
	model := &parrot{says: "hello"}
	p.model = model
	p.update()
	if got := p.read("docs/said.md"); !strings.Contains(got, "hello") || model.asked != 1 {
		t.Fatalf("asked %d times:\n%s", model.asked, got)
	}
	p.model = nil
	p.Remove("docs/said.md")
	if err := p.Forget(); err != nil {
		t.Fatal(err)
	}
	if p.update(); !strings.Contains(p.read("docs/said.md"), "hello") {
		t.Errorf("without the model:\n%s", p.read("docs/said.md"))
	}
	p.Write("a/a.go", two)
	if p.update(); !strings.Contains(p.read("docs/said.md"), "nothing") {
		t.Errorf("other data:\n%s", p.read("docs/said.md"))
	}
	if p.read(skill.Dir+"/answers/said.json") != "" {
		t.Error("an answer is kept that no page has")
	}
}

func TestHiddenFilesReachNoModel(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"go.mod": "module x\n", "a/a.go": one, "secret/s.go": "// Package secret knows it.\npackage secret\n", skill.Path("said"): asking})
	model := &listener{}
	p.model = model
	p.update()
	if len(model.heard) != 1 || strings.Contains(model.heard[0], "secret") || !strings.Contains(model.heard[0], "one thing") {
		t.Errorf("heard %q", model.heard)
	}
}

type listener struct{ heard []string }

func (m *listener) Complete(_ context.Context, r prompt.Request) (prompt.Response, error) {
	m.heard = append(m.heard, r.Turns[0].Text)
	return prompt.Response{Answer: []byte(`{"said":"x"}`)}, nil
}

// sleeper is a model that takes longer for the first units.
type sleeper struct {
	mu    sync.Mutex
	asked []string
}

func (m *sleeper) Complete(_ context.Context, r prompt.Request) (prompt.Response, error) {
	time.Sleep(time.Duration('z'-r.Unit[len(r.Unit)-1]) * time.Second)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r.Unit)
	return prompt.Response{Answer: []byte(`{"said":"x"}`)}, nil
}

// TestModelsAreAskedInOrder: the pages of skills that ask a model are evaluated one after the other. The time in the test is not real.
func TestModelsAreAskedInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files, want := map[string]string{"go.mod": "module x\n", "a/a.go": one}, []string{}
		for _, id := range []string{"a", "b", "c", "d"} {
			files[skill.Path(id)] = strings.NewReplacer("id: said", "id: "+id, "said.md", id+".md").Replace(asking)
			want = append(want, "skill/"+id)
		}
		p := newProject(t, files)
		model := &sleeper{}
		p.model = model
		p.update()
		if !slices.Equal(model.asked, want) {
			t.Errorf("asked %v", model.asked)
		}
	})
}
