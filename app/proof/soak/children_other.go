//go:build !linux

package main

import (
	"errors"
	"time"
)

// analysesOf needs /proc.
func analysesOf(int) ([]int, error) {
	return nil, errors.New("children of a server can be found on Linux only")
}

func killRunning(int) bool { return false }

// processorTime is not known.
func processorTime(int) (time.Duration, error) { return 0, nil }
