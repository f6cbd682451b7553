package gitstore

import (
	"io/fs"
	"syscall"
)

// identity is what tells a file that was written anew from one that was not, even where size and modification time
// are the same; false where the system does not tell.
func identity(info fs.FileInfo) (ctime timestamp, inode uint32, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return timestamp{}, 0, false
	}
	return timestamp{uint32(stat.Ctim.Sec), uint32(stat.Ctim.Nsec)}, uint32(stat.Ino), true
}
