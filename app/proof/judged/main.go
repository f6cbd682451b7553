// Command judged draws purposes and flows of modules at random, from repositories that were not used in development, and compares each
// with the verdict of a reader of the code: right, useless or wrong.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/trial"
)

// mostUseless is the greatest share of useless texts.
const mostUseless = 0.05

const usage = `usage: judged [-causal BINARY] [-seed 1] [-n 100] [-set NAME] [-list] DIR

DIR holds a clone of each repository by its name, such as DIR/bbolt. Renders the pages of each at the judged commit in a temporary
directory, and draws purposes and flows: in turns from each repository, at random from its modules. The exit code is 1 if a text is
wrong or not judged, or if more than one in twenty is useless.

`

// task holds the options.
type task struct {
	causal, clones string
	set            string
	seed           uint64
	n              int
	list           bool
}

var proof = trial.Program{Name: "judged", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	var t task
	flags.StringVar(&t.causal, "causal", "", "the program to use instead of one built from this source")
	flags.Uint64Var(&t.seed, "seed", 1, "random seed")
	flags.IntVar(&t.n, "n", 100, "number of purposes, and of flows")
	flags.StringVar(&t.set, "set", "", "draw only from a set of repositories: libraries or applications")
	flags.BoolVar(&t.list, "list", false, "print each text with its verdict and its place in the code")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) != 1 || t.n < 1 {
			return false, trial.ErrArguments
		}
		t.clones = args[0]
		r, err := t.judge(ctx)
		if err != nil {
			return false, err
		}
		if t.list {
			r.printTexts(out)
		}
		r.printTable(out)
		return r.holds(), nil
	}
}

// judge makes the pages, draws from them and looks the verdicts up.
func (t task) judge(ctx context.Context) (*report, error) {
	repositories, err := readRepositories(t.set)
	if err != nil {
		return nil, err
	}
	if len(repositories) == 0 {
		return nil, fmt.Errorf("no repository is in the set %q", t.set)
	}
	known, err := readVerdicts()
	if err != nil {
		return nil, err
	}
	w, err := clones.Open(ctx, t.causal)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	r := &report{}
	for _, repo := range repositories {
		root, err := w.Make(ctx, repo.Name, repo.Commit, t.clones)
		if err != nil {
			return nil, err
		}
		nodes, err := clones.Nodes(root)
		if err != nil {
			return nil, err
		}
		r.sources = append(r.sources, newSource(repo, nodes, t.seed))
	}
	r.texts = append(draw(r.sources, purposeKind, t.n), draw(r.sources, flowKind, t.n)...)
	for i := range r.texts {
		r.texts[i].verdict = known[r.texts[i].key()]
	}
	return r, nil
}
