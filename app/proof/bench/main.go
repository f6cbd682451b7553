// Command bench measures causal against programs that do comparable work on the same tree: git for what a user waits for every day, a tag
// generator for a first update. The two commands of a pair run in turn and their medians are compared, so that a busy machine slows
// both. It exits with 1 when a bound is exceeded.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each command runs")
	modules := flag.Int("modules", 0, "measure only a first update of a made repository of so many modules")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *rounds, *modules)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// row is one line of the table: what a command took, and what the command beside it took. Values are in milliseconds.
type row struct {
	tree, what, against string
	wall, otherWall     float64
	cpu, otherCPU       float64
	bound               bound
	peak                int64 // bytes, 0 where it does not matter
}

// bound is what a row may reach; what is 0 does not count.
type bound struct {
	ratio float64 // of wall times
	over  float64 // milliseconds of processor time over the other command
	peak  int64   // bytes
}

// exceeded says which bound a row exceeds, empty when none.
func (r row) exceeded() string {
	switch b := r.bound; {
	case b.ratio > 0 && r.wall > b.ratio*r.otherWall:
		return "TOO SLOW"
	case b.over > 0 && r.cpu > b.over+r.otherCPU:
		return "TOO SLOW"
	case b.peak > 0 && r.peak > b.peak:
		return "TOO LARGE"
	}
	return ""
}

func run(ctx context.Context, rounds, modules int) error {
	dir, err := os.MkdirTemp("", "causal-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b, err := newBench(ctx, dir, rounds)
	if err != nil {
		return err
	}
	rows, err := b.rows(modules)
	printRows(rows)
	if err == nil && slices.ContainsFunc(rows, func(r row) bool { return r.exceeded() != "" }) {
		err = errors.New("a bound is exceeded")
	}
	return err
}

// manyModules is the size of the made repository that has a bound.
const manyModules = 20_000

// rows measures everything, or only a made repository.
func (b *bench) rows(modules int) ([]row, error) {
	made := func(n int, ratio float64) ([]row, error) {
		t := tree{fmt.Sprintf("%d modules", n), func(dir string) error { return monorepo(dir, n) }}
		dir, err := b.prepare(t)
		if err != nil {
			return nil, err
		}
		return b.firstUpdate(t.name, dir, 1, bound{ratio: ratio})
	}
	if modules > 0 {
		return made(modules, 0)
	}
	rows, err := b.start()
	if err != nil {
		return rows, err
	}
	more, err := b.standardLibrary()
	if rows = append(rows, more...); err != nil {
		return rows, err
	}
	more, err = made(manyModules, 5)
	return append(rows, more...), err
}

func printRows(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 2, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "tree\twhat\twall ms\tCPU ms\tagainst\twall ms\tCPU ms\tratio\tat most\tCPU ratio\tpeak MB\tat most\t")
	for _, r := range rows {
		most := ""
		switch {
		case r.bound.ratio > 0:
			most = fmt.Sprintf("%.1f", r.bound.ratio)
		case r.bound.over > 0:
			most = fmt.Sprintf("+%.0f ms of CPU", r.bound.over)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.0f\t%.0f\t%s\t%.0f\t%.0f\t%.2f\t%s\t%.2f\t%s\t%s\t%s\n", r.tree, r.what, r.wall, r.cpu, r.against,
			r.otherWall, r.otherCPU, r.wall/r.otherWall, most, r.cpu/r.otherCPU, megabytes(r.peak), megabytes(r.bound.peak), r.exceeded())
	}
	_ = w.Flush()
}

func megabytes(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n / 1e6)
}
