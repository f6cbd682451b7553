// Package confine runs untrusted programs without secrets in the environment, with limits on time and memory and, if
// the platform supports it, without network and with write access to only one directory.
package confine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// marker is the environment variable that marks a launcher. Its value is the writable directory.
const marker = "CAUSAL_CONFINED"

// IsLauncher reports whether this process must start another program. Main functions check it first and call Launch.
func IsLauncher() bool { return os.Getenv(marker) != "" }

// Launch confines this process and executes the program in its arguments.
func Launch() int {
	dir := os.Getenv(marker)
	if err := errors.Join(os.Unsetenv(marker), become(dir, os.Args[1:])); err != nil {
		fmt.Fprintln(os.Stderr, "confine:", err)
	}
	return notStarted
}

const notStarted = 125

// Program is an untrusted program.
type Program struct {
	Launcher string // checks IsLauncher first; empty to restrict only the environment and the directory
	Dir      string // the only writable directory
	Work     string // the working directory in Dir; Dir itself if empty
	Path     string
	Args     []string
	Env      []string // in addition to the inherited variables
	Time     time.Duration
	Out      io.Writer
}

var inherited = []string{"PATH", "SYSTEMROOT", "GOROOT"}

// ErrTime reports a program that exceeded its time limit.
var ErrTime = errors.New("it took too long")

// Run runs a program to its end. A failed one returns an *exec.ExitError. It starts no program that it cannot confine.
func (p Program) Run(ctx context.Context) error {
	ctx, stop := context.WithTimeoutCause(ctx, p.Time, ErrTime)
	defer stop()
	name, args := p.Path, p.Args
	if p.Launcher != "" {
		name, args = p.Launcher, append([]string{p.Path}, p.Args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.WaitDelay = cmp.Or(p.Work, p.Dir), patience
	if p.Out != nil {
		out := &bounded{p.Out, said}
		cmd.Stdout, cmd.Stderr = out, out
	}
	for _, v := range inherited {
		if value := os.Getenv(v); value != "" {
			cmd.Env = append(cmd.Env, v+"="+value)
		}
	}
	home := filepath.Join(p.Dir, ".home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("make a directory for a program: %w", err)
	}
	cmd.Env = append(append(cmd.Env, "HOME="+home, "TMPDIR="+home, "TEMP="+home, "TMP="+home, "LC_ALL=C"), p.Env...)
	if p.Launcher != "" {
		cmd.Env = append(cmd.Env, marker+"="+p.Dir)
	}
	Isolate(cmd)
	err := cmd.Run()
	switch {
	case errors.Is(context.Cause(ctx), ErrTime):
		return ErrTime
	case errors.Is(err, exec.ErrWaitDelay): // the program exited, but a child process still holds its output
		return nil
	}
	var exit *exec.ExitError
	if p.Launcher != "" && errors.As(err, &exit) && exit.ExitCode() == notStarted {
		return fmt.Errorf("%s could not be started as it should be", p.Path)
	}
	return err
}

// patience is how long Run reads the output after the exit: a busy machine is slow.
const patience = 10 * time.Second

type bounded struct {
	to   io.Writer
	left int
}

func (b *bounded) Write(data []byte) (int, error) {
	some := data[:min(len(data), b.left)]
	b.left -= len(some)
	if n, err := b.to.Write(some); err != nil {
		return n, err
	}
	return len(data), nil
}

// Limits of a program.
const (
	said     = 16 << 20 // bytes of the output
	memory   = 3 << 29  // bytes of data: 1.5 times the limit of one call of a test
	fileSize = 256 << 20
	files    = 256
)
