//go:build amd64 || arm64

package confine

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in struct seccomp_data, and the bit of x32 system calls on amd64.
const (
	seccompNumber = 0
	seccompArch   = 4
	x32           = 0x40000000
)

// RefuseSockets disables sockets for this process and its children with seccomp, if the kernel has it.
func RefuseSockets() error {
	refuse := uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EACCES)
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(test uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: no, K: k}
	}
	filter := []unix.SockFilter{
		load(seccompArch),
		jump(unix.BPF_JEQ, arch, 0, 5), // system calls of other architectures have other numbers
		load(seccompNumber),
		jump(unix.BPF_JGE, x32, 3, 0),
		jump(unix.BPF_JEQ, unix.SYS_SOCKET, 2, 0),
		jump(unix.BPF_JEQ, unix.SYS_IO_URING_SETUP, 1, 0), // io_uring can open sockets
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_RET | unix.BPF_K, K: refuse},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("refuse sockets: %w", err)
	}
	const setFilter, allThreads = unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, setFilter, allThreads, uintptr(unsafe.Pointer(&program))) //nolint:gosec // the call takes no other
	runtime.KeepAlive(filter)
	if errno != 0 && errno != unix.ENOSYS && errno != unix.EINVAL {
		return fmt.Errorf("refuse sockets: %w", errno)
	}
	return nil
}
