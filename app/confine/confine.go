// Package confine runs programs that somebody else wrote where they can do little harm: in a directory of their own, with an environment
// without secrets, limits on time and memory and, where the platform can do that, no network and no place to write to but that directory.
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

// marker says to this program that it is to start another one, and where that may write.
const marker = "CAUSAL_CONFINED"

// IsLauncher reports whether this process is to start another program. Whatever main function starts such asks first, and calls Launch.
func IsLauncher() bool { return os.Getenv(marker) != "" }

// Launch takes from this process what the program that its arguments name is not to have, and becomes that program.
func Launch() int {
	dir := os.Getenv(marker)
	if err := errors.Join(os.Unsetenv(marker), become(dir, os.Args[1:])); err != nil {
		fmt.Fprintln(os.Stderr, "confine:", err)
	}
	return notStarted
}

// notStarted is the exit code of a launcher that could not start its program.
const notStarted = 125

// Program is what is to run.
type Program struct {
	// Launcher is a program whose main function begins with IsLauncher; without one, nothing but the environment and the directory keeps
	// the program from harm.
	Launcher string
	Dir      string // where it may write
	Work     string // where it runs, below that; Dir itself when it is empty
	Path     string
	Args     []string
	Env      []string // besides that in which Go programs run
	Time     time.Duration
	Out      io.Writer
}

// inherited are the variables that programs need to run at all.
var inherited = []string{"PATH", "SYSTEMROOT", "GOROOT"}

// ErrTime is returned for a program that takes too long.
var ErrTime = errors.New("it took too long")

// Run runs a program to its end. An *exec.ExitError says how it ended. One that could not be confined was not started.
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
	isolate(cmd)
	err := cmd.Run()
	switch {
	case errors.Is(context.Cause(ctx), ErrTime):
		return ErrTime
	case errors.Is(err, exec.ErrWaitDelay): // it has ended well, and something that it started holds its output
		return nil
	}
	var exit *exec.ExitError
	if p.Launcher != "" && errors.As(err, &exit) && exit.ExitCode() == notStarted {
		return fmt.Errorf("%s could not be started as it should be", p.Path)
	}
	return err
}

// patience is how long what a program said is read on for when it has ended: a loud one may have said much, and a busy machine is slow.
const patience = 10 * time.Second

// bounded hands on the first bytes of what a program says, and drops the rest.
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

// Limits of a program: what it may take beyond what it is told it may.
const (
	said     = 16 << 20 // bytes of what it says that are kept
	memory   = 3 << 29  // of data, in bytes: half as much again as one call of a test may have
	fileSize = 256 << 20
	files    = 256
)
