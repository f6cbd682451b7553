// Command tests compares the tests that `causal testgen --verify` generates for real libraries with the libraries' own tests, which are
// removed first: by coverage, and by the mutants that each detects. With -replay it walks the history of a library instead, and determines
// independently which specifications each commit should invalidate.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/proof/clones"
	"github.com/causaldocs/causal/app/proof/trial"
)

const usage = `usage: tests [-only NAME,...] [-mutants 60] [-seed 1] [-repeat 20] [-survivors] DIR
       tests -replay 100 DIR/NAME

DIR holds clones of the libraries by name. Prints tables in Markdown. The exit code is 1 if a generated file does not build, is not
formatted or fails go vet, or if a generated test fails in one of its repetitions.

With -replay it walks the last commits of one clone that touch Go. The exit code is 1 if a specification stayed active although its
function changed, or if a generated test fails or does not build while its specification is active.

`

var proof = trial.Program{Name: "tests", Usage: usage, Define: define}

func main() { proof.Main() }

// options holds the flags.
type options struct {
	only      string
	causal    string
	mutants   int
	seed      uint64
	repeat    int
	survivors bool
	replay    int
}

func define(flags *flag.FlagSet) trial.Run {
	var o options
	flags.StringVar(&o.only, "only", "", "comma-separated names of libraries; all by default")
	flags.StringVar(&o.causal, "causal", "", "the program to measure instead of one built from this source")
	flags.IntVar(&o.mutants, "mutants", 60, "number of mutants per library")
	flags.Uint64Var(&o.seed, "seed", 1, "random seed")
	flags.IntVar(&o.repeat, "repeat", 20, "number of runs of the generated tests with -race, each in another order")
	flags.BoolVar(&o.survivors, "survivors", false, "print the mutants that the generated tests miss")
	flags.IntVar(&o.replay, "replay", 0, "walk this number of commits of one clone instead")
	return func(ctx context.Context, args []string, out, talk io.Writer) (holds bool, err error) {
		if len(args) != 1 || o.mutants < 0 || o.repeat < 0 || o.replay < 0 {
			return false, trial.ErrArguments
		}
		w, err := clones.Open(ctx, o.causal)
		if err != nil {
			return false, err
		}
		defer w.Close()
		if o.replay > 0 {
			return replay(ctx, w, args[0], o.replay, out, talk)
		}
		return measureAll(ctx, w, args[0], o, out, talk)
	}
}

// measureAll measures the libraries, one after the other, and prints the tables.
func measureAll(ctx context.Context, w *clones.Workshop, from string, o options, out, talk io.Writer) (holds bool, err error) {
	chosen := slices.Clone(libraries)
	if o.only != "" {
		names := strings.Split(o.only, ",")
		chosen = slices.DeleteFunc(chosen, func(l library) bool { return !slices.Contains(names, l.name()) })
	}
	if len(chosen) == 0 {
		return false, fmt.Errorf("%w: there is no library %s", trial.ErrUnfit, o.only)
	}
	began := time.Now()
	var results []*result
	defer func() { // print the finished libraries also after an error or an interrupt
		if len(results) > 0 {
			_, printed := io.WriteString(out, tables(results, o, time.Since(began)))
			err = errors.Join(err, printed)
		}
	}()
	for _, l := range chosen {
		m := &measurement{workshop: w, options: o, talk: talk, result: &result{library: l}}
		if err := m.run(ctx, from); err != nil {
			return false, fmt.Errorf("%s: %w", l.repository, err)
		}
		results = append(results, m.result)
	}
	return holdAll(results), nil
}
