// Command tamper manipulates a log in many ways and verifies it. Each manipulation must be detected, and no honest change may be reported.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: tamper [-events 1000] [-mutations 10000] [-git 300] [-seed 1]

Records events with checkpoints in a git history with branches and merges, and changes single files of the log and the commits of
clones. Prints for each kind of change the number, and what detected it. The exit code is 1 if a manipulation is not detected, if no
problem names the file, the event or the commit, or if an honest change is reported.

`

var proof = trial.Program{Name: "tamper", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	events := flags.Int("events", 1000, "number of events")
	mutations := flags.Int("mutations", 10000, "number of changed files")
	clones := flags.Int("git", 300, "number of changed clones")
	seed := flags.Uint64("seed", 1, "random seed")
	return func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error) {
		if len(args) != 0 || *events < 20 || *mutations < 0 || *clones < 0 {
			return false, trial.ErrArguments
		}
		h, err := build(ctx, *events, *seed)
		if err != nil {
			return false, err
		}
		defer h.close()
		_, _ = fmt.Fprintf(talk, "recorded %d events in %d files and %d commits\n", len(h.log.Events()), len(h.files), h.commits)
		var t tally
		if err := h.mutateFiles(ctx, *mutations, *seed, &t); err != nil {
			return false, err
		}
		_, _ = fmt.Fprintln(talk, "changed files")
		if err := h.mutateClones(ctx, *clones, *seed, &t); err != nil {
			return false, err
		}
		_, err = io.WriteString(out, t.text())
		return t.holds(), err
	}
}
