// Command words holds the documentation that causal shows to what its authors wrote. It walks work trees, runs the
// documentation of every symbol through the readers of package markdown, reads the result as GitHub does, and tells what
// went wrong on the way: words that are gone, markup that a reader gets to see, code that does not end.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

// mostLosing is the part of all texts that may lose a word.
const mostLosing = 0.001

const usage = `usage: words [-worst 10] [-show] DIR...

Prints, for each language, how many texts lose words or show markup, and the worst of them. The exit code is 1 when any shows
markup or does not end its code, or when more than one in a thousand loses a word.

`

var proof = trial.Program{Name: "words", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	worst := flags.Int("worst", 10, "how many texts to name for each language")
	show := flags.Bool("show", false, "print these texts and what became of them")
	return func(ctx context.Context, dirs []string, out, _ io.Writer) (holds bool, err error) {
		if len(dirs) == 0 || *worst < 0 {
			return false, trial.ErrArguments
		}
		all := report{}
		for _, dir := range dirs {
			if err := all.walk(ctx, dir); err != nil {
				return false, fmt.Errorf("%s: %w", dir, err)
			}
		}
		_, err = io.WriteString(out, all.text(*worst, *show))
		return all.holds(), err
	}
}
