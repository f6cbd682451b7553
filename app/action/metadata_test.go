package action_test

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// metadata is action.yml.
type metadata struct {
	Name, Description string
	Inputs            map[string]struct {
		Description string
		Default     string
		Required    bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, Shell, Run, Uses string
	Env, With                  map[string]string
}

func readMetadata(t *testing.T) metadata {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var m metadata
	if err := yaml.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

var expression = regexp.MustCompile(`\$\{\{ *([^ }]+) *\}\}`)

// evaluate puts values in for the expressions that action.yml uses.
func evaluate(t *testing.T, text string, inputs map[string]string, token string, outputs map[string]map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		parts := strings.Split(name, ".")
		switch {
		case name == "github.token":
			return token
		case parts[0] == "inputs" && len(parts) == 2:
			return evaluate(t, inputs[parts[1]], nil, token, nil)
		case parts[0] == "steps" && len(parts) == 4 && parts[2] == "outputs":
			return outputs[parts[1]][parts[3]]
		}
		t.Errorf("the expression %s is not known", found)
		return ""
	})
}

func readOutputs(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			t.Errorf("an output reads %q", line)
		}
		out[key] = value
	}
	return out
}
