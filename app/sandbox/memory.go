package sandbox

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Garbage is collected late: most runs are over before the first time. From usual on, in bytes, it is collected at every step.
const (
	growth = 800 // percent
	usual  = 320 << 20
)

// exitMemory is how a child ends that has used up its memory.
const exitMemory = 86

// watchMemory ends this process when it uses more memory than it may.
func watchMemory(most int64) {
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(min(usual, most*3/4))
	go func() {
		used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for range time.Tick(20 * time.Millisecond) {
			metrics.Read(used)
			if int64(used[0].Value.Uint64()-used[1].Value.Uint64()) > most {
				fmt.Fprintln(os.Stderr, "out of memory")
				os.Exit(exitMemory)
			}
		}
	}()
}
