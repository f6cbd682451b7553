package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// machine is what Linux counts of the processors' time, in ticks since the start; zero elsewhere.
type machine struct{ busy, all float64 }

func readMachine() machine {
	data, err := os.ReadFile("/proc/stat")
	if err != nil {
		return machine{}
	}
	line, _, _ := strings.Cut(string(data), "\n")
	var m machine
	for i, field := range strings.Fields(line) {
		n, err := strconv.ParseFloat(field, 64)
		if err != nil || i > 8 { // guests are counted as users already
			continue
		}
		m.all += n
		if i != 4 && i != 5 { // idle, and waiting for a disk
			m.busy += n
		}
	}
	return m
}

// since says how busy all processors were.
func (m machine) since(before machine) string {
	if m.all == before.all {
		return "unknown"
	}
	return fmt.Sprintf("%.0f %% of %d cores busy", 100*(m.busy-before.busy)/(m.all-before.all), runtime.NumCPU())
}

// loadAverage is that of the last minute.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}
