//go:build darwin || netbsd || openbsd

package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// confined limits the resources of this process, which watches its own memory: the system has no limit for it.
func confined(l Limits) error {
	watchMemory(l.Memory)
	seconds := uint64(l.Time.Seconds()+1) * processors
	for what, limit := range map[int]uint64{unix.RLIMIT_CPU: seconds, unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_FSIZE: largestFile, unix.RLIMIT_CORE: 0} {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
		now.Cur = min(limit, now.Max)
		if err := unix.Setrlimit(what, &now); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
	}
	return nil
}
