package sandbox

import (
	"os/exec"
	"syscall"

	"github.com/causaldocs/causal/app/confine"
)

// isolate kills a child also when the parent dies.
func isolate(cmd *exec.Cmd) {
	confine.Isolate(cmd)
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
