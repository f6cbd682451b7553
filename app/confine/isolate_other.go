//go:build !unix

package confine

import "os/exec"

// Isolate does nothing. Only the program itself can be killed.
func Isolate(*exec.Cmd) {}
