// Command judged draws purposes and flows of modules by chance, from repositories that this project was not made with, and holds
// each against the verdict of somebody who read the code: right, useless or wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit codes are those of causal itself.
const (
	exitClean   = 0
	exitWrong   = 1
	exitUsage   = 2
	exitFailure = 3
)

// mostUseless is the part of what was drawn that may be of no use.
const mostUseless = 0.05

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

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

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("judged", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	var t task
	flags.StringVar(&t.causal, "causal", "", "the program that makes the pages; built from this source when empty")
	flags.Uint64Var(&t.seed, "seed", 1, "what chance begins with")
	flags.IntVar(&t.n, "n", 100, "how many purposes and how many flows to draw")
	flags.BoolVar(&t.list, "list", false, "print each with its verdict and where to look")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case flags.NArg() != 1 || t.n < 1:
		flags.Usage()
		return exitUsage
	}
	t.clones = flags.Arg(0)
	r, err := t.judge(ctx)
	if err != nil {
		_, _ = fmt.Fprintf(errs, "judged: %v\n", err)
		return exitFailure
	}
	if t.list {
		r.printTexts(out)
	}
	r.printTable(out)
	if !r.holds() {
		return exitWrong
	}
	return exitClean
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
	dir, err := os.MkdirTemp("", "judged")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the pages: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := workshop{dir: dir, causal: t.causal}
	if err = w.build(ctx); err != nil {
		return nil, err
	}
	r := &report{}
	for _, repo := range repositories {
		nodes, err := w.makeNodes(ctx, repo, t.clones)
		if err != nil {
			return nil, fmt.Errorf("make the pages of %s: %w", repo.Name, err)
		}
		r.sources = append(r.sources, newSource(repo, nodes, t.seed))
	}
	r.texts = append(draw(r.sources, purposeKind, t.n), draw(r.sources, flowKind, t.n)...)
	for i := range r.texts {
		r.texts[i].verdict = known[r.texts[i].key()]
	}
	return r, nil
}
