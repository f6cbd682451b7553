package action_test

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

func readDocs(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/action.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// workflow is what this test reads of one.
type workflow struct {
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

// workflows are those that docs/action.md shows.
func workflows(t *testing.T) []workflow {
	t.Helper()
	var out []workflow
	for _, m := range yamlFence.FindAllStringSubmatch(readDocs(t), -1) {
		var w workflow
		if !strings.HasPrefix(m[1], "name: ") {
			continue // a step by itself
		}
		if err := yaml.Unmarshal([]byte(m[1]), &w); err != nil {
			t.Fatalf("%v\n%s", err, m[1])
		}
		out = append(out, w)
	}
	return out
}

// documentedMode evaluates the expression that chooses the mode in the one workflow for all.
func documentedMode(t *testing.T) func(event string) string {
	t.Helper()
	choice := regexp.MustCompile(`^\$\{\{ github\.event_name == '(\w+)' && '(\w+)' \|\| '(\w+)' \}\}$`)
	for _, w := range workflows(t) {
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

// documentedPermissions are those that docs/action.md shows for each mode: the jobs of these tests run with them.
func documentedPermissions(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, w := range workflows(t) {
		permissions := map[string]string{}
		for name, level := range w.Permissions {
			permissions[strings.ReplaceAll(name, "-", "_")] = level
		}
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				mode := cmp.Or(s.With["mode"], "check")
				if strings.HasPrefix(s.Uses, "causaldocs/causal@") && out[mode] == nil { // later ones use a mode for something besides
					out[mode] = permissions
				}
			}
		}
	}
	return out
}

// TestDocumentedInFull: docs/action.md has every input, output and mode, and no others.
func TestDocumentedInFull(t *testing.T) {
	t.Parallel()
	docs, m := readDocs(t), readMetadata(t)
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
	for _, w := range append(workflows(t), own) {
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				if s.Uses != "./" && !strings.HasPrefix(s.Uses, "causaldocs/causal@") {
					continue
				}
				for name := range s.With {
					if _, known := m.Inputs[name]; !known {
						t.Errorf("a workflow gives the input %s, which action.yml does not have", name)
					}
				}
			}
		}
	}
}
