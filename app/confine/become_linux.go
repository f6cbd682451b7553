package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// become confines the process to a directory without sockets, sets limits, and executes a program.
func become(dir string, args []string) error {
	if len(args) == 0 {
		return errors.New("there is no program to start")
	}
	runtime.LockOSThread() // this thread is confined and executes the program
	limits := map[int]uint64{unix.RLIMIT_DATA: memory, unix.RLIMIT_FSIZE: fileSize, unix.RLIMIT_NOFILE: files, unix.RLIMIT_CORE: 0}
	if err := Limit(limits, false); err != nil {
		return err
	}
	if err := RefuseSockets(); err != nil {
		return err
	}
	if err := keepWithin(dir); err != nil {
		return err
	}
	return syscall.Exec(args[0], args, os.Environ()) //nolint:gosec // it is what is to be run
}

// writes are the write accesses of Landlock's first version.
const writes = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM

// keepWithin prevents writes outside of a directory with Landlock, if the kernel has it. Child processes inherit this.
func keepWithin(dir string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return nil // no Landlock
	}
	access := uint64(writes)
	if version >= 2 {
		access |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		access |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	attr := unix.LandlockRulesetAttr{Access_fs: access}
	ruleset, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr.Access_fs), 0) //nolint:gosec // the call takes no other
	if errno != 0 {
		return fmt.Errorf("keep within %s: %w", dir, errno)
	}
	defer func() { _ = unix.Close(int(ruleset)) }()
	for _, rule := range []struct {
		name   string
		access uint64
	}{{dir, access}, {os.DevNull, unix.LANDLOCK_ACCESS_FS_WRITE_FILE}} {
		if err := allow(int(ruleset), rule.name, rule.access); err != nil {
			return fmt.Errorf("keep within %s: %w", dir, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("keep within %s: %w", dir, errno)
	}
	return nil
}

func allow(ruleset int, name string, access uint64) error {
	fd, err := unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	attr := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0) //nolint:gosec // the call takes no other
	if errno != 0 {
		return errno
	}
	return nil
}
