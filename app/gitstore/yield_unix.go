//go:build unix

package gitstore

import (
	"os/exec"
	"syscall"
)

// yield lowers the priority of a started git process and its children.
func yield(cmd *exec.Cmd) {
	const behind = 10
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, behind) // best effort
}
