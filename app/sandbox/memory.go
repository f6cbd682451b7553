package sandbox

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Garbage collection starts late, because most runs are short. From usual on, in bytes, it runs constantly.
const (
	growth = 800 // percent
	usual  = 320 << 20
)

const exitMemory = 86

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
