package gitstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// objects asks one long-running cat-file process about a repository: a run asks hundreds of questions, and starting git
// takes longer than most answers. The process starts with the first question about an object that is not loose, and ends
// with close.
type objects struct {
	git  *runner
	dir  string        // common directory of the repository
	made *atomic.Int64 // generation of the repository (bareRepo.made); nil if it is never replaced
	mu   sync.Mutex
	live *answering
}

type answering struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *excerpt
	stop   context.CancelFunc
	made   int64 // generation of the repository when the process started
}

const (
	// fewNames is the most names per question: they fit into a pipe's buffer before git reads them.
	fewNames = 32
	// manyNames is the number of names above which a separate process, which buffers its answers, is faster.
	manyNames = 1024
)

// ask sends names to git and calls read for each answer. done is false if it did not ask: there are too many names, or
// the process is busy, perhaps with the caller's own question.
func (o *objects) ask(ctx context.Context, names []string, read func(out *bufio.Reader, name string) error) (done bool, err error) {
	if len(names) > manyNames || !o.mu.TryLock() {
		return false, nil
	}
	defer o.mu.Unlock()
	if err := failure(ctx, "cat-file", ctx.Err(), ""); err != nil {
		return true, err
	}
	if o.live != nil && o.live.made != o.generation() {
		_ = o.end() // its open files belong to the replaced repository
	}
	names, err = o.unpacked(names, read)
	if err != nil {
		return true, err
	}
	for few := range slices.Chunk(names, fewNames) {
		waited := o.live != nil
		told, err := o.talk(ctx, few, read)
		if waited && told == 0 && errors.Is(err, errTorn) && ctx.Err() == nil { // the process died while idle
			_, err = o.talk(ctx, few, read)
		}
		if err != nil {
			return true, err
		}
	}
	return true, nil
}

// talk sends a question and returns the number of answers read. It ends the process if answers may be left unread.
func (o *objects) talk(ctx context.Context, names []string, read func(out *bufio.Reader, name string) error) (told int, err error) {
	if o.live == nil {
		if err := o.start(); err != nil {
			return 0, err
		}
	}
	git := o.live
	ends := context.AfterFunc(ctx, git.stop)
	defer ends()
	if _, err = io.WriteString(git.in, strings.Join(names, "\n")+"\n"); err != nil {
		err = errTorn
	}
	for told < len(names) && err == nil {
		if err = read(git.out, names[told]); err == nil {
			told++
		}
	}
	torn := errors.Is(err, errTorn)
	if err == nil || told == len(names)-1 && !torn && !errors.Is(err, errGarbled) {
		return told, err
	}
	if !torn {
		git.stop() // git may block on writing unread answers
	}
	ended := o.end()
	if failed := failure(ctx, "cat-file", ended, git.stderr.String()); torn && failed != nil {
		err = fmt.Errorf("%w: %w", errTorn, failed)
	}
	return told, err
}

func (o *objects) generation() int64 {
	if o.made == nil {
		return 0
	}
	return o.made.Load()
}

func (o *objects) start() error {
	ctx, stop := context.WithCancel(context.Background())
	cmd, stderr := o.git.command(ctx, false, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			if err = cmd.Start(); err == nil {
				o.live = &answering{cmd, in, bufio.NewReaderSize(out, 64<<10), stderr, stop, o.generation()}
				return nil
			}
		}
	}
	stop()
	return fmt.Errorf("git cat-file: %w", err)
}

func (o *objects) end() error {
	git := o.live
	o.live = nil
	defer git.stop()
	_ = git.in.Close()
	return git.cmd.Wait()
}

func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.live != nil {
		_ = o.end()
	}
}
