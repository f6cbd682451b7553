package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/programtest"
	"github.com/causaldocs/causal/app/skills"
	"github.com/causaldocs/causal/knowledge/skill"
	"github.com/causaldocs/causal/testgen/spec"
)

// workflowOf is the workflow that a block shows; steps alone become those of a job.
func workflowOf(b block) string {
	var steps []any
	switch {
	case yaml.Unmarshal([]byte(b.text), &steps) == nil:
		return "on: push\njobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n" +
			regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(b.text, "      $1")
	case strings.Contains(b.text, "\njobs:\n"):
		return b.text
	}
	return ""
}

// checkFile checks a file that a document shows, by the keys of its kind.
func checkFile(t *testing.T, b block) {
	t.Helper()
	if workflow := workflowOf(b); workflow != "" {
		checkWorkflow(t, workflow)
		return
	}
	var keys map[string]any
	decode(t, b.text, &keys)
	switch {
	case keys["repos"] != nil:
		checkHooks(t, b.text)
	case keys["spec"] != nil:
		var pod struct {
			Spec struct{ Containers []struct{ Args []string } }
		}
		decode(t, b.text, &pod)
		newShell(t, programtest.Build(t), "empty").pod(pod.Spec.Containers[0].Args)
	case keys["mcpServers"] != nil:
		checkClient(t, b.text)
	case keys["id"] != nil && keys["steps"] != nil:
		if set := skill.Read([]skill.File{{Name: b.doc, Data: []byte(b.text)}}, skills.Specs); len(set.Problems) > 0 {
			t.Errorf("%s: %v", b, set.Problems)
		}
	case keys["schema"] == "causal.testspec/v1":
		checkSpec(t, b.text)
	default:
		if _, err := config.Parse("config.yml", []byte(b.text)); err != nil {
			t.Errorf("%s: %v", b, err)
		}
	}
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// checkWorkflow expects inputs that action.yml has. The jobs themselves run in the tests of app/action.
func checkWorkflow(t *testing.T, text string) {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct{ Inputs map[string]any }
	decode(t, string(data), &action)
	var file struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	decode(t, text, &file)
	for _, job := range file.Jobs {
		for _, step := range job.Steps {
			for name := range step.With {
				if action.Inputs[name] == nil && strings.HasPrefix(step.Uses, "causaldocs/causal@") {
					t.Errorf("the Action has no input %s", name)
				}
			}
		}
	}
}

// lintWorkflows checks the syntax of all workflows with actionlint, if go can build it here.
func lintWorkflows(t *testing.T, workflows map[string]string) {
	t.Helper()
	if len(workflows) < 5 {
		t.Errorf("the documents have only %d workflows", len(workflows))
	}
	dir := t.TempDir()
	args := []string{"tool", "-modfile=.ci/actions.mod", "actionlint", "-shellcheck=", "-pyflakes="}
	probe := exec.CommandContext(t.Context(), "go", append(slices.Clone(args[:3]), "-version")...)
	probe.Dir, probe.Env = filepath.Join("..", ".."), append(os.Environ(), "GOPROXY=off")
	if out, err := probe.CombinedOutput(); err != nil {
		t.Logf("the syntax of workflows is not checked, because actionlint is not in the module cache: %s", out)
		return
	}
	for name, text := range workflows {
		file := filepath.Join(dir, name+".yml")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	lint := exec.CommandContext(t.Context(), "go", args...)
	lint.Dir, lint.Env = probe.Dir, probe.Env
	if out, err := lint.CombinedOutput(); err != nil {
		t.Errorf("actionlint: %v\n%s", err, out)
	}
}

// checkHooks runs the entries of the hooks that a .pre-commit-config.yaml names, in a repository that is up to date.
func checkHooks(t *testing.T, text string) {
	t.Helper()
	var file struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct{ ID string }
		}
	}
	decode(t, text, &file)
	data, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct{ ID, Entry string }
	decode(t, string(data), &hooks)
	r := newDocumentedShop(t)
	for _, named := range file.Repos[0].Hooks {
		i := slices.IndexFunc(hooks, func(h struct{ ID, Entry string }) bool { return h.ID == named.ID })
		if i < 0 {
			t.Fatalf("there is no hook %s", named.ID)
		}
		r.causal(0, strings.Fields(hooks[i].Entry)[1:]...)
	}
}

// checkClient speaks with the server that the settings of an MCP client name.
func checkClient(t *testing.T, text string) {
	t.Helper()
	var file struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil || len(file.Servers) == 0 {
		t.Fatal(err)
	}
	s := newShell(t, programtest.Build(t), "documented")
	for _, server := range file.Servers {
		s.speaksMCP(append([]string{server.Command}, server.Args...), filepath.Join(filepath.Dir(s.root), "work"), s.env)
	}
}

// checkSpec reads a spec as causal testgen does. An ellipsis ends a shortened list.
func checkSpec(t *testing.T, text string) {
	t.Helper()
	var of struct{ Target struct{ Pkg, Symbol string } }
	decode(t, text, &of)
	name := ".causal/specs/" + path.Base(of.Target.Pkg) + "/" + of.Target.Symbol + ".yml"
	if _, err := spec.Decode(name, []byte(strings.ReplaceAll(text, ", …]", "]"))); err != nil {
		t.Error(err)
	}
}
