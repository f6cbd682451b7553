package gitstore

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's index format, not a choice
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// indexEntry is one file in git's index. go-git's own reader drops the bit that says "assume unchanged", so that
// the index is read here.
type indexEntry struct {
	path         string
	id           string
	mode         Mode
	stage        int
	assumeValid  bool
	skipWorktree bool
	intentToAdd  bool
	stat         indexStat
}

// indexStat is what the file was like on disk when its content was last seen to be that of the entry.
type indexStat struct {
	ctime, mtime timestamp
	inode        uint32
	size         uint32
}

// timestamp is a file time as the index holds it.
type timestamp struct{ sec, nsec uint32 }

func timestampOf(t time.Time) timestamp { return timestamp{uint32(t.Unix()), uint32(t.Nanosecond())} }

func (t timestamp) before(other timestamp) bool {
	return t.sec < other.sec || t.sec == other.sec && t.nsec < other.nsec
}

// gitIndex is the index of a work tree.
type gitIndex struct {
	entries []indexEntry
	written timestamp
}

// readIndex reads the index file; without one, nothing is staged.
func readIndex(path string) (gitIndex, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return gitIndex{}, nil
	}
	if err != nil {
		return gitIndex{}, fmt.Errorf("read index: %w", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return gitIndex{}, fmt.Errorf("read index: %w", err)
	}
	entries, err := parseIndex(data)
	if err != nil {
		return gitIndex{}, fmt.Errorf("read index: %w", err)
	}
	return gitIndex{entries: entries, written: timestampOf(info.ModTime())}, nil
}

var errIndex = errors.New("the file is damaged: run `git status`, or remove it and run `git reset`")

const (
	indexHeader    = 12
	indexFixed     = 62 // of an entry: stat, mode, id, flags
	flagExtended   = 0x4000
	flagAssume     = 0x8000
	flagSkip       = 0x4000 // in the extended flags
	flagIntent     = 0x2000
	indexExtension = 8 // signature and length
)

// parseIndex reads versions 2 to 4 of the index with SHA-1 ids.
func parseIndex(data []byte) ([]indexEntry, error) {
	if len(data) < indexHeader+sha1.Size || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("version %d: %w", version, ErrUnsupported)
	}
	body, sum := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	if computed := sha1.Sum(body); !bytes.Equal(sum, computed[:]) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return nil, errIndex
	}
	rest := body[indexHeader:]
	if uint64(count)*indexFixed > uint64(len(rest)) {
		return nil, errIndex
	}
	entries := make([]indexEntry, 0, count)
	previous := ""
	for range count {
		entry, size, err := parseIndexEntry(rest, version, previous)
		if err != nil {
			return nil, err
		}
		entries, previous, rest = append(entries, entry), entry.path, rest[size:]
	}
	return entries, checkExtensions(rest)
}

// parseIndexEntry reads the first entry of data and tells its size.
func parseIndexEntry(data []byte, version uint32, previous string) (indexEntry, int, error) {
	if len(data) < indexFixed {
		return indexEntry{}, 0, errIndex
	}
	word := func(at int) uint32 { return binary.BigEndian.Uint32(data[at:]) }
	mode, ok := modeOf(fmt.Sprintf("%06o", word(24)))
	if !ok {
		return indexEntry{}, 0, fmt.Errorf("entry of mode %o: %w", word(24), ErrUnsupported)
	}
	flags := binary.BigEndian.Uint16(data[60:])
	entry := indexEntry{
		id: hex.EncodeToString(data[40:60]), mode: mode, stage: int(flags>>12) & 3, assumeValid: flags&flagAssume != 0,
		stat: indexStat{timestamp{word(0), word(4)}, timestamp{word(8), word(12)}, word(20), word(36)},
	}
	at := indexFixed
	if flags&flagExtended != 0 {
		if len(data) < at+2 {
			return indexEntry{}, 0, errIndex
		}
		extended := binary.BigEndian.Uint16(data[at:])
		entry.skipWorktree, entry.intentToAdd = extended&flagSkip != 0, extended&flagIntent != 0
		at += 2
	}
	if version == 4 {
		strip, n := offsetVarint(data[at:])
		if n == 0 || strip > uint64(len(previous)) {
			return indexEntry{}, 0, errIndex
		}
		at += n
		entry.path = previous[:len(previous)-int(strip)]
	}
	end := bytes.IndexByte(data[at:], 0)
	if end < 0 {
		return indexEntry{}, 0, errIndex
	}
	entry.path += string(data[at : at+end])
	at += end + 1
	if version < 4 {
		at = (at + 7) / 8 * 8
	}
	if at > len(data) {
		return indexEntry{}, 0, errIndex
	}
	return entry, at, nil
}

// offsetVarint reads a number in the encoding that git uses for offsets, and how many bytes it took; none when it does
// not end.
func offsetVarint(data []byte) (uint64, int) {
	var value uint64
	for i, b := range data[:min(len(data), 9)] {
		if i > 0 {
			value++
		}
		value = value<<7 | uint64(b&0x7f)
		if b&0x80 == 0 {
			return value, i + 1
		}
	}
	return 0, 0
}

// checkExtensions refuses what changes the meaning of the entries: the names of such extensions are in lower case.
func checkExtensions(rest []byte) error {
	for len(rest) >= indexExtension {
		name, size := rest[:4], uint64(binary.BigEndian.Uint32(rest[4:]))
		if name[0] < 'A' || name[0] > 'Z' {
			return fmt.Errorf("split or sparse index (%q): %w", name, ErrUnsupported)
		}
		if size > uint64(len(rest)-indexExtension) {
			return errIndex
		}
		rest = rest[indexExtension+size:]
	}
	if len(rest) > 0 {
		return errIndex
	}
	return nil
}

// vouches reports whether a file is certain to be as it was when the index last saw it. One that was touched no earlier
// than the index was written may have changed without a trace.
func (s indexStat) vouches(info fs.FileInfo, written timestamp) bool {
	if s.size != uint32(info.Size()) || s.mtime != timestampOf(info.ModTime()) || !s.mtime.before(written) {
		return false
	}
	ctime, inode, ok := identity(info)
	return !ok || s.ctime == ctime && s.inode == inode
}
