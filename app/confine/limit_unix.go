//go:build linux || darwin || netbsd || openbsd

package confine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Limit limits resources of this process. Over a limit, it has an eighth more to report that, if it may.
func Limit(limits map[int]uint64, reports bool) error {
	for what, limit := range limits {
		most := limit
		if reports {
			most += limit / 8
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: min(limit, now.Max), Max: min(most, now.Max)}); err != nil {
			return fmt.Errorf("limit %d to %d: %w", what, limit, err)
		}
	}
	return nil
}
