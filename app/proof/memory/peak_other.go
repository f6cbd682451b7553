//go:build !unix

package main

import "os"

// peak is the most memory that a process held, in bytes; it is not known here.
func peak(*os.ProcessState) int64 { return 0 }
