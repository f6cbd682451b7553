package gitstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// objects are those of a bare repository as one git process tells of them that waits for the next question: a job asks dozens, and starting git
// takes longer than most answers. The process starts with the first question, and ends with the mirror.
type objects struct {
	repo *bareRepo
	form string // how cat-file answers
	mu   sync.Mutex
	git  *answering // nil while there is none
}

// answering is a running cat-file.
type answering struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *excerpt
	stop   context.CancelFunc
	made   int64 // the repository that it looks into
}

// fewNames is how many objects are asked for at once: a pipe takes so many names before anybody reads.
const fewNames = 32

// ask asks for some objects, and has read take each answer. done is false where nothing was asked: there are many names, or somebody else asks just
// now, perhaps whoever is being told of an answer.
func (o *objects) ask(ctx context.Context, names []string, read func(out *bufio.Reader, name string) error) (done bool, err error) {
	if len(names) > fewNames || !o.mu.TryLock() {
		return false, nil
	}
	defer o.mu.Unlock()
	if err := failure(ctx, "cat-file", ctx.Err(), ""); err != nil {
		return true, err
	}
	if o.git != nil && o.git.made != o.repo.made.Load() {
		_ = o.end() // it has files open that are no more
	}
	waited := o.git != nil
	told, err := o.talk(ctx, names, read)
	if waited && told == 0 && errors.Is(err, errTorn) && ctx.Err() == nil { // it ended while it waited
		_, err = o.talk(ctx, names, read)
	}
	return true, err
}

// talk puts the question, and tells how many answers were taken. Where an answer may be left unread, the process is ended.
func (o *objects) talk(ctx context.Context, names []string, read func(out *bufio.Reader, name string) error) (told int, err error) {
	if o.git == nil {
		if err := o.start(); err != nil {
			return 0, err
		}
	}
	git := o.git
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
		return told, err // every answer was read to its end
	}
	if !torn {
		git.stop() // it may wait for somebody to read the other answers
	}
	ended := o.end()
	if failed := failure(ctx, "cat-file", ended, git.stderr.String()); torn && failed != nil {
		err = fmt.Errorf("%w: %w", errTorn, failed)
	}
	return told, err
}

func (o *objects) start() error {
	ctx, stop := context.WithCancel(context.Background())
	cmd, stderr := o.repo.git.command(ctx, false, "cat-file", o.form)
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			if err = cmd.Start(); err == nil {
				o.git = &answering{cmd, in, bufio.NewReaderSize(out, 64<<10), stderr, stop, o.repo.made.Load()}
				return nil
			}
		}
	}
	stop()
	return fmt.Errorf("git cat-file: %w", err)
}

// end ends the process, and tells how it ended.
func (o *objects) end() error {
	git := o.git
	o.git = nil
	defer git.stop()
	_ = git.in.Close()
	return git.cmd.Wait()
}

// close ends the process, if there is one.
func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.git != nil {
		_ = o.end() // nobody waits for it
	}
}
