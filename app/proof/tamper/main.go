// Command tamper changes a log in the ways that somebody would who wants it to say something else, and holds what causal verify does to it:
// each change has to be found, and nothing honest may be accused.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: tamper [-events 1000] [-mutations 10000] [-git 300] [-seed 1]

Records events in a git history with branches and merges, each with a checkpoint, and changes what came of it: single files of it, as
many times as there are mutations, and clones with their commits. Prints for each kind of change how many there were and what found
them. The exit code is 1 when any is not found, when what was found does not name the file, the event or the commit, or when an honest change is accused.

`

var proof = trial.Program{Name: "tamper", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	events := flags.Int("events", 1000, "how many events to record")
	mutations := flags.Int("mutations", 10000, "how many changes of files to try")
	clones := flags.Int("git", 300, "how many changes of clones to try")
	seed := flags.Uint64("seed", 1, "which changes are drawn")
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
