package gitstore

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type workTree struct {
	root     string
	format   format
	fileMode bool // trust the executable bit on disk
	symlinks bool // symbolic links exist on disk, not as files with their target
	crlf     bool // git converts CRLF to LF on commit
	counts   *counters
}

func newWorkTree(loc location, conf settings, counts *counters) *workTree {
	return &workTree{
		root:     loc.root,
		format:   formatOf(conf),
		fileMode: conf.is("core.filemode", true),
		symlinks: conf.is("core.symlinks", true),
		crlf:     conf.is("core.autocrlf", false) || strings.EqualFold(conf.get("core.autocrlf"), "input"),
		counts:   counts,
	}
}

func (w *workTree) abs(path string) string {
	return w.root + string(filepath.Separator) + filepath.FromSlash(path)
}

// lstat returns nil if nothing is at the path, or if a parent is a symbolic link, which git does not follow.
func (w *workTree) lstat(path string) fs.FileInfo { return w.look().lstat(path) }

func (w *workTree) look() looker {
	return looker{w, map[string]bool{"": true}, map[string]fs.FileInfo{}}
}

// looker caches lstat results and checks each directory once.
type looker struct {
	tree *workTree
	dirs map[string]bool
	seen map[string]fs.FileInfo
}

func (l looker) ahead(paths []string) {
	for _, p := range paths {
		l.lstat(p)
	}
}

func (l looker) lstat(path string) fs.FileInfo {
	if info := l.seen[path]; info != nil {
		return info
	}
	if !l.isDir(parent(path)) {
		return nil
	}
	info, err := os.Lstat(l.tree.abs(path))
	if err != nil {
		return nil
	}
	l.seen[path] = info
	return info
}

func (l looker) isDir(path string) bool {
	is, known := l.dirs[path]
	if !known {
		if l.isDir(parent(path)) {
			info, err := os.Lstat(l.tree.abs(path))
			is = err == nil && info.IsDir()
		}
		l.dirs[path] = is
	}
	return is
}

func parent(path string) string { return path[:max(strings.LastIndexByte(path, '/'), 0)] }

// mode returns git's mode for a file on disk. known is the recorded mode, which applies if the disk cannot represent it.
func (w *workTree) mode(info fs.FileInfo, known Mode) Mode {
	switch {
	case info == nil || info.IsDir():
		return ""
	case info.Mode()&fs.ModeSymlink != 0:
		return Symlink
	case known == Symlink && !w.symlinks && info.Mode().IsRegular():
		return Symlink
	case !w.fileMode && (known == Regular || known == Executable):
		return known
	case w.fileMode && info.Mode().IsRegular() && info.Mode()&0o100 != 0:
		return Executable
	}
	return Regular
}

const attempts = 3

func (w *workTree) hashFile(ctx context.Context, path string) (string, int64, error) {
	for range attempts {
		id, size, ok, err := w.hashOnce(ctx, path)
		if err != nil {
			return "", 0, fmt.Errorf("hash %s: %w", path, err)
		}
		if ok {
			return id, size, nil
		}
	}
	return "", 0, fmt.Errorf("hash %s: the file changes while it is read", path)
}

// hashOnce returns false if the file changed its size.
func (w *workTree) hashOnce(ctx context.Context, path string) (string, int64, bool, error) {
	if err := ctx.Err(); err != nil {
		return "", 0, false, err
	}
	info, err := os.Lstat(w.abs(path))
	switch {
	case err != nil:
		return "", 0, false, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(w.abs(path))
		if err != nil {
			return "", 0, false, err
		}
		w.count(int64(len(target)))
		return w.format.hashBytes([]byte(target)), int64(len(target)), true, nil
	case !info.Mode().IsRegular():
		return "", 0, false, fmt.Errorf("not a file but %s", typeName(info.Mode()))
	}
	file, err := os.Open(w.abs(path))
	if err != nil {
		return "", 0, false, err
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return "", 0, false, err
	}
	id, ok, err := w.format.hashStream(cancellable{ctx, file}, info.Size())
	w.count(info.Size())
	return id, info.Size(), ok, err
}

func (w *workTree) count(size int64) {
	w.counts.files.Add(1)
	w.counts.bytes.Add(size)
}

func typeName(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// holds reports whether committing the file would produce the blob id. With line-end conversion, texts that differ only
// in line ends are equal.
func (w *workTree) holds(ctx context.Context, path, id string) (bool, error) {
	found, _, err := w.hashFile(ctx, path)
	if found == id {
		return true, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil || !w.crlf {
		return false, nil //nolint:nilerr // what cannot be read is not known to hold it
	}
	content, err := os.ReadFile(w.abs(path))
	if err != nil {
		return false, nil //nolint:nilerr // as above
	}
	w.count(int64(len(content)))
	return isText(content) && w.format.hashBytes(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))) == id, nil
}

// isText applies git's rule for automatic line-end conversion: no NUL, no lone CR, and few control characters.
func isText(content []byte) bool {
	content = bytes.TrimSuffix(content, []byte{0x1a})
	printable, other := 0, 0
	for i, c := range content {
		switch {
		case c == 0, c == '\r' && (i+1 == len(content) || content[i+1] != '\n'):
			return false
		case c == '\r', c == '\n':
		case c == '\b', c == '\t', c == 0x1b, c == '\f', c >= 0x20 && c != 0x7f:
			printable++
		default:
			other++
		}
	}
	return printable>>7 >= other
}
