package confine

import "golang.org/x/sys/unix"

// arch is how Linux numbers this architecture in struct seccomp_data.
const arch = unix.AUDIT_ARCH_AARCH64
