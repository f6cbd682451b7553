// Command ledgersize measures what the log of a repository takes in git after many pushes. Each push is told by the code that the bot tells them
// by, in a commit of its own, and git packs the whole history.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/trial"
)

// most is how many bytes a push may take, packed: 10,000 of them 10 MB.
const most = 1000

const usage = `usage: ledgersize [-n 10000]

Commits what n pushes caused to a new repository, a file each, lets git pack it, and prints what that takes. The exit code is 1 when
the log takes more than 1000 bytes a push.

`

var proof = trial.Program{Name: "ledgersize", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	pushes := flags.Int("n", 10_000, "how many pushes to commit")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) > 0 || *pushes < 1 {
			return false, trial.ErrArguments
		}
		m, err := measure(ctx, *pushes)
		if err != nil {
			return false, err
		}
		_, err = fmt.Fprintf(out, "%d pushes, %d events: %.1f MB packed, %.1f MB of them directories; with the commits %.1f MB\n",
			*pushes, m.told, megabytes(m.log()), megabytes(m.directories), megabytes(m.pack))
		return m.log() <= most*int64(*pushes), err
	}
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }
