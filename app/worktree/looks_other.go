//go:build !linux

package worktree

import (
	"fmt"
	"os"
)

// sameDevice is not supported here.
func sameDevice(_, _ os.FileInfo) bool { return false }

func looks(info os.FileInfo) string {
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
