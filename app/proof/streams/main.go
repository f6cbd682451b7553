// Command streams measures how often an answer is out of date. It makes up logs in which positions are changed again and again, among
// others that look like them, asks about each, and tells how often `causal decisions` and `causal memory query` name what was given up
// since, beside a plain search (BM25) over the same texts. That earlier statements get in the way of later ones is known as proactive
// interference.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: streams [-seed 1] [-keys 8] [-distractors 3]

Prints, by how often a position was changed, the part of the answers that are out of date, and of those that are about something else. The exit
code is 1 when decisions or memory query ever are.

`

var proof = trial.Program{Name: "streams", Usage: usage, Define: define}

func main() { proof.Main() }

// lengths are how often each position is stated.
var lengths = []int{1, 2, 5, 10, 25, 50, 100, 200, 400}

func define(flags *flag.FlagSet) trial.Run {
	seed := flags.Uint64("seed", 1, "of the streams")
	keys := flags.Int("keys", 8, "how many positions are changed side by side")
	distractors := flags.Int("distractors", 3, "how many other statements come between two changes")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) > 0 || *keys < 1 || *keys > len(things)*len(attributes) || *distractors < 0 {
			return false, trial.ErrArguments
		}
		var table strings.Builder
		table.WriteString("| Changes | Questions | `decisions` | `memory query` | BM25 |\n|---|---|---|---|---|\n")
		holds = true
		for _, n := range lengths {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			s, err := stream(*seed, n, *keys, *distractors)
			if err != nil {
				return false, fmt.Errorf("make a stream of %d changes: %w", n, err)
			}
			t, err := s.ask(ctx)
			if err != nil {
				return false, err
			}
			holds = holds && t.decisions.right() && t.memory.right()
			fmt.Fprintf(&table, "| %d | %d | %s | %s | %s |\n", n, t.questions, t.decisions.of(t.questions), t.memory.of(t.questions), t.search.of(t.questions))
		}
		_, err = io.WriteString(out, table.String())
		return holds, err
	}
}
