//go:build !linux

package main

import (
	"errors"
	"time"
)

// analysesOf cannot tell which children a server has.
func analysesOf(int) ([]int, error) {
	return nil, errors.New("children of a server can be found on Linux only: -children 0 leaves them alone")
}

func strikeDown(int) bool { return false }

// processorTime is not known.
func processorTime(int) (time.Duration, error) { return 0, nil }
