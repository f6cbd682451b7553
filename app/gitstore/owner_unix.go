//go:build unix

package gitstore

import (
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

// ownedByUser reports whether a file belongs to the current user or, for root under sudo, to the caller of sudo.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == uint32(os.Geteuid()) {
		return true
	}
	caller, err := strconv.ParseUint(os.Getenv("SUDO_UID"), 10, 32)
	return os.Geteuid() == 0 && err == nil && stat.Uid == uint32(caller)
}
