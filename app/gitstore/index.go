package gitstore

import (
	"bytes"
	"encoding/binary"
)

// Layout of an index entry (gitformat-index): ten 32-bit numbers, an id, and flags.
const (
	indexHeader = 12 // signature, version, number of entries
	entryStat   = 40

	assumeValid  = 1 << 15
	extended     = 1 << 14
	skipWorktree = 1 << 14 // in the second word of flags
)

// hiddenIn returns the paths in an index that git does not compare with the work tree: assume-unchanged or
// skip-worktree. It reports !ok for an index that only git should read: version 4, damaged, split or sparse.
func hiddenIn(index []byte, idSize int) (paths map[string]bool, ok bool) {
	if len(index) < indexHeader || string(index[:4]) != "DIRC" {
		return nil, false
	}
	if version := binary.BigEndian.Uint32(index[4:]); version != 2 && version != 3 {
		return nil, false
	}
	rest := index[indexHeader:]
	for range binary.BigEndian.Uint32(index[8:]) {
		name := entryStat + idSize + 2
		if len(rest) < name {
			return nil, false
		}
		flags := binary.BigEndian.Uint16(rest[name-2:])
		hidden := flags&assumeValid != 0
		if flags&extended != 0 {
			if len(rest) < name+2 {
				return nil, false
			}
			hidden = hidden || binary.BigEndian.Uint16(rest[name:])&skipWorktree != 0
			name += 2
		}
		length := bytes.IndexByte(rest[name:], 0)
		next := (name+length)/8*8 + 8 // one to eight zero bytes follow a name
		if length < 0 || len(rest) < next {
			return nil, false
		}
		if hidden {
			if paths == nil {
				paths = map[string]bool{}
			}
			paths[string(rest[name:name+length])] = true
		}
		rest = rest[next:]
	}
	for len(rest) > idSize { // a checksum is last
		if len(rest) < 8 || rest[0] < 'A' || rest[0] > 'Z' { // other extensions change the meaning of the entries
			return nil, false
		}
		next := 8 + uint64(binary.BigEndian.Uint32(rest[4:]))
		if uint64(len(rest)) < next {
			return nil, false
		}
		rest = rest[next:]
	}
	return paths, true
}
