package cli

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestWorkflowInstallsWhatWroteIt: a program that was downloaded as a module names itself in its version; one that was
// built from a copy of the source does not pretend to be anywhere.
func TestWorkflowInstallsWhatWroteIt(t *testing.T) {
	t.Parallel()
	const module = "example.com/tools/causal"
	downloaded := debug.Module{Path: module, Version: "v1.2.3", Sum: "h1:sum"}
	copied := debug.Module{Path: module, Version: "v1.2.4-0.20260101120000-0123456789ab+dirty"}
	for name, c := range map[string]struct {
		info  *debug.BuildInfo
		ok    bool
		known bool
		runs  []string
	}{
		"a release":            {&debug.BuildInfo{Main: downloaded}, true, true, []string{"go install " + module + "@v1.2.3", "causal check"}},
		"a copy of the source": {&debug.BuildInfo{Main: copied}, true, false, []string{"causal check"}},
		"nothing is known":     {nil, false, false, []string{"causal check"}},
	} {
		step, known := installStep(c.info, c.ok)
		text := fmt.Sprintf(workflowText, "main", step)
		var workflow struct {
			Jobs map[string]struct{ Steps []struct{ Run string } }
		}
		if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		var runs []string
		for _, s := range workflow.Jobs["check"].Steps {
			if s.Run != "" {
				runs = append(runs, s.Run)
			}
		}
		if known != c.known || !slices.Equal(runs, c.runs) {
			t.Errorf("%s: known %v, runs %q; want %v, %q", name, known, runs, c.known, c.runs)
		}
		if strings.Contains(text, "Put a step here") == known {
			t.Errorf("%s: the workflow says\n%s", name, text)
		}
	}
}
