//go:build !unix

package main

import (
	"os"
	"time"
)

// peak is the most memory that a process held, in bytes; it is not known here.
func peak(*os.ProcessState) int64 { return 0 }

var began = time.Now()

// cpu is the time that passed: the processor's is not known here.
func cpu() time.Duration { return time.Since(began) }
