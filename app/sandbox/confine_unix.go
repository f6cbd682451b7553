//go:build linux || darwin || netbsd || openbsd

package sandbox

import (
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/causaldocs/causal/app/confine"
)

// mappings is the address space in bytes that the Go runtime and git's pack files map in addition to used memory.
const mappings = 512 << 20

// confined limits the resources of this process, which watches its own memory: not all systems have a limit for it.
func confined(l Limits) error {
	watchMemory(l.Memory)
	limits := map[int]uint64{
		unix.RLIMIT_CPU: uint64(l.Time.Seconds()+1) * processors, unix.RLIMIT_NOFILE: openFiles, unix.RLIMIT_FSIZE: largestFile, unix.RLIMIT_CORE: 0,
	}
	if runtime.GOOS == "linux" {
		limits[unix.RLIMIT_DATA] = uint64(l.Memory + mappings)
	}
	if err := confine.Limit(limits, true); err != nil {
		return err
	}
	return confine.RefuseSockets()
}
