//go:build !unix

package gitstore

import "os/exec"

// yield does nothing on this platform.
func yield(*exec.Cmd) {}
