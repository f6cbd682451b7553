// Command recall compares the reference pages of repositories with hand-made lists of their variables, routes, commands, flags, tables
// and jobs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/reference"
	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: recall [-causal BINARY] [-only NAME,...] [-names] DIR

DIR holds a clone of each repository in lists/ by its name, such as DIR/listmonk. Generates the pages of each at the commit of its list in
a temporary directory. Prints how many listed names have a row on the pages, and how many rows are right. Skips repositories without a
clone. The exit code is 1 if recall or precision of the repositories that are not marked as seen is below the recorded minimum.

`

var proof = trial.Program{Name: "recall", Usage: usage, Define: define}

func main() { proof.Main() }

func define(flags *flag.FlagSet) trial.Run {
	binary := flags.String("causal", "", "the program to use instead of one built from this source")
	only := flags.String("only", "", "comma-separated names of repositories; all by default")
	names := flags.Bool("names", false, "print missing names and wrong rows")
	return func(ctx context.Context, args []string, out, _ io.Writer) (holds bool, err error) {
		if len(args) != 1 {
			return false, trial.ErrArguments
		}
		w, err := clones.Open(ctx, *binary)
		if err != nil {
			return false, err
		}
		defer w.Close()
		all, err := measure(ctx, w, args[0], strings.FieldsFunc(*only, func(r rune) bool { return r == ',' }))
		if err != nil {
			return false, err
		}
		all.print(out, *names)
		sum := all.sum(func(l list) bool { return !l.Seen })
		return sum.recall() >= leastRecall && sum.precision() >= leastPrecision, nil
	}
}

// measure generates and compares the pages of the repositories that have a clone.
func measure(ctx context.Context, w *clones.Workshop, from string, only []string) (report, error) {
	all, err := readLists()
	if err != nil {
		return nil, err
	}
	var out report
	for _, l := range all {
		name := path.Base(l.Repository)
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(from, name)); err != nil {
			out = append(out, result{list: l, skipped: "not in " + from})
			continue
		}
		root, err := w.Make(ctx, l.Repository, l.Commit, from)
		if err != nil {
			return nil, err
		}
		rows, err := rowsOf(root)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, result{list: l, tallies: compare(l, rows)})
		if err := os.RemoveAll(root); err != nil {
			return nil, fmt.Errorf("remove the pages: %w", err)
		}
	}
	return out, nil
}

// rowsOf reads the pages of a work tree.
func rowsOf(root string) ([]reference.Row, error) {
	pages, err := clones.Pages(root)
	if err != nil {
		return nil, err
	}
	return reference.Read(os.DirFS(filepath.Join(root, pages)))
}
