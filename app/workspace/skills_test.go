package workspace_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/skills"
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

const everything = `id: everything
version: 1.0.0
description: Calls what has known keys
steps:
  - {id: a, uses: git.changes, input: {since: first}}
  - {id: b, uses: git.log}
  - {id: c, uses: code.api_changes, input: {since: first, commits: true}}
  - {id: d, uses: code.modules}
  - {id: e, uses: code.node, input: {module: money}}
  - {id: f, uses: code.symbols, output: {symbols: vars.symbols}}
  - {id: g, uses: code.references, input: {symbol: money.Amount}}
  - {id: h, uses: code.search, input: {query: amount}}
  - {id: i, uses: code.project}
  - {id: j, uses: text.match, input: {pattern: a, text: abc}}
  - {id: k, uses: data.group, input: {items: vars.symbols, by: module}}
`

// TestKeysOfOutputs: what capabilities answer has exactly the keys that the planner knows.
func TestKeysOfOutputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shop)
	w.git(w.clone, "tag", "first")
	w.push("main", map[string]string{
		skill.Path("everything"): everything, "money/money.go": strings.Replace(shop["money/money.go"], "Parse(s string)", "Parse(s, of string)", 1),
	})
	w.git(w.clone, "merge", "--quiet", "origin/main")
	at := w.open(w.workTree())
	w.update(at)
	k, err := at.Look()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, _, err := k.RunSkill(t.Context(), "everything", nil)
	if err != nil || r.Err != nil {
		t.Fatal(err, r.Err)
	}
	for _, step := range r.State.Trace.Steps {
		produced, _ := r.State.StepResults[step.StepID].Produced.(map[string]any)
		for _, f := range skills.Specs[step.CapabilityID].Output {
			value := produced[f.Name]
			if list, ok := value.([]any); ok && len(list) > 0 {
				value = list[0]
			}
			keys, ok := value.(map[string]any)
			if f.Keys == nil && ok || f.Keys != nil && (!ok || !slices.Equal(slices.Sorted(maps.Keys(keys)), slices.Sorted(slices.Values(f.Keys)))) {
				t.Errorf("%s: %s has %v, and not the keys %v", step.CapabilityID, f.Name, value, f.Keys)
			}
		}
	}
}
