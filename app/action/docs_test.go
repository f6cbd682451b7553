package action_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

func readDocs(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// workflow has the parts of a workflow that the test needs.
type workflow struct {
	Name        string
	On          any
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []struct {
			Uses string
			With map[string]string
		}
	}
}

var yamlFence = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

// workflows returns the workflows in a document.
func workflows(t *testing.T, doc string) []workflow {
	t.Helper()
	var out []workflow
	for _, m := range yamlFence.FindAllStringSubmatch(readDocs(t, doc), -1) {
		var w workflow
		if !strings.HasPrefix(m[1], "name: ") {
			continue // a single step
		}
		if err := yaml.Unmarshal([]byte(m[1]), &w); err != nil {
			t.Fatalf("%v\n%s", err, m[1])
		}
		out = append(out, w)
	}
	return out
}

// events lists the names of the events that start a workflow.
func (w workflow) events() []string {
	var out []string
	switch on := w.On.(type) {
	case string:
		out = append(out, on)
	case []any:
		for _, name := range on {
			out = append(out, fmt.Sprint(name))
		}
	case map[string]any:
		out = slices.Sorted(maps.Keys(on))
	}
	return out
}

// TestDocumentedWorkflowsRun runs the job of every workflow in the documents for each event that starts it, when a page is stale.
func TestDocumentedWorkflowsRun(t *testing.T) {
	t.Parallel()
	expression, jobs := documentedMode(t), map[string]bool{}
	for _, w := range append(workflows(t, "action.md"), workflows(t, "ci.md")...) {
		for _, documented := range w.Jobs {
			for _, event := range w.events() {
				inputs, full := map[string]string{}, false
				for _, s := range documented.Steps {
					full = full || s.With["fetch-depth"] == "0"
					if strings.HasPrefix(s.Uses, "causaldocs/causal@") {
						inputs = maps.Clone(s.With)
					}
				}
				if strings.Contains(inputs["mode"], "${{") {
					inputs["mode"] = expression(event)
				}
				j := job{event: event, permissions: w.permissions(), inputs: inputs, fullClone: full}
				key := fmt.Sprint(event, j.permissions, inputs, full)
				if jobs[key] { // by another workflow
					continue
				}
				jobs[key] = true
				t.Run(w.Name+" "+cmp.Or(inputs["mode"], "check")+" "+event, func(t *testing.T) {
					t.Parallel()
					runDocumented(t, j)
				})
			}
		}
	}
	if len(jobs) < 10 {
		t.Errorf("the documents have only %d jobs", len(jobs))
	}
}

// runDocumented runs a job for a change that makes a page stale. The mode check fails for it; what another mode publishes on main is
// up to date in a new checkout.
func runDocumented(t *testing.T, j job) {
	t.Helper()
	h := documented(t)
	switch p := h.proposed(nil); j.event {
	case "pull_request":
		j.pull = &p
	case "push":
		j.ref = "refs/heads/main"
		h.push("main", map[string]string{"money/money.go": widened})
	case "merge_group":
		group := must(h, func() (string, error) { return h.repo.Enqueue(p.Number, "octo") })
		j.ref = "refs/heads/" + group
	default:
		t.Fatalf("no test runs the event %s", j.event)
	}
	j.meanwhile = func(workspace string) { // the logs of the linters that ran before
		for pattern := range strings.FieldsSeq(j.inputs["sarif"]) {
			if err := os.WriteFile(filepath.Join(workspace, pattern), []byte(`{"version": "2.1.0", "runs": []}`), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	mode, code := cmp.Or(j.inputs["mode"], "check"), 0
	if mode == "check" {
		code = 1
	}
	h.ends(h.run(j), code, "money")
	switch {
	case j.event == "push" && mode == "commit":
		fresh := filepath.Join(t.TempDir(), "fresh")
		h.checkOut(job{ref: "refs/heads/main"}, fresh)
		h.causal(fresh, "check")
	case j.event == "push" && mode == "pr" && len(h.repo.Pulls()) != 2:
		t.Errorf("there are %d pull requests", len(h.repo.Pulls()))
	case j.event == "pull_request" && mode == "comment" && len(h.repo.Comments(j.pull.Number)) != 1:
		t.Errorf("there are %d comments", len(h.repo.Comments(j.pull.Number)))
	}
}

// permissions are those of the job's token, as GitHub's API names them.
func (w workflow) permissions() map[string]string {
	out := map[string]string{}
	for name, level := range w.Permissions {
		out[strings.ReplaceAll(name, "-", "_")] = level
	}
	return out
}

// documentedMode evaluates the expression that chooses the mode in the one workflow for all.
func documentedMode(t *testing.T) func(event string) string {
	t.Helper()
	choice := regexp.MustCompile(`^\$\{\{ github\.event_name == '(\w+)' && '(\w+)' \|\| '(\w+)' \}\}$`)
	for _, w := range workflows(t, "action.md") {
		for _, j := range w.Jobs {
			for _, s := range j.Steps {
				if m := choice.FindStringSubmatch(s.With["mode"]); m != nil {
					return func(event string) string {
						if event == m[1] {
							return m[2]
						}
						return m[3]
					}
				}
			}
		}
	}
	t.Fatal("docs/action.md has no workflow that chooses the mode by the event")
	return nil
}

// documentedPermissions returns the permissions in docs/action.md for each mode. The jobs of these tests run with them.
func documentedPermissions(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, w := range workflows(t, "action.md") {
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				mode := cmp.Or(s.With["mode"], "check")
				if strings.HasPrefix(s.Uses, "causaldocs/causal@") && out[mode] == nil { // later ones use a mode for something besides
					out[mode] = w.permissions()
				}
			}
		}
	}
	return out
}

// TestDocumentedInFull: docs/action.md has every input, output and mode, and no others.
func TestDocumentedInFull(t *testing.T) {
	t.Parallel()
	docs, m := readDocs(t, "action.md"), readMetadata(t)
	for name := range m.Inputs {
		if !strings.Contains(docs, "| `"+name+"` |") {
			t.Errorf("docs/action.md does not say what the input %s is", name)
		}
	}
	for name := range m.Outputs {
		if !strings.Contains(docs, "| `"+name+"` |") {
			t.Errorf("docs/action.md does not say what the output %s is", name)
		}
	}
	modes := documentedPermissions(t)
	for _, mode := range []string{"check", "commit", "pr", "comment"} {
		if modes[mode] == nil {
			t.Errorf("docs/action.md has no workflow for the mode %s", mode)
		}
	}
	data, err := os.ReadFile("../../.github/workflows/docs.yml")
	if err != nil {
		t.Fatal(err)
	}
	var own workflow
	if err := yaml.Unmarshal(data, &own); err != nil {
		t.Fatal(err)
	}
	for _, job := range own.Jobs { // app/cli checks the workflows of the documents
		for _, s := range job.Steps {
			for name := range s.With {
				if _, known := m.Inputs[name]; s.Uses == "./" && !known {
					t.Errorf("the workflow gives the input %s, which action.yml does not have", name)
				}
			}
		}
	}
}
