//go:build !unix

package sandbox

import "os/exec"

func yield(*exec.Cmd) {}

func wasKilled(error) bool { return false }
