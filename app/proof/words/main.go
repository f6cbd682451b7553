// Command words compares the documentation that causal shows with the documentation in the source. It walks work trees, converts the
// documentation of each symbol with package markdown, parses the result like GitHub, and reports lost words, visible markup and unclosed
// code blocks.
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

Prints, for each language, the number of texts that lose words or show markup, and the worst texts. The exit code is 1 if a text
shows markup or leaves a code block open, or if more than one in a thousand loses a word.

`

var proof = trial.Program{Name: "words", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	worst := flags.Int("worst", 10, "number of texts to print per language")
	show := flags.Bool("show", false, "print these texts and their rendering")
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
