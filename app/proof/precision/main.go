// Command precision reviews the history of repositories, commit by commit, and prints the findings for a person to judge. With verdicts,
// it prints the share of wrong findings. Each commit is closed as a merged change, so later reviews know its findings.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: precision [-n 200] [-verdicts FILE] REPOSITORY...

Reviews the last n first-parent commits of each repository. Prints the findings as JSON lines, with "listed" for those in the summary
only, and the counts on standard error. The last two parts of the path are the name of the repository. With verdicts, it prints only the
counts; the exit code is 1 if more than 5 % of the findings beside lines are wrong.

`

var proof = trial.Program{Name: "precision", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	r := &replay{}
	flags.IntVar(&r.commits, "n", 200, "number of commits")
	flags.DurationVar(&r.within, "within", time.Minute, "time limit for a commit; slower ones are skipped")
	judged := flags.String("verdicts", "", "a file of verdicts to compare with")
	return func(ctx context.Context, repositories []string, out, talk io.Writer) (holds bool, err error) {
		if len(repositories) == 0 || r.commits < 1 {
			return false, trial.ErrArguments
		}
		r.talk = talk
		if *judged != "" {
			return r.hold(ctx, repositories, *judged, out)
		}
		r.out = json.NewEncoder(out)
		r.out.SetEscapeHTML(false)
		if err := r.walkAll(ctx, repositories); err != nil {
			return false, err
		}
		t := count(&r.sum, nil)
		_, err = io.WriteString(talk, t.text())
		return true, err
	}
}

// hold compares the findings with the verdicts.
func (r *replay) hold(ctx context.Context, repositories []string, file string, out io.Writer) (holds bool, err error) {
	known, err := readVerdicts(file)
	if err != nil {
		return false, err
	}
	if err := r.walkAll(ctx, repositories); err != nil {
		return false, err
	}
	t := count(&r.sum, known)
	_, err = io.WriteString(out, t.text())
	return t.holds(), err
}

func (r *replay) walkAll(ctx context.Context, repositories []string) error {
	for _, dir := range repositories {
		if err := r.walk(ctx, dir); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	return nil
}
