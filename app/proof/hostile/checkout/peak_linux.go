package checkout

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// peak samples the peak memory of a process until the context ends. The resource usage after the exit would include the parent's.
func peak(ctx context.Context, pid int) (most int64) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); err == nil && ok {
			line, _, _ := strings.Cut(after, " kB")
			if n, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64); err == nil {
				most = max(most, n<<10)
			}
		}
		select {
		case <-ctx.Done():
			return most
		case <-tick.C:
		}
	}
}
