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

// yield has a child, and what it starts, go behind everything else on the machine.
func yield(cmd *exec.Cmd) {
	const behind = 10
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, behind) // it works without, only less kindly
}
