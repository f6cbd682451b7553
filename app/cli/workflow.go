package cli

import (
	"fmt"
	"runtime/debug"
)

const workflowPath = ".github/workflows/causal.yml"

const workflowText = `name: causal
on:
  pull_request:
  push:
    branches: [%s]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
%s      - run: causal check
`

// The step that gets causal: the very version that writes the nodes, because another one may find them stale.
const (
	installReleased = `      - uses: actions/setup-go@v5
        with:
          go-version: stable
      - run: go install %s@%s
`
	installUnknown = `      # The causal that wrote this file was built from a copy of its source, so that it does not know where this job can
      # get it. Put a step here that installs it, in the version that you run yourself; until then this job fails.
`
)

// createWorkflow writes a workflow that holds pull requests to the knowledge.
func (p *place) createWorkflow(branch string) error {
	step, known := installStep(debug.ReadBuildInfo())
	created, err := p.create(workflowPath, fmt.Sprintf(workflowText, branch, step))
	if created && !known {
		_, _ = fmt.Fprintf(p.world.Err, "%s needs a step that installs causal: this one was built from a copy of its source and cannot tell where to get it\n", workflowPath)
	}
	return err
}

// installStep is how a job gets this program. Only a build of a downloaded module has a sum: then it can be downloaded
// again.
func installStep(info *debug.BuildInfo, ok bool) (step string, known bool) {
	if !ok || info.Main.Sum == "" {
		return installUnknown, false
	}
	return fmt.Sprintf(installReleased, info.Main.Path, info.Main.Version), true
}
