// Package trial is the frame of the programs that hold causal to something: it reads their flags, and ends them with the exit codes
// of causal itself.
package trial

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// Exit codes are causal's.
const (
	ExitHolds   = 0
	ExitDiffers = 1 // a check failed
	ExitUsage   = 2
	ExitFailure = 3 // it could not be looked at
)

var (
	// ErrArguments is for arguments that a program does not take; its usage is printed.
	ErrArguments = errors.New("invalid arguments")
	// ErrUnfit marks valid arguments that name something the program cannot work on.
	ErrUnfit = errors.New("unsuitable input")
)

// Program is one of the programs of this module.
type Program struct {
	Name  string
	Usage string // is printed before the flags
	// Define adds the flags to a set, and returns the function to call after parsing.
	Define func(flags *flag.FlagSet) Run
}

// Run checks the inputs that the arguments after the flags name, prints the result to out and progress to talk, and reports whether all
// checks passed.
type Run func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error)

// Main runs the program with the arguments of the process, until it is interrupted, and exits.
func (p Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Run runs the program, and returns its exit code.
func (p Program) Run(ctx context.Context, args []string, out, talk io.Writer) int {
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.SetOutput(talk)
	flags.Usage = func() {
		_, _ = io.WriteString(talk, p.Usage)
		flags.PrintDefaults()
	}
	run := p.Define(flags)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return ExitHolds
	case err != nil:
		return ExitUsage
	}
	holds, err := run(ctx, flags.Args(), out, talk)
	switch {
	case errors.Is(err, ErrArguments):
		flags.Usage()
		return ExitUsage
	case err != nil:
		_, _ = fmt.Fprintf(talk, "%s: %v\n", p.Name, err)
		if errors.Is(err, ErrUnfit) {
			return ExitUsage
		}
		return ExitFailure
	case !holds:
		return ExitDiffers
	}
	return ExitHolds
}

// Build builds causal from the source beside this module, with the options of a release.
func Build(ctx context.Context, program string) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/causaldocs/causal").Output()
	if err != nil {
		return fmt.Errorf("find the source of causal: %w", err)
	}
	c := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, ".")
	c.Dir, c.Env = strings.TrimSpace(string(root)), append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}
