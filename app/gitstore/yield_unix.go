//go:build unix

package gitstore

import (
	"os/exec"
	"syscall"
)

// yield has a git that was just started, and what it starts, go behind everything else on the machine.
func yield(cmd *exec.Cmd) {
	const behind = 10
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, behind) // it works without, only less kindly
}
