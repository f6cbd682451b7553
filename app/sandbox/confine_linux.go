package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/causaldocs/causal/app/confine"
)

func confined(l Limits) error {
	watchMemory(l.Memory)
	seconds := uint64(l.Time.Seconds()+1) * processors
	for what, limit := range map[int]uint64{
		unix.RLIMIT_CPU: seconds, unix.RLIMIT_DATA: uint64(l.Memory + mappings), unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_FSIZE: largestFile, unix.RLIMIT_CORE: 0,
	} {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
		// above the soft limit there is time to report the reason
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: min(limit, now.Max), Max: min(limit+limit/8, now.Max)}); err != nil {
			return fmt.Errorf("limit %d: %w", what, err)
		}
	}
	return confine.RefuseSockets()
}

// mappings is the address space in bytes that the Go runtime and git's pack files map in addition to used memory.
const mappings = 512 << 20
