// Command questions checks which questions of newcomers the pages answer. The questions are from issues of repositories that were not used
// in development, each with the clicks from the entry page to the answer.
package main

import (
	"context"
	"flag"
	"io"
	"os"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/trial"
)

// leastAnswered is the share of all questions that the pages have to answer.
const leastAnswered = 0.70

const usage = `usage: questions [-causal BINARY] [-clicks] DIR

DIR holds a clone of each repository by its name, such as DIR/badger. Renders the pages of each at its commit in a temporary
directory, and follows the recorded clicks from the entry page, to pages and to documents of the repository. The exit code is 1 if
a link or an answer is missing, or if less than 70 % of the questions are answered.

`

var proof = trial.Program{Name: "questions", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	binary := flags.String("causal", "", "the program to use instead of one built from this source")
	clicks := flags.Bool("clicks", false, "print each question with the links that lead to its answer")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) != 1 {
			return false, trial.ErrArguments
		}
		all, err := ask(ctx, *binary, args[0])
		if err != nil {
			return false, err
		}
		all.print(out, *clicks)
		return len(all.broken()) == 0 && all.share() >= leastAnswered, nil
	}
}

// ask makes the pages of each repository and asks them.
func ask(ctx context.Context, binary, from string) (report, error) {
	repositories, err := readRepositories()
	if err != nil {
		return nil, err
	}
	w, err := clones.Open(ctx, binary)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	var all report
	for _, r := range repositories {
		root, err := w.Make(ctx, r.Name, r.Commit, from)
		if err != nil {
			return nil, err
		}
		pages, err := clones.Pages(root)
		if err != nil {
			return nil, err
		}
		all = append(all, asked{r, followAll(os.DirFS(root), pages, r.Questions)})
	}
	return all, nil
}
