// Command replay walks the history of a repository with causal check and update at every commit, and compares the files with those of
// clean runs. It fails if an update misses a change, or if a check fails without one. The repository is not touched: the walk uses
// temporary clones that borrow its objects.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: replay [-n 200] [-every 10] [-model] [-json] REPOSITORY

Walks the last n first-parent commits of REPOSITORY, oldest first, with a check and an update at each. At every Nth commit and at
the last, nodes and pages are compared with those of a clean run, byte for byte except provenance. The exit code is 1 if a file
differs, or if a check fails although no page changes, or passes although one does.

With -model, a model writes prose in each update, and the tokens are counted; nothing is compared with a clean run.

`

var proof = trial.Program{Name: "replay", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	commits := flags.Int("n", 200, "number of commits")
	every := flags.Int("every", 10, "compare with a clean run at every Nth commit")
	model := flags.Bool("model", false, "count the tokens of updates with a model")
	asJSON := flags.Bool("json", false, "print one JSON object")
	return func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error) {
		if len(args) != 1 || *commits < 1 || *every < 1 {
			return false, trial.ErrArguments
		}
		outcome, err := replay(ctx, args[0], *commits, *every, *model, talk)
		if err != nil {
			return false, err
		}
		return outcome.Holds, show(out, outcome, *asJSON)
	}
}

func show(w io.Writer, o *outcome, asJSON bool) error {
	if !asJSON {
		_, err := io.WriteString(w, o.text())
		if err == nil && o.Tokens != nil {
			err = o.Tokens.show(w)
		}
		return err
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(o)
}
