//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"syscall"
)

// isolate starts a child in its own process group, so its children are killed with it.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func yield(cmd *exec.Cmd) {
	const behind = 10
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, behind) // best effort
}
