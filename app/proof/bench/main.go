// Command bench compares causal with programs that do comparable work on the same tree: git status for the everyday commands, and ctags
// for the first update. The two commands of a pair alternate and their medians are compared, so a busy machine slows both. It exits with 1
// if a bound is exceeded.
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
	rounds := flag.Int("rounds", 5, "number of runs of each command")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *rounds)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// row is one line of the table: the cost of a command and of the command that it is compared with, in milliseconds.
type row struct {
	tree, what, against string
	wall, otherWall     float64
	cpu, otherCPU       float64
	bound               bound
	peak                int64 // bytes; 0 if not measured
}

// bound limits a row. A zero field is no limit.
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

func run(ctx context.Context, rounds int) error {
	dir, err := os.MkdirTemp("", "causal-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b, err := newBench(ctx, dir, rounds)
	if err != nil {
		return err
	}
	rows, err := b.rows()
	printRows(rows)
	if err == nil && slices.ContainsFunc(rows, func(r row) bool { return r.exceeded() != "" }) {
		err = errors.New("a bound is exceeded")
	}
	return err
}

// manyModules is the size of the generated repository.
const manyModules = 20_000

// rows measures everything.
func (b *bench) rows() ([]row, error) {
	rows, err := b.start()
	if err != nil {
		return rows, err
	}
	more, err := b.standardLibrary()
	if rows = append(rows, more...); err != nil {
		return rows, err
	}
	t := tree{fmt.Sprintf("%d modules", manyModules), func(dir string) error { return monorepo(dir, manyModules) }}
	dir, err := b.prepare(t)
	if err != nil {
		return rows, err
	}
	more, err = b.firstUpdate(t.name, dir, 1, bound{ratio: 5})
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
