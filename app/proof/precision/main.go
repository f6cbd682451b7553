// Command precision reviews the real history of repositories, commit by commit, and tells what people would have read beside their
// lines, for somebody to judge; given verdicts, it tells how often causal was wrong. Each commit is closed as a merged change, so
// that the principles that it comes to are told as well.
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
	"time"
)

// Exit codes are those of causal itself.
const (
	exitClean   = 0
	exitWrong   = 1
	exitUsage   = 2
	exitFailure = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: precision [-n 200] [-verdicts FILE] REPOSITORY...

Reviews the last n first-parent commits of each repository, and prints what would be told beside lines or, as "listed", in the summary,
as lines of JSON, and counts to standard error. A repository is called as the last two parts of its path are. With verdicts only the counts are printed, with
what was judged wrong; the exit code is 1 when that is more than 5 % of what is told beside lines.

`

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("precision", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	commits := flags.Int("n", 200, "how many commits to review")
	within := flags.Duration("within", time.Minute, "how long a commit may take; it is left out when it takes longer")
	logs := flags.String("logs", "", "a directory with what linters said of commits: REPOSITORY/COMMIT.sarif")
	judged := flags.String("verdicts", "", "a file of verdicts to hold what is told to")
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
	failed := func(err error) int {
		_, _ = fmt.Fprintf(errs, "precision: %v\n", err)
		return exitFailure
	}
	r := &replay{commits: *commits, within: *within, logs: *logs, talk: errs}
	var verdicts verdicts
	if *judged != "" {
		if verdicts, err = readVerdicts(*judged); err != nil {
			return failed(err)
		}
	} else {
		r.out = json.NewEncoder(out)
		r.out.SetEscapeHTML(false)
	}
	for _, dir := range flags.Args() {
		if err := r.walk(ctx, dir); err != nil {
			return failed(fmt.Errorf("%s: %w", dir, err))
		}
	}
	t := count(&r.sum, verdicts)
	if verdicts == nil {
		_, _ = io.WriteString(errs, t.text())
		return exitClean
	}
	_, _ = io.WriteString(out, t.text())
	if !t.holds() {
		return exitWrong
	}
	return exitClean
}
