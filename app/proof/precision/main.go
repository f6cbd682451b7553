// Command precision reviews the real history of repositories, commit by commit, and tells what people would have read beside their
// lines, for somebody to judge; given verdicts, it tells how often causal was wrong. Each commit is closed as a merged change, so
// that the principles that it comes to are told as well.
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

Reviews the last n first-parent commits of each repository, and prints what would be told beside lines or, as "listed", in the summary,
as lines of JSON, and counts to standard error. A repository is called as the last two parts of its path are. With verdicts only the counts are printed, with
what was judged wrong; the exit code is 1 when that is more than 5 % of what is told beside lines.

`

var proof = trial.Program{Name: "precision", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	r := &replay{}
	flags.IntVar(&r.commits, "n", 200, "how many commits to review")
	flags.DurationVar(&r.within, "within", time.Minute, "how long a commit may take; it is left out when it takes longer")
	flags.StringVar(&r.logs, "logs", "", "a directory with what linters said of commits: REPOSITORY/COMMIT.sarif")
	judged := flags.String("verdicts", "", "a file of verdicts to hold what is told to")
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

// hold counts how often what is told was judged wrong.
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
