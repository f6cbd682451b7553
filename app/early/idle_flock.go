//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package early

import (
	"os"
	"syscall"
)

// idle tells whether nobody holds a lock file that is there.
func idle(lock string) bool {
	f, err := os.Open(lock)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) == nil
}
