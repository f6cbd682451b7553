// Command causal-duckdb writes the output of `causal memory export` to a DuckDB file, and finds events in such a file.
// It is a separate module because DuckDB is a C++ library: causal needs no C compiler.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: causal memory export --jsonl - | causal-duckdb write [--embeddings NAME] [--rows N] FILE
       causal-duckdb search [--top N] FILE QUESTION

write creates the DuckDB database FILE with the table "events" from standard input; the table "log_ids" has the id of each event in the log.
A file that is not such an export is never overwritten. With --rows, any other number of events is an error.
search prints the events nearest to a question, one JSON object for each question; a question of "-" reads one a line from standard input.

Exit codes: 2 usage, 3 failure.
`

// The exit codes are those of causal.
const (
	exitUsage   = 2
	exitFailure = 3
)

// usageError is an error in the command line.
type usageError struct{ error }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	var mistake usageError
	switch {
	case err == nil:
	case errors.As(err, &mistake):
		fmt.Fprintln(os.Stderr, "causal-duckdb:", err)
		os.Exit(exitUsage)
	default:
		fmt.Fprintln(os.Stderr, "causal-duckdb:", err)
		os.Exit(exitFailure)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("causal-duckdb", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	embeddings := flags.String("embeddings", "", "what made the vectors")
	rows := flags.Int("rows", -1, "how many events there are")
	top := flags.Int("top", 10, "how many events are listed")
	command := ""
	if len(args) > 0 {
		command = args[0]
		if err := flags.Parse(args[1:]); err != nil {
			return usageError{fmt.Errorf("%w\n%s", err, usage)}
		}
	}
	switch {
	case command == "write" && flags.NArg() == 1:
		return write(ctx, flags.Arg(0), in, *embeddings, *rows)
	case command == "search" && flags.NArg() == 2 && *top > 0:
		return search(ctx, flags.Arg(0), flags.Arg(1), *top, in, out)
	}
	return usageError{errors.New(usage)}
}

type answer struct {
	Query   string  `json:"query"`
	Matches []match `json:"matches"`
}

type match struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
}

func search(ctx context.Context, name, question string, top int, in io.Reader, out io.Writer) (err error) {
	t, err := openTable(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	index, err := t.index(ctx)
	if err != nil {
		return err
	}
	answers := json.NewEncoder(out)
	tell := func(question string) error {
		hits, err := index.Search(ctx, question, top)
		if err != nil {
			return err
		}
		a := answer{question, make([]match, len(hits))}
		for i, h := range hits {
			a.Matches[i] = match{h.Key, h.Score}
		}
		return answers.Encode(a)
	}
	if question != "-" {
		return tell(question)
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := tell(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}
