// Package cli is the command line: it reads flags and configuration, joins the engine to the local repository, and
// prints what was found. Data goes to standard output, talk to standard error.
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
	ExitFindings = 1 // drift, or something that only a person can mend
	ExitUsage    = 2 // a wrong command line, configuration or place
	ExitFailure  = 3
)

// mostOfError is how many bytes of an error are shown: those of a configuration are lists, and a screen has some thousands.
const mostOfError = 16 << 10

// IO is the world of one run.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	// Terminal: Err is a screen that lines can be drawn on again.
	Terminal bool
	Getenv   func(string) string
	Now      func() time.Time
	Dir      string // where relative paths begin

	runner io.Writer // Out as it is, for who writes commands to the runner of GitHub Actions
	screen io.Writer // Err as it is, for who draws on a line again
}

// Garbage is collected late: most runs end before the first time. A run that holds more than that is collected whenever it takes
// three quarters more: below a fixed limit the collector would run all the time.
const (
	growth = 800 // percent
	heap   = 330 << 20
)

// collectLate sets when garbage is collected, anew after each collection.
func collectLate() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetMemoryLimit(max(heap, int64(live[0].Value.Uint64())*7/4)) //nolint:gosec // a heap has fewer bytes
	runtime.AddCleanup(new([64]byte), func(struct{}) { collectLate() }, struct{}{})
}

// Main runs the program on the real world and returns its exit code.
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

// exit is an error that stands for an exit code. A silent one was already told.
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

// Run executes one command line and returns its exit code.
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

// commands are the commands by name.
var commands = []struct {
	name string
	make func(IO) *cobra.Command
}{
	{"init", newInit}, {"update", newUpdate}, {"check", newCheck}, {"why", newWhy}, {"ask", newAsk}, {"trace", newTrace}, {"skills", newSkills}, {"config", newConfig},
	{"doctor", newDoctor}, {"record", newRecord}, {"decisions", newDecisions}, {"log", newLog}, {"verify", newVerify},
	{"memory", newMemory}, {"mcp", newMCP}, {"hooks", newHooks}, {"review", newReview}, {"testgen", newTestgen}, {"serve", newServe},
	{"demo", newDemo}, {"action", newAction}, {"uninstall", newUninstall}, {"version", newVersion},
}

// newRoot makes the command tree for a command line: of a command that it begins with, that one alone, and otherwise all.
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

// wrapArgs makes wrong arguments an error of usage. A command that only has others below it names the nearest of them.
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

// nearestCommands are the commands below one whose names are most like the first argument.
func nearestCommands(c *cobra.Command, args []string) []string {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	return c.SuggestionsFor(args[0])
}

// nearestFlags are the flags of a command whose names are most like the unknown one that an error is about.
func nearestFlags(c *cobra.Command, err error) []string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2} // cobra compares only names of commands
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

// answer prints what a command found: one JSON object, or a text for people.
func (w IO) answer(asJSON bool, value any, text func(io.Writer) error) error {
	if !asJSON {
		return text(w.Out)
	}
	data, err := answer.JSON(value)
	if err != nil {
		return err
	}
	_, err = w.Out.Write(data)
	return err
}

// printed prints a text.
func printed(text func() string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text())
		return err
	}
}

// orFindings is err, or the exit code for findings when there are any.
func orFindings(err error, any bool) error {
	if err == nil && any {
		return exit{code: ExitFindings}
	}
	return err
}
