// Command tests holds what `causal testgen --verify` makes of real libraries, whose own tests were taken away, to these tests of
// people, to the skeletons of gotests and to native fuzzing for the same time: what is covered, and which small mistakes are noticed.
// With -replay it walks the history of a library instead, and finds out by itself what a specification should have fallen with.
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

Takes clones of libraries, by name, from a directory, and prints tables in Markdown. The exit code is 1 when a generated file does not
build, is not as gofmt writes it or is found fault with by go vet, and when a generated test fails in one of its repetitions.

With -replay it walks the last commits of one clone that touch Go. The exit code is 1 when a specification stayed as it was although
what it is about changed, and when a generated test fails or does not build at a commit without being reported.

`

var proof = trial.Program{Name: "tests", Usage: usage, Define: define}

func main() { proof.Main() }

// options are what can be asked for.
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
	flags.StringVar(&o.only, "only", "", "the names of the libraries to measure, with commas between them; all when empty")
	flags.StringVar(&o.causal, "causal", "", "the program to measure; it is built from this source when empty")
	flags.IntVar(&o.mutants, "mutants", 60, "how many mutants of a library to draw")
	flags.Uint64Var(&o.seed, "seed", 1, "what the draw begins with")
	flags.IntVar(&o.repeat, "repeat", 20, "how many times the generated tests are run with -race, each time in another order")
	flags.BoolVar(&o.survivors, "survivors", false, "print the mutants that the generated tests do not notice")
	flags.IntVar(&o.replay, "replay", 0, "walk so many commits of one clone instead")
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
		return false, fmt.Errorf("%w: no library is called %s", trial.ErrUnfit, o.only)
	}
	gotests, err := buildGotests(ctx, w.Dir())
	if err != nil {
		return false, err
	}
	began := time.Now()
	var results []*result
	defer func() { // those that are measured are worth telling when one fails, or when it is interrupted
		if len(results) > 0 {
			_, printed := io.WriteString(out, tables(results, o, time.Since(began)))
			err = errors.Join(err, printed)
		}
	}()
	for _, l := range chosen {
		m := &measurement{workshop: w, gotests: gotests, options: o, talk: talk, result: &result{library: l}}
		if err := m.run(ctx, from); err != nil {
			return false, fmt.Errorf("%s: %w", l.repository, err)
		}
		results = append(results, m.result)
	}
	return holdAll(results), nil
}
