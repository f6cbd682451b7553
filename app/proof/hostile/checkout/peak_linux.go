package checkout

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// peak tells the most memory that a process has had, as often as it can be asked, until the context ends. What the system tells
// of it in the end counts its parent's as well.
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
