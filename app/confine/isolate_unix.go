//go:build unix

package confine

import (
	"os/exec"
	"syscall"
)

// isolate starts a program in a group of its own, so that what it starts ends with it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
