package cli

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestWorkflowInstallsWhatWroteIt: the job installs the version that wrote the workflow: a release, or the commit of a build.
func TestWorkflowInstallsWhatWroteIt(t *testing.T) {
	t.Parallel()
	const module = "example.com/tools/causal"
	revision := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789ab"}}
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want string
	}{
		"a release":           {&debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.3"}}, module + "@v1.2.3"},
		"a build in a clone":  {&debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}, Settings: revision}, module + "@0123456789ab"},
		"one with changes":    {&debug.BuildInfo{Main: debug.Module{Path: module, Version: "v1.2.4-0.2026+dirty"}, Settings: revision}, module + "@0123456789ab"},
		"nothing is known":    {nil, modulePath + "@latest"},
		"without git's state": {&debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}, module + "@latest"},
	} {
		path, version := installed(c.info, c.info != nil)
		text := fmt.Sprintf(workflowText, "main", version, path)
		var workflow struct {
			Jobs map[string]struct{ Steps []struct{ Run string } }
		}
		if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		steps := workflow.Jobs["check"].Steps
		if install := steps[3].Run; !strings.HasSuffix(install, "go install "+c.want) || !strings.Contains(steps[4].Run, "causal check --diff") {
			t.Errorf("%s: the job runs %q and %q, want %s", name, install, steps[4].Run, c.want)
		}
	}
}
