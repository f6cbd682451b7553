package worktree

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// sameDevice reports whether two files are on one file system, and so have one clock.
func sameDevice(a, b os.FileInfo) bool {
	x, okA := a.Sys().(*syscall.Stat_t)
	y, okB := b.Sys().(*syscall.Stat_t)
	return okA && okB && x.Dev == y.Dev
}

// looks returns the metadata that changes whenever the content does.
func looks(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		out := make([]byte, 0, 64)
		for _, n := range []int64{info.Size(), info.ModTime().UnixNano(), s.Ctim.Nano(), int64(s.Ino)} {
			out = append(strconv.AppendInt(out, n, 36), ' ')
		}
		return string(out)
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
