// Command bench measures causal against limits that are measured in the same run: git itself for what a user waits for
// every day, a tag generator for the first run. Commands are interleaved, and medians are compared, so that a busy
// machine slows both sides.
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
	rounds := flag.Int("rounds", 9, "how often each command runs")
	reviews := flag.Bool("reviews", false, "measure reviews alone")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *rounds, *reviews)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// row is one line of the table.
type row struct {
	where, what, against string
	took, limit          float64 // milliseconds
	cpu, cpuLimit        float64 // of the processor
	most                 float64 // the ratio that is allowed, 0 for none
	slack                float64 // milliseconds over the limit that are allowed whatever the ratio: a process takes some to start
	note                 string
	broken               bool // what the note tells is over its limit
}

// kept reports whether the row is within its limits.
func (r row) kept() bool {
	return !r.broken && (r.most == 0 || r.took <= max(r.most*r.limit, r.limit+r.slack))
}

func run(ctx context.Context, rounds int, reviews bool) error {
	dir, err := os.MkdirTemp("", "causal-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b, err := newBench(ctx, dir, rounds)
	if err != nil {
		return err
	}
	rows, err := b.rows(reviews)
	if err != nil {
		return err
	}
	printRows(rows)
	var speeds []speed
	if !reviews {
		if speeds, err = b.extraction(); err != nil {
			return err
		}
		printSpeeds(speeds)
	}
	if slices.ContainsFunc(rows, func(r row) bool { return !r.kept() }) || slices.ContainsFunc(speeds, func(s speed) bool { return !s.kept() }) {
		return errors.New("a limit is not kept")
	}
	return nil
}

// rows measures runs over all trees, unless reviews alone are wanted.
func (b *bench) rows(reviews bool) (rows []row, err error) {
	measure := func(of func(corpus) ([]row, error), list ...corpus) error {
		for _, c := range list {
			more, err := of(c)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			rows = append(rows, more...)
		}
		return nil
	}
	if !reviews {
		if err := measure(b.measure, b.corpora()...); err != nil {
			return nil, err
		}
	}
	return rows, measure(b.reviews, madeOf(5000), standardLibrary())
}

func printRows(rows []row) {
	w := tabwriter.NewWriter(os.Stdout, 2, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "tree\twhat\tms\tagainst\tms\tratio\tat most\t\tCPU ratio\tnote")
	for _, r := range rows {
		ratio, most, cpu := "", "", ""
		if r.limit > 0 {
			ratio = fmt.Sprintf("%.2f", r.took/r.limit)
		}
		if r.cpuLimit > 0 {
			cpu = fmt.Sprintf("%.2f", r.cpu/r.cpuLimit)
		}
		if r.most > 0 {
			most = fmt.Sprintf("%.1f", r.most)
			if r.slack > 0 {
				most += fmt.Sprintf(" or +%.0f ms", r.slack)
			}
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.0f\t%s\t%.0f\t%s\t%s\t%s\t%s\t%s\n", r.where, r.what, r.took, r.against, r.limit, ratio, most, verdict(r.kept()), cpu, r.note)
	}
	_ = w.Flush()
}

func verdict(kept bool) string {
	if kept {
		return ""
	}
	return "NOT KEPT"
}

func printSpeeds(speeds []speed) {
	w := tabwriter.NewWriter(os.Stdout, 2, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "\nlanguage\tfiles\tMB\tMB/s of one core\tat least")
	for _, s := range speeds {
		least := fmt.Sprint(leastSpeed)
		switch {
		case s.language == "go":
			least = "its standard parser"
		case s.least == 0:
			least = "too little here; CAUSAL_CORPUS names more"
		}
		_, _ = fmt.Fprintf(w, "%s\t%d\t%.1f\t%.1f\t%s\t%s\n", s.language, s.files, s.megabytes, s.rate, least, verdict(s.kept()))
	}
	_ = w.Flush()
}
