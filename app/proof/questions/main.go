// Command questions asks the pages what newcomers asked: questions about the code of repositories that this project was not
// made with, from their issues, each with the clicks that lead from the entry page to what answers it.
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

// leastAnswered is the share of all questions that the pages have to answer.
const leastAnswered = 0.70

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

const usage = `usage: questions [-causal BINARY] [-clicks] DIR

DIR holds a clone of each repository by its name, such as DIR/badger. Makes the pages of each at the commit that was asked,
in a directory of their own, and follows the recorded clicks from the entry page. The exit code is 1 when a link or an answer
is not there any more, or when less than 70 % of the questions are answered.

`

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("questions", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		_, _ = io.WriteString(errs, usage)
		flags.PrintDefaults()
	}
	binary := flags.String("causal", "", "the program that makes the pages; built from this source when empty")
	clicks := flags.Bool("clicks", false, "print each question with the links that lead to its answer")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitClean
	case err != nil:
		return exitUsage
	case flags.NArg() != 1:
		flags.Usage()
		return exitUsage
	}
	all, err := ask(ctx, *binary, flags.Arg(0))
	if err != nil {
		_, _ = fmt.Fprintf(errs, "questions: %v\n", err)
		return exitFailure
	}
	all.print(out, *clicks)
	if len(all.broken()) > 0 || all.share() < leastAnswered {
		return exitWrong
	}
	return exitClean
}

// ask makes the pages of each repository and asks them.
func ask(ctx context.Context, binary, clones string) (report, error) {
	repositories, err := readRepositories()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "questions")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the pages: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	w := workshop{dir: dir, causal: binary}
	if err = w.build(ctx); err != nil {
		return nil, err
	}
	var all report
	for _, r := range repositories {
		pages, err := w.makePages(ctx, r, clones)
		if err != nil {
			return nil, fmt.Errorf("make the pages of %s: %w", r.Name, err)
		}
		all = append(all, asked{r, followAll(os.DirFS(pages), r.Questions)})
	}
	return all, nil
}
