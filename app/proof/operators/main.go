// Command operators asks real programs for the help of each of their commands, and compares the commands, flags and defaults
// with the page of commands, which causal generates from their source alone.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/causaldocs/causal/app/proof/trial"
)

// What is asked of the page: of all that programs tell, and of all that the page tells, this much.
const (
	leastRecall    = 0.95
	leastPrecision = 0.99
)

const usage = `usage: operators [-only NAME,...] [-misses]

Builds programs of Go from the module proxy, takes those of Python that are installed, asks each for --help of every command, and compares
that with the page of commands that causal makes of the source. The exit code is 1 when less than 95 % of what the programs tell
is on the pages, or less than 99 % of what the pages tell is what the programs do.

`

var proof = trial.Program{Name: "operators", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	only := flags.String("only", "", "the names of the programs to ask, with commas between them; all when empty")
	misses := flags.Bool("misses", false, "print what is missing and what is wrong")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) > 0 {
			return false, trial.ErrArguments
		}
		dir, err := os.MkdirTemp("", "operators")
		if err != nil {
			return false, fmt.Errorf("make a directory for the pages: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		sum, err := measure(ctx, workshop{dir: dir}, *only, *misses, out)
		if err != nil {
			return false, err
		}
		_, _ = fmt.Fprintln(out, sum.line("all"))
		return sum.recall() >= leastRecall && sum.precision() >= leastPrecision, nil
	}
}

// measure compares the programs, one after the other, and prints a line for each.
func measure(ctx context.Context, w workshop, only string, misses bool, out io.Writer) (score, error) {
	if err := w.buildCausal(ctx); err != nil {
		return score{}, err
	}
	return w.measurePrograms(ctx, strings.Split(only, ","), misses, out)
}

func (w *workshop) measurePrograms(ctx context.Context, only []string, misses bool, out io.Writer) (score, error) {
	var sum, unseen score
	for _, p := range programs {
		if only[0] != "" && !contains(only, p.name) {
			continue
		}
		told, page, err := w.ask(ctx, p)
		if errors.Is(err, errNotInstalled) {
			_, _ = fmt.Fprintf(out, "%-28s %v\n", p.name, err)
			continue
		}
		if err != nil {
			return score{}, fmt.Errorf("%s: %w", p.name, err)
		}
		s := compare(told, page)
		sum.add(s)
		if p.heldOut {
			unseen.add(s)
		}
		_, _ = fmt.Fprintln(out, s.line(p.name+" "+p.version))
		if misses {
			for _, m := range s.misses {
				_, _ = fmt.Fprintln(out, "    "+m)
			}
		}
	}
	_, _ = fmt.Fprintln(out, unseen.line("of them not mended for"))
	return sum, nil
}

func contains(list []string, name string) bool {
	for _, n := range list {
		if n == name {
			return true
		}
	}
	return false
}
