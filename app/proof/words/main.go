// Command words holds the documentation that causal shows to what its authors wrote. It walks work trees, runs the
// documentation of every symbol through the readers of package markdown, reads the result as GitHub does, and tells what
// went wrong on the way: words that are gone, markup that a reader gets to see, code that does not end.
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

// mostLosing is the part of all texts that may lose a word.
const mostLosing = 0.001

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: words [-worst 10] [-show] DIR...

Prints, for each language, how many texts lose words or show markup, and the worst of them. The exit code is 1 when any shows
markup or does not end its code, or when more than one in a thousand loses a word.

`

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("words", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	worst := flags.Int("worst", 10, "how many texts to name for each language")
	show := flags.Bool("show", false, "print these texts and what became of them")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case flags.NArg() == 0 || *worst < 0:
		flags.Usage()
		return exitUsage
	}
	all := report{}
	for _, dir := range flags.Args() {
		if err := all.walk(ctx, dir); err != nil {
			_, _ = fmt.Fprintf(errs, "words: %s: %v\n", dir, err)
			return exitFailure
		}
	}
	_, _ = io.WriteString(out, all.text(*worst, *show))
	if !all.holds() {
		return exitLost
	}
	return exitClean
}
