package skills_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/engine/enginetest"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/prompt"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/knowledge/source/languages"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/knowledge/survey/surveytest"
	"github.com/causaldocs/causal/render"
)

// over are the plugins over a made-up repository. Its history is the file HISTORY.
func over(r *enginetest.Repository, own *enginetest.Files, c *engine.Config) {
	overWith(r, own, c, nil)
}

// overWith is over with a model, which may not see the directory secret.
func overWith(r *enginetest.Repository, own *enginetest.Files, c *engine.Config, model prompt.Model) {
	pages := render.Config{Layout: r.Layout, FrontMatter: true}
	config := &skills.Config{
		Layout: r.Layout, FrontMatter: true, Shows: func(file string) bool { return !strings.HasPrefix(file, "secret/") },
		Model: func() prompt.Model { return model },
		Taken: func(file string) bool {
			return strings.HasPrefix(file, r.Layout.Docs+"/modules/") || file == r.Layout.Index()
		},
		Read: func() (out []skill.File, err error) {
			names, err := own.List(skill.Dir)
			for _, name := range names {
				if _, ok := skill.IDOf(name); ok {
					data, err := own.Read(name)
					if err != nil {
						return nil, err
					}
					out = append(out, skill.File{Name: name, Data: data})
				}
			}
			return out, err
		},
		History: func(_ context.Context, call skills.HistoryCall) (map[string]any, error) {
			if files, ok := r.All()["FILES"]; ok && call.Name == skills.ChangesCall { // as on the server
				return map[string]any{"since": "v1", "files": []any{files}}, nil
			}
			text, ok := r.All()["HISTORY"]
			if !ok {
				return nil, skills.ErrNoHistory
			}
			return map[string]any{"commits": []any{text}, "authors": []any{}, "areas": []any{}, "more": false}, nil
		},
	}
	look := survey.New(survey.Config{
		Tree: surveytest.Tree{Files: r}, Index: c.Index, Batch: c.Batch, Languages: languages.All(), Owned: r.Layout.Owns,
		Excluded: func(string) bool { return false }, MaxBytes: 1 << 20, Settings: survey.Settings(pages.Repository, pages.FrontMatter),
	})
	c.World, c.Words = look, survey.Words
	room := skills.NewRoom(config, look.Own)
	c.Rooms = []engine.Room{ledger.NewRoom(own, look.Own), room}
	c.Plugins = []engine.Plugin{render.New(pages, own, languages.All(), look.LeftOut), skills.New(config, room, own)}
}

// listing is a skill that lists modules under a title.
func listing(id, title string) string {
	return `id: ` + id + `
version: 1.0.0
description: Lists modules
steps:
  - id: modules
    uses: code.modules
    output: {modules: working.artifacts.modules}
  - id: text
    uses: text.template
    input:
      template: "# {{.title}}\n\n{{range .modules}}- {{.path}}: {{.purpose}}\n{{end}}"
      data: {title: "` + title + `", modules: working.artifacts.modules}
    output: {text: outputs.text}
  - id: page
    uses: docs.page
    input: {path: ` + id + `.md, text: outputs.text}
when: [update]
`
}

const history = `id: past
version: 1.0.0
description: Tells the past
steps:
  - id: log
    uses: git.log
    output: {commits: vars.commits}
  - id: text
    uses: text.template
    input: {template: "# Past\n\n{{range .}}{{.}}{{end}}", data: vars.commits}
    output: {text: outputs.text}
  - id: page
    uses: docs.page
    input: {path: deep/past.md, text: outputs.text}
when: [update]
`

const (
	one = "// Package a does one thing.\npackage a\n\nfunc A() int { return 1 }\n"
	two = "// Package a does two things.\npackage a\n\nfunc A() int { return 1 }\n"
)

// TestPagesOfSkillsUnderTheSuite holds the plugin to what every plugin is held to.
func TestPagesOfSkillsUnderTheSuite(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t testing.TB) enginetest.Subject {
		files := map[string]string{
			"go.mod": "module x\n", "a/a.go": one, "HISTORY": "begun", skill.Path("list"): listing("list", "Modules"), skill.Path("past"): history,
		}
		module := []string{"module/a", "page/a", "page/index", "page/llms.txt", "page/modules"}
		s := enginetest.Prepared(t, files, over, []enginetest.Edit{
			{Name: "a body", Files: map[string]string{"a/a.go": strings.Replace(one, "return 1", "return 2", 1)}, Ran: []string{"module/a"}},
			{Name: "what it shows", Files: map[string]string{"a/a.go": two}, Ran: append([]string{"skill/list/list.md"}, module...)},
			{Name: "the history", Files: map[string]string{"HISTORY": "gone on"}, Ran: []string{"skill/past/deep/past.md"}},
			{Name: "a comment in a skill", Files: map[string]string{skill.Path("list"): "# a note\n" + listing("list", "Modules")}},
			{Name: "the skill", Files: map[string]string{skill.Path("list"): listing("list", "All modules")}, Ran: []string{"skill/list/list.md"}},
			{Name: "another skill", Files: map[string]string{skill.Path("more"): listing("more", "More")}, Ran: []string{"skill/more/more.md"}},
			{Name: "a skill is gone", Gone: []string{skill.Path("more")}, Removed: []string{"skill/more/more.md"}},
		}...)
		stored := s.Stored
		s.Stored = func(t testing.TB) map[string][]byte { // skills are input: a deleted one is not restored
			all := stored(t)
			maps.DeleteFunc(all, func(name string, _ []byte) bool { _, ok := skill.IDOf(name); return ok })
			return all
		}
		return s
	})
}
