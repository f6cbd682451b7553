package mcp_test

import (
	"strings"
	"testing"
)

const reading = `id: names
version: 1.0.0
description: Names of the modules
inputs:
  most: {type: integer, default: 10}
steps:
  - id: modules
    uses: code.modules
    output: {modules: vars.modules}
  - id: sorted
    uses: data.sort
    input: {items: vars.modules, by: path, most: inputs.most}
    output: {items: outputs.modules, count: outputs.count}
`

const writing = `id: page
version: 1.0.0
description: Writes a page
steps:
  - id: page
    uses: docs.page
    input: {path: x.md, text: x}
`

// TestSkills: an agent lists and runs skills that only read.
func TestSkills(t *testing.T) {
	t.Parallel()
	a := connect(t, newRepository(t, map[string]string{".causal/skills/names.yml": reading, ".causal/skills/page.yml": writing, ".causal/skills/bad.yml": "id: bad\n", "a/a.go": "// Package a is one.\npackage a\n", "b/b.go": "package b\n"}))
	text, data := a.told("skills_list", nil)
	if list := data["skills"].([]any); len(list) != 1 || list[0].(map[string]any)["id"] != "names" || !strings.Contains(text, "bad.yml:1: ") {
		t.Errorf("%s", text)
	}
	a.wants(text, "run with `causal skills run ID` in a terminal, because they write pages or findings: page")
	text, data = a.told("skills_list", map[string]any{"skill": "page"})
	if len(data["skills"].([]any)) > 0 || strings.Contains(text, "no skills") {
		t.Errorf("a skill that writes is listed, or denied: %s", text)
	}
	_, data = a.told("skills_run", map[string]any{"skill": "names", "inputs": map[string]any{"most": 1}})
	if data["status"] != "completed" || data["outputs"].(map[string]any)["count"] != 1.0 || len(data["trace"].(map[string]any)["steps"].([]any)) != 2 {
		t.Errorf("%v", data)
	}
	for skill, want := range map[string]string{"page": "the skill page writes", "nope": "there is no skill", "bad": "bad.yml:1: "} {
		if text, _, failed := a.ask("skills_run", map[string]any{"skill": skill}); !failed || !strings.Contains(text, want) {
			t.Errorf("%s: %s", skill, text)
		}
	}
	if text, _, failed := a.ask("skills_run", map[string]any{"skill": "names", "inputs": map[string]any{"most": "x"}}); !failed || !strings.Contains(text, "must be an integer") {
		t.Error(text)
	}
}
