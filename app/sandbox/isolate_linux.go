package sandbox

import (
	"os/exec"
	"syscall"
)

// isolate starts a child in a group of its own, so that what it starts ends with it, and has it end with the parent.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
