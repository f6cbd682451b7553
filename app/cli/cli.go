// Package cli implements the command line. Results go to standard output, messages to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/confine"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/buildinfo"
)

// Exit codes.
const (
	ExitClean    = 0
	ExitFindings = 1 // drift, or a problem that needs a person
	ExitUsage    = 2 // wrong command line, configuration or directory
	ExitFailure  = 3
)

// mostOfError bounds an error message, in bytes: configuration errors may be long lists.
const mostOfError = 16 << 10

// IO is the environment of one run.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal reports whether Err can redraw lines.
	Terminal bool
	Getenv   func(string) string
	Now      func() time.Time
	Dir      string // base of relative paths

	runner io.Writer // unfiltered Out, for GitHub Actions workflow commands
	screen io.Writer // unfiltered Err, for redrawing lines
}

// The garbage collector starts late, because most runs end before it is needed. Later collections run whenever the heap
// has grown by three quarters: with a fixed limit the collector would run constantly.
const (
	growth = 800 // percent
	heap   = 312 << 20
)

// collectLate sets the memory limit again after each collection.
func collectLate() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(max(heap, int64(live[0].Value.Uint64())*7/4)) //nolint:gosec // a heap has fewer bytes
	runtime.AddCleanup(new([64]byte), func(struct{}) { collectLate() }, struct{}{})
}

// Main runs the program with the process's arguments and environment, and returns its exit code.
func Main() int {
	if sandbox.IsChild() {
		return sandbox.Main()
	}
	if confine.IsLauncher() {
		return confine.Launch()
	}
	debug.SetGCPercent(growth)
	collectLate()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("CI") == "" && os.Getenv("TERM") != "dumb"
	return Run(ctx, os.Args[1:], IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Terminal: terminal, Getenv: os.Getenv, Now: time.Now, Dir: "."})
}

// exit is an error with an exit code. Without err, the error has already been reported.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

func usage(err error) error { return exit{ExitUsage, err} }

// Run executes a command line and returns its exit code.
func Run(ctx context.Context, args []string, world IO) int {
	world.runner, world.screen = world.Out, world.Err
	world.Out, world.Err = &plain.Terminal{W: world.Out}, &plain.Terminal{W: world.Err}
	root := newRoot(world, args)
	root.SetArgs(args)
	root.SetOut(world.Out)
	root.SetErr(world.Err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return ExitClean
	}
	code := ExitFailure
	var e exit
	var broken *config.Error
	var nowhere *workspace.PlaceError
	switch {
	case errors.As(err, &e):
		code = e.code
		if e.err == nil {
			return code
		}
	case errors.As(err, &broken), errors.As(err, &nowhere):
		code = ExitUsage
	case ctx.Err() != nil:
		err = errors.New("interrupted; run the same command again to continue")
	}
	_, _ = fmt.Fprintln(world.Err, "causal: "+plain.Text(err.Error(), mostOfError))
	return code
}

var commands = []struct {
	name string
	make func(IO) *cobra.Command
}{
	{"init", newInit}, {"update", newUpdate}, {"check", newCheck}, {"why", newWhy}, {"ask", newAsk}, {"trace", newTrace}, {"skills", newSkills}, {"config", newConfig},
	{"doctor", newDoctor}, {"record", newRecord}, {"decisions", newDecisions}, {"log", newLog}, {"verify", newVerify},
	{"memory", newMemory}, {"mcp", newMCP}, {"hooks", newHooks}, {"review", newReview}, {"testgen", newTestgen}, {"serve", newServe},
	{"demo", newDemo}, {"action", newAction}, {"uninstall", newUninstall}, {"version", newVersion},
}

// newRoot builds only the subcommand that args begin with, or all subcommands.
func newRoot(world IO, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "causal",
		Short: "Keep the documentation of a repository up to date",
		Long: `causal keeps a repository's documentation true. It writes knowledge nodes and pages from the code and records the
evidence for each of them. After a change it regenerates only what the change affected.

Exit codes: 0 clean, 1 drift or findings, 2 usage or configuration, 3 failure.`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
	}
	told := root.Flags().BoolP("version", "v", false, "version for causal")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *told {
			return world.tellVersion()
		}
		return cmd.Help()
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if near := nearestFlags(cmd, err); len(near) > 0 {
			return usage(fmt.Errorf("%w; did you mean --%s? see `%s --help`", err, strings.Join(near, " or --"), cmd.CommandPath()))
		}
		return usage(fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath()))
	})
	for _, c := range commands {
		if len(args) > 0 && c.name == args[0] {
			root.AddCommand(c.make(world))
			wrapArgs(root)
			return root
		}
	}
	for _, c := range commands {
		root.AddCommand(c.make(world))
	}
	wrapArgs(root)
	return root
}

// wrapArgs turns argument errors into usage errors. Commands with subcommands suggest similar names.
func wrapArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			err := check(cmd, args)
			if err == nil {
				return nil
			}
			if near := nearestCommands(cmd, args); len(near) > 0 {
				return usage(fmt.Errorf("unknown command %q; did you mean %s? see %s --help", args[0], strings.Join(near, " or "), cmd.CommandPath()))
			}
			return usage(fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath()))
		}
	}
	for _, sub := range c.Commands() {
		wrapArgs(sub)
	}
}

func nearestCommands(c *cobra.Command, args []string) []string {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	return c.SuggestionsFor(args[0])
}

func nearestFlags(c *cobra.Command, err error) []string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra compares only command names
	c.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
	})
	return names.SuggestionsFor(unknown.GetSpecifiedName())
}

func newVersion(world IO) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return world.tellVersion() },
	}
}

func (w IO) tellVersion() error {
	_, err := fmt.Fprintf(w.Out, "causal %s\n", buildinfo.Read().Version)
	return err
}

func (w IO) answer(asJSON bool, value any, text func() string) error {
	if !asJSON {
		_, err := io.WriteString(w.Out, text())
		return err
	}
	data, err := answer.JSON(value)
	if err != nil {
		return err
	}
	_, err = w.Out.Write(data)
	return err
}

func orFindings(err error, any bool) error {
	if err == nil && any {
		return exit{code: ExitFindings}
	}
	return err
}
