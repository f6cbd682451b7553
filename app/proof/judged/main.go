// Command judged draws purposes and flows of modules by chance, from repositories that this project was not made with, and holds
// each against the verdict of somebody who read the code: right, useless or wrong.
package main

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/trial"
)

// mostUseless is the part of what was drawn that may be of no use.
const mostUseless = 0.05

const usage = `usage: judged [-causal BINARY] [-seed 1] [-n 100] [-list] DIR

DIR holds a clone of each repository by its name, such as DIR/bbolt. Makes the pages of each at the commit that was judged, in a
directory of its own, and draws purposes and flows: in turns from each repository, by chance from its modules. The exit code is 1
when one is wrong, when more than one in twenty is useless, or when nobody has judged one that was drawn.

`

// task is what the program is asked to do.
type task struct {
	causal, clones string
	seed           uint64
	n              int
	list           bool
}

var proof = trial.Program{Name: "judged", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	var t task
	flags.StringVar(&t.causal, "causal", "", "the program that makes the pages; built from this source when empty")
	flags.Uint64Var(&t.seed, "seed", 1, "what chance begins with")
	flags.IntVar(&t.n, "n", 100, "how many purposes and how many flows to draw")
	flags.BoolVar(&t.list, "list", false, "print each with its verdict and where to look")
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
	repositories, err := readRepositories()
	if err != nil {
		return nil, err
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
		nodes, err := readNodes(os.DirFS(filepath.Join(root, ".causal", "nodes")))
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
