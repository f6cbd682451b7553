package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// statements counts the statements in a coverage profile, and the reached ones.
func statements(file string) (reached, all int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	type block struct {
		statements int
		reached    bool
	}
	blocks := map[string]block{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 { // the first line says how it was counted
			continue
		}
		n, err := strconv.Atoi(fields[1])
		if err != nil {
			return 0, 0, fmt.Errorf("%s: read the profile: %w", file, err)
		}
		blocks[fields[0]] = block{n, blocks[fields[0]].reached || fields[2] != "0"}
	}
	for _, b := range blocks {
		if all += b.statements; b.reached {
			reached += b.statements
		}
	}
	return reached, all, nil
}
