// Command identity walks the real history of a repository and measures how often a finding loses its identity from one commit to
// the next: with causal's matching, and beside it with the fingerprints that other tools go by, made anew in the same run.
//
// The findings are those of simple rules over the files that a commit changed. The truth is git's: a finding is the same where git's
// diff maps its line, and where one block of lines took the place of another and a rule finds as much in either.
package main

import (
	"context"
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
	exitLost    = 1
	exitUsage   = 2
	exitFailure = 3
)

// What causal's matching may lose, in parts of what there was to carry.
const (
	mostLostUnchanged = 0.005 // on lines that the commit did not change
	mostLostEdited    = 0.05  // on lines that it edited
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: identity [-n 200] REPOSITORY...

Walks the last n first-parent commits of each repository, and prints how many identities were lost. The exit code is 1 when causal
lost more than 0.5 % of those on unchanged lines, or 5 % of those on edited ones.

`

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("identity", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	commits := flags.Int("n", 200, "how many commits to walk")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case flags.NArg() == 0 || *commits < 1:
		flags.Usage()
		return exitUsage
	}
	var all tally
	for _, dir := range flags.Args() {
		t, err := measure(ctx, dir, *commits)
		if err != nil {
			_, _ = fmt.Fprintf(errs, "identity: %s: %v\n", dir, err)
			return exitFailure
		}
		all.add(t)
	}
	_, _ = io.WriteString(out, all.text())
	if !all.holds() {
		return exitLost
	}
	return exitClean
}
