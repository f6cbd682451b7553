// Package early starts git before the rest of the program is ready. Making everything ready that a whole server needs
// takes a third of the time in which git looks at a large work tree, and a run that finds nothing changed does little
// else. So this package, which needs only what is ready first, reads the command line, and has git look meanwhile.
//
// No result depends on it: whoever is not sure that the look is what it would see itself drops it and looks again.
package early

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// look is a `git status` that runs or has ended.
type look struct {
	binary, root, lock string
	held               mark
	told               chan answer
}

type answer struct {
	text []byte
	err  error
}

// mark is what tells one run's lock file from the next one's.
type mark struct {
	changed int64
	text    string
}

// begun is the look that was started with the program, until it is taken.
var begun atomic.Pointer[look]

func init() { begun.Store(commanded(os.Args)) }

// commanded starts a look when the command line asks for nothing but the state of the work tree around the current
// directory.
func commanded(args []string) *look {
	if len(args) < 2 || args[1] != "update" && args[1] != "check" || len(args) > 2 && args[2] != "--json" || len(args) > 3 {
		return nil
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE"} {
		if _, set := os.LookupEnv(name); set {
			return nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	return begin(dir, os.Getenv("PATH"))
}

// begin starts a look at the repository around a directory; nil where causal has not run before, or runs now.
func begin(dir, path string) *look {
	root := rootOf(dir)
	binary := find("git", path)
	if root == "" || binary == "" {
		return nil
	}
	l := &look{binary: binary, root: root, lock: root + "/.git/causal/lock", told: make(chan answer, 1)}
	var err error
	if l.held, err = read(l.lock); err != nil {
		return nil
	}
	// whoever takes the lock from here on signs it before writing anything, and Take sees that
	if !idle(l.lock) || l.start() != nil {
		return nil
	}
	return l
}

// start starts git, and collects what it prints.
func (l *look) start() error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = null.Close() }()
	out, in, err := os.Pipe()
	if err != nil {
		return err
	}
	git, err := os.StartProcess(l.binary, append([]string{l.binary}, Status()...), &os.ProcAttr{
		Dir: l.root, Env: Environment(WithoutLocks), Files: []*os.File{null, in, null},
	})
	_ = in.Close()
	if err != nil {
		return errors.Join(err, out.Close())
	}
	go func() {
		text, err := io.ReadAll(out)
		state, failed := git.Wait()
		if failed == nil && !state.Success() {
			failed = errors.New("git did not succeed")
		}
		l.told <- answer{text, errors.Join(err, failed, out.Close())}
	}()
	return nil
}

// Take hands out what a git binary tells of the repository at root, to be waited for; nil when no look at it was
// started, or when another run may have written since. A look is handed out once. Where the caller is to write, it holds
// the lock and has not signed it yet.
func Take(binary, root string) func() ([]byte, error) {
	l := begun.Swap(nil)
	if l == nil || l.binary != binary || !same(l.root, root) {
		return nil
	}
	if now, err := read(l.lock); err != nil || now != l.held {
		return nil
	}
	return func() ([]byte, error) {
		a := <-l.told
		return a.text, a.err
	}
}

func same(a, b string) bool {
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(one, other)
}

// rootOf is the directory with a .git of its own at or above a directory; empty when there is none.
func rootOf(dir string) string {
	for {
		if _, err := os.Lstat(dir + "/.git/HEAD"); err == nil {
			return dir
		}
		if _, err := os.Lstat(dir + "/.git"); err == nil {
			return "" // a linked work tree or a submodule
		}
		last := len(dir) - 1
		for last > 0 && dir[last] != '/' {
			last--
		}
		if last <= 0 {
			return ""
		}
		dir = dir[:last]
	}
}

// find looks a program up as exec.LookPath does, whose package is ready late.
func find(name, path string) string {
	for path != "" {
		var dir string
		dir, path = cut(path, ':')
		if dir == "" || dir[0] != '/' {
			return "" // LookPath refuses what the current directory holds; so it is left to it
		}
		file := dir + "/" + name
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// read tells which run a lock file is from.
func read(lock string) (mark, error) {
	info, err := os.Stat(lock)
	if err != nil {
		return mark{}, err
	}
	text, err := os.ReadFile(lock)
	return mark{info.ModTime().UnixNano(), string(text)}, err
}
