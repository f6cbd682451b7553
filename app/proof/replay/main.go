// Command replay walks the real history of a repository with causal's update at every commit, and holds the outcome to
// that of clean runs: did an update miss anything, and did it do anything needless? The repository itself is not
// touched: the walk happens in temporary clones that borrow its objects.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit codes are those of causal itself.
const (
	exitClean   = 0
	exitDiffers = 1
	exitUsage   = 2
	exitFailure = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: replay [-n 200] [-every 10] [-json] REPOSITORY

Walks the last n first-parent commits of REPOSITORY, oldest first, with an update at each. At every Nth commit and at
the last, nodes and pages are compared with those of a clean run, byte for byte but for their provenance. The exit code
is 1 when anything was missed, or when more than 1.1 times the necessary modules were run again.

`

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	commits := flags.Int("n", 200, "how many commits to walk")
	every := flags.Int("every", 10, "compare with a clean run at every so many commits")
	asJSON := flags.Bool("json", false, "print one JSON object")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case flags.NArg() != 1 || *commits < 1 || *every < 1:
		flags.Usage()
		return exitUsage
	}
	outcome, err := replay(ctx, flags.Arg(0), *commits, *every, errs)
	if err != nil {
		_, _ = fmt.Fprintln(errs, "replay: "+err.Error())
		if errors.Is(err, errUnfit) {
			return exitUsage
		}
		return exitFailure
	}
	if err := show(out, outcome, *asJSON); err != nil {
		_, _ = fmt.Fprintln(errs, "replay: "+err.Error())
		return exitFailure
	}
	if !outcome.Holds {
		return exitDiffers
	}
	return exitClean
}

func show(w io.Writer, o *outcome, asJSON bool) error {
	if !asJSON {
		_, err := io.WriteString(w, o.text())
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(o)
}
