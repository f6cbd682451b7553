//go:build unix

package confine

import (
	"os/exec"
	"syscall"
)

// Isolate starts a program in its own process group, so its children are killed with it.
func Isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
