package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// analysing is in the environment of the processes that analyse, and not in that of the server or of git.
const analysing = "CAUSAL_SANDBOX=1"

// analysesOf finds the children of a server that analyse something. One that has ended has none.
func analysesOf(server int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", server))
	if err != nil {
		return nil, err
	}
	var out []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread that is gone has no children
		for field := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", list, err)
			}
			environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if bytes.Contains(environment, []byte(analysing)) {
				out = append(out, pid)
			}
		}
	}
	return out, nil
}

// killRunning kills a process that is at work, and reports whether it was: it is stopped before, which one that has begun to end
// cannot be.
func killRunning(pid int) bool {
	if syscall.Kill(pid, syscall.SIGSTOP) != nil {
		return false
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		switch stateOf(pid) {
		case "T":
			return syscall.Kill(pid, syscall.SIGKILL) == nil
		case "", "Z", "X":
			return false
		}
	}
	_ = syscall.Kill(pid, syscall.SIGCONT)
	return false
}

// processorTime is how long a process ran on a processor, with its children that have ended and theirs. Linux counts hundredths of a
// second.
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	sum := 0
	for _, field := range strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))[11:15] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, fmt.Errorf("read /proc/%d/stat: %w", pid, err)
		}
		sum += n
	}
	return time.Duration(sum) * 10 * time.Millisecond, nil
}

// stateOf returns the process state in Linux's notation, or "".
func stateOf(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	return fields[0]
}
