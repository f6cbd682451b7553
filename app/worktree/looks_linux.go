package worktree

import (
	"fmt"
	"os"
	"syscall"
)

// looks is what a file's metadata says about its content: when none of it changed, neither did the content.
func looks(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d %d %d.%d %d", info.Size(), info.ModTime().UnixNano(), s.Ctim.Sec, s.Ctim.Nsec, s.Ino)
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
