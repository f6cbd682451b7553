package sandbox

import (
	"os/exec"
	"syscall"
)

// isolate starts a child in a process group that is killed with it, and kills it when the parent dies.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func yield(cmd *exec.Cmd) {
	const behind = 10
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, behind) // best effort
}
