package cli

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
)

const workflowPath = ".github/workflows/causal.yml"

// workflowHead identifies a workflow written by causal init.
const workflowHead = "# Written by causal init --workflow; you can edit it.\nname: causal\n"

const workflowText = workflowHead + `on:
  pull_request:
  merge_group:
  push:
    branches: [%[1]s]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-go@v5
        with:
          go-version: stable
          cache: false
      - uses: actions/cache@v4
        with:
          path: ~/go/bin/causal
          key: causal-${{ runner.os }}-%[2]s
      - run: command -v ~/go/bin/causal || go install %[3]s@%[2]s
      - name: Check the docs
        shell: bash
        run: |
          status=0
          ~/go/bin/causal check --diff > "$RUNNER_TEMP/check.txt" || status=$?
          cat "$RUNNER_TEMP/check.txt"
          { echo '~~~~diff'; cat "$RUNNER_TEMP/check.txt"; echo '~~~~'; } >> "$GITHUB_STEP_SUMMARY"
          exit "$status"
`

// isUnedited reports whether causal wrote all of a workflow, for any branch and version.
func isUnedited(text string) bool {
	_, branch, _ := strings.Cut(text, "branches: [")
	branch, _, _ = strings.Cut(branch, "]")
	_, install, _ := strings.Cut(text, "|| go install ")
	install, _, _ = strings.Cut(install, "\n")
	module, version, _ := strings.Cut(install, "@")
	return text == fmt.Sprintf(workflowText, branch, version, module)
}

// createWorkflow writes a workflow that checks pull requests with this version of causal.
func (p *place) createWorkflow(branch string) error {
	module, version := installed(debug.ReadBuildInfo())
	created, err := p.create(workflowPath, fmt.Sprintf(workflowText, branch, version, module))
	if created && version == latest {
		_, _ = fmt.Fprintf(p.world.Err, "%s installs the latest causal: this build does not know its version. Pin one before you commit it\n", workflowPath)
	}
	return err
}

const (
	modulePath = "github.com/causaldocs/causal"
	latest     = "latest"
)

// installed returns the module and version that a job must install to get this program: its release, or the commit it
// was built from.
func installed(info *debug.BuildInfo, ok bool) (module, version string) {
	if !ok {
		return modulePath, latest
	}
	module, version = cmp.Or(info.Main.Path, modulePath), info.Main.Version
	if version != "" && version != "(devel)" && !strings.HasSuffix(version, "+dirty") {
		return module, version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return module, s.Value
		}
	}
	return module, latest
}
