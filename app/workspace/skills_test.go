package workspace_test

import (
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/skill"
)

// greeting is a skill that writes a page with a word.
func greeting(word string) string {
	return "id: greet\nversion: 1.0.0\ndescription: Greets\nsteps:\n  - {id: text, uses: text.template, input: {template: \"# Greeting\\n\\n" + word +
		"\"}, output: {text: outputs.text}}\n  - {id: page, uses: docs.page, input: {path: greet.md, text: outputs.text}}\nwhen: [update]\n"
}

// TestSkillsComeFromTheBase: a pull request is analysed with the skills of its base.
func TestSkillsComeFromTheBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	base := w.push("main", map[string]string{skill.Path("greet"): greeting("of the base")})
	head := w.push("main", map[string]string{
		skill.Path("greet"): greeting("of the head"), skill.Path("other"): strings.ReplaceAll(greeting("other"), "greet", "other"),
	})
	w.git(w.clone, "checkout", "--quiet", head)
	server, job := w.mirrored(head), w.checkout()
	server.Rules, server.Pull, job.Base = base, 1, base
	for name, from := range map[string]workspace.Source{"server": server, "job": job} {
		opened := w.open(from)
		w.update(opened)
		page, err := opened.Files.Read("docs/causal/greet.md")
		if err != nil || !strings.Contains(string(page), "of the base") {
			t.Errorf("%s: %v\n%s", name, err, page)
		}
		if _, err := opened.Files.Read("docs/causal/other.md"); err == nil {
			t.Errorf("%s: a skill of the head ran", name)
		}
	}
}
