package gitstore

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpacked answers questions about loose objects, as those of recent commits usually are, while no git process runs:
// reading a file takes far less time than git takes to start. It stops at the first name that needs git, and returns the
// names that are left.
func (o *objects) unpacked(names []string, read func(out *bufio.Reader, name string) error) ([]string, error) {
	for o.live == nil && len(names) > 0 {
		l, err := openLoose(o.dir, names[0])
		if err != nil {
			break
		}
		err = read(bufio.NewReader(l.answer()), names[0])
		l.close()
		if errors.Is(err, errTorn) || errors.Is(err, errGarbled) { // git may wait for the rest of it forever
			return nil, fmt.Errorf("read object %s: damaged file; run git fsck", names[0])
		}
		if err != nil {
			return nil, err
		}
		names = names[1:]
	}
	return names, nil
}

// looseObject is an open file of an object: a zlib stream of "TYPE SIZE", a zero byte and the content.
type looseObject struct {
	id, kind, size string
	file           *os.File
	content        *bufio.Reader
}

var errNotLoose = errors.New("not a loose object")

// openLoose opens the object ID, ID^{commit}, or ID^{tree} of a commit or a tree. gitDir is the common directory of the
// repository.
func openLoose(gitDir, name string) (*looseObject, error) {
	id, peeled, _ := strings.Cut(name, "^")
	if gitDir == "" || !isObjectID(id) {
		return nil, errNotLoose
	}
	file, err := os.Open(filepath.Join(gitDir, "objects", id[:2], id[2:]))
	if err != nil {
		return nil, err
	}
	l := &looseObject{id: id, file: file}
	if err = l.readHeader(); err == nil {
		switch {
		case peeled == "" || peeled == "{"+l.kind+"}":
			return l, nil
		case peeled == "{tree}" && l.kind == "commit":
			line, _ := l.content.ReadSlice('\n')
			tree := strings.TrimPrefix(strings.TrimSpace(string(line)), "tree ")
			l.close()
			if !isObjectID(tree) {
				return nil, errNotLoose
			}
			if l, err = openLoose(gitDir, tree); err != nil || l.kind == "tree" {
				return l, err
			}
		}
		err = errNotLoose
	}
	l.close()
	return nil, err
}

func (l *looseObject) readHeader() error {
	inflated, err := zlib.NewReader(l.file)
	if err != nil {
		return err
	}
	l.content = bufio.NewReader(inflated)
	header, err := l.content.ReadSlice(0)
	if err != nil {
		return err
	}
	l.kind, l.size, _ = strings.Cut(string(header[:len(header)-1]), " ")
	return nil
}

// answer is what cat-file prints for the object.
func (l *looseObject) answer() io.Reader {
	return io.MultiReader(strings.NewReader(l.id+" "+l.kind+" "+l.size+"\n"), l.content, strings.NewReader("\n"))
}

func (l *looseObject) close() { _ = l.file.Close() }

func isObjectID(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}

// head returns the id of the checked-out commit if HEAD or the file of its branch holds one, and else "HEAD", which git
// resolves.
func (l location) head() string {
	text, err := os.ReadFile(filepath.Join(l.gitDir, "HEAD"))
	if branch, ok := bytes.CutPrefix(text, []byte("ref: refs/")); ok {
		text, err = os.ReadFile(filepath.Join(l.commonDir, "refs", filepath.FromSlash(strings.TrimSpace(string(branch)))))
	}
	if id := strings.TrimSpace(string(text)); err == nil && isObjectID(id) {
		return id
	}
	return "HEAD"
}
