package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// Run performs a task in a child, and serves its requests from the Origin. Except for *RefusedError and *StoppedError,
// errors are those of the Origin or the machine, or ErrKilled: a retry may help.
func (r *Runner) Run(ctx context.Context, task Task, origin Origin) (*Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, r.Command[0], r.Command[1:]...)
	cmd.Env = environment()
	cmd.Dir = os.TempDir()
	isolate(cmd)
	said := &tail{}
	cmd.Stderr, cmd.WaitDelay = said, patience
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the analysis: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the analysis: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the analysis: %w", err)
	}
	if task.Pull != nil && task.Pull.Fork {
		yield(cmd)
	}
	c := &conversation{in: in, out: bufio.NewReader(out), from: newServer(task, origin), clock: newClock(r.Limits.Time, func() { stop(errTime) })}
	result, talk := c.hold(ctx, newOrder(task, r.Limits))
	c.clock.pause()
	if result == nil && talk != nil && !silent(talk) {
		stop(talk) // it does not end on its own
	}
	defer time.AfterFunc(patience, func() { stop(fmt.Errorf("%w: it does not end", errMessage)) }).Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(out, largestMessage))
	ended := cmd.Wait()
	if text := said.String(); text != "" && r.Say != nil {
		r.Say(context.WithoutCancel(ctx), text)
	}
	return r.outcome(ctx, c, result, talk, ended, said.String())
}

// silent reports whether a conversation ended because the child is exiting. Its exit status then has the reason.
func silent(talk error) bool {
	return errors.Is(talk, io.EOF) || errors.Is(talk, io.ErrUnexpectedEOF) || errors.Is(talk, syscall.EPIPE)
}

var errTime = errors.New("the time is over")

// patience is how long a child may take to exit after its last message, and how long its pipes may then stay open,
// which its own children may hold.
const patience = 2 * time.Second

func (r *Runner) outcome(ctx context.Context, c *conversation, result *Result, talk, ended error, said string) (*Result, error) {
	stopped := func(format string, args ...any) error {
		return &StoppedError{Reason: fmt.Sprintf(format, args...), At: c.at}
	}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errTime):
		return nil, stopped("after %d s", int(r.Limits.Time.Seconds()))
	case errors.Is(cause, errMessage), errors.Is(talk, errMessage):
		return nil, fmt.Errorf("%w: %w", stopped("by an internal error"), errMessage)
	case cause != nil && ended != nil:
		return nil, cause
	case c.failed != nil:
		return nil, c.failure()
	case result != nil && ended == nil:
		return result, nil
	case exhausted(ended, said):
		return nil, stopped("after using %d MB of memory", r.Limits.Memory>>20)
	case strings.Contains(said, "SIGXCPU"):
		return nil, stopped("after using %d s of processor time", processors*int(r.Limits.Time.Seconds()))
	case wasKilled(ended):
		return nil, fmt.Errorf("%w: %w", ErrKilled, ended)
	}
	return nil, stopped("by a crash")
}

func exhausted(ended error, said string) bool {
	var exit *exec.ExitError
	if errors.As(ended, &exit) && exit.ExitCode() == exitMemory {
		return true
	}
	return noMemory.MatchString(said)
}

// noMemory matches the Go runtime's messages, with and without the race detector, about missing memory.
var noMemory = lazyregexp.New(`fatal error: .*(out of memory|cannot allocate memory)|ERROR: ThreadSanitizer failed to allocate|pthread_create failed`)

var inherited = []string{"PATH", "TMPDIR", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "GIT_EXEC_PATH"}

func environment() []string {
	env := []string{marker + "=1", "GOTRACEBACK=single", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

type tail struct{ text []byte }

const mostSaid = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if over := len(t.text) - mostSaid; over > 0 {
		t.text = slices.Delete(t.text, 0, over)
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.ToValidUTF8(string(t.text), "�") }
