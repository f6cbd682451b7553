// Command memory measures the causal memory on made logs: how long it takes to read a log anew and to make the graph and the index of it, to add to
// them, and to answer; and in the same run what SQLite's full text search and DuckDB take for the ten best of the same texts. Each runs in a
// process of its own, so that its memory is its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	sizes := flag.String("events", "100000,1000000", "how many events the logs have, separated by commas")
	questions := flag.Int("questions", 200, "how many questions are asked")
	duckdb := flag.String("duckdb", "causal-duckdb", "the program that asks DuckDB")
	child := flag.String("measure", "", "measure one of them on a directory; it runs itself so")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *child != "" {
		err = measure(ctx, *child, flag.Arg(0), os.Stdout)
	} else {
		err = run(ctx, *sizes, *questions, *duckdb, os.Stdout)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

// figures are what one of them took for one log, in processor time; DuckDB's questions in what passed, since it answers with all processors.
type figures struct {
	Build    time.Duration            // from what lies on disk until the first question can be asked
	Steps    map[string]time.Duration // of that
	Append   time.Duration            // of one event; 0 is not measured
	Middle   time.Duration            // of the questions
	Slow     time.Duration            // 99 of 100 questions are faster
	Found    int                      // answers of all questions together
	peak     int64                    // bytes
	diskUsed int64
}

func run(ctx context.Context, sizes string, questions int, duckdb string, out io.Writer) error {
	for _, size := range strings.Split(sizes, ",") {
		events, err := strconv.Atoi(size)
		if err != nil || events < 100 {
			return fmt.Errorf("%q is no number of events, of which 100 are the fewest", size)
		}
		if err := compare(ctx, events, questions, duckdb, out); err != nil {
			return fmt.Errorf("%d events: %w", events, err)
		}
	}
	return nil
}

// compare makes a log and measures all of them on it.
func compare(ctx context.Context, events, questions int, duckdb string, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "causal-memory-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := prepare(dir, events, questions); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%d events\tcold\tone more\ttop 10, median\tp99\tpeak memory\ton disk\tfound\t\n", events)
	for _, name := range []string{causal, sqlite} {
		f, err := inChild(ctx, name, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.print(w, name)
	}
	f, err := askDuckDB(ctx, duckdb, dir)
	switch {
	case err == nil:
		f.print(w, duck)
	case !errors.Is(err, errNotThere):
		return fmt.Errorf("%s: %w", duck, err)
	}
	if flushed := w.Flush(); flushed != nil || err == nil {
		return flushed
	}
	_, err = fmt.Fprintf(out, "%s is skipped: %v\n", duck, err)
	return err
}

func (f figures) print(w io.Writer, name string) {
	one := ""
	if f.Append > 0 {
		one = f.Append.Round(time.Microsecond).String()
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d MB\t%d MB\t%d\t\n", name, f.Build.Round(time.Millisecond), one, f.Middle.Round(time.Microsecond),
		f.Slow.Round(time.Microsecond), f.peak>>20, f.diskUsed>>20, f.Found)
	for _, step := range []string{readStep, graphStep, indexStep} {
		if took, ok := f.Steps[step]; ok {
			fmt.Fprintf(w, "  %s\t%s\t\t\t\t\t\t\t\n", step, took.Round(time.Millisecond))
		}
	}
}

// size is how many bytes the files below a directory have.
func size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}
