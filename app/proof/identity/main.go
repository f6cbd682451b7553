// Command identity walks the real history of a repository and measures how often a finding loses its identity from one commit to
// the next: with causal's matching, and beside it with the fingerprints that other tools go by, made anew in the same run.
//
// The findings are those of simple rules over the files that a commit changed. The truth is git's: a finding is the same where git's
// diff maps its line, and where one block of lines took the place of another and a rule finds as much in either.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

// What causal's matching may lose, in parts of what there was to carry.
const (
	mostLostUnchanged = 0.005 // on lines that the commit did not change
	mostLostEdited    = 0.05  // on lines that it edited
)

const usage = `usage: identity [-n 200] REPOSITORY...

Walks the last n first-parent commits of each repository, and prints how many identities were lost. The exit code is 1 when causal
lost more than 0.5 % of those on unchanged lines, or 5 % of those on edited ones.

`

var proof = trial.Program{Name: "identity", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	commits := flags.Int("n", 200, "how many commits to walk")
	return func(ctx context.Context, repositories []string, out, _ io.Writer) (holds bool, err error) {
		if len(repositories) == 0 || *commits < 1 {
			return false, trial.ErrArguments
		}
		var all tally
		for _, dir := range repositories {
			t, err := measure(ctx, dir, *commits)
			if err != nil {
				return false, fmt.Errorf("%s: %w", dir, err)
			}
			all.add(t)
		}
		_, err = io.WriteString(out, all.text())
		return all.holds(), err
	}
}
