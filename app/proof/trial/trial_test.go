package trial_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"testing"

	"github.com/causaldocs/causal/app/proof/trial"
)

func TestRun(t *testing.T) {
	t.Parallel()
	p := trial.Program{Name: "even", Usage: "usage: even [-say WORD] NUMBER\n", Define: func(flags *flag.FlagSet) trial.Run {
		word := flags.String("say", "holds", "the word to print")
		return func(_ context.Context, args []string, out, _ io.Writer) (bool, error) {
			if len(args) != 1 {
				return false, trial.ErrArguments
			}
			switch args[0] {
			case "pi":
				return false, fmt.Errorf("%w: %s is no whole number", trial.ErrUnfit, args[0])
			case "lost":
				return false, errors.New("the number is lost")
			}
			_, _ = io.WriteString(out, *word)
			return args[0] == "2", nil
		}
	}}
	const usage = "usage: even [-say WORD] NUMBER\n  -say string\n    \tthe word to print (default \"holds\")\n"
	for name, tc := range map[string]struct {
		args      []string
		code      int
		out, talk string
	}{
		"holds":         {[]string{"-say", "yes", "2"}, trial.ExitHolds, "yes", ""},
		"does not":      {[]string{"3"}, trial.ExitDiffers, "holds", ""},
		"help":          {[]string{"-h"}, trial.ExitHolds, "", usage},
		"no such flag":  {[]string{"-x"}, trial.ExitUsage, "", "flag provided but not defined: -x\n" + usage},
		"no arguments":  {nil, trial.ExitUsage, "", usage},
		"unfit":         {[]string{"pi"}, trial.ExitUsage, "", "even: unsuitable input: pi is no whole number\n"},
		"does not work": {[]string{"lost"}, trial.ExitFailure, "", "even: the number is lost\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, talk bytes.Buffer
			if code := p.Run(t.Context(), tc.args, &out, &talk); code != tc.code || out.String() != tc.out || talk.String() != tc.talk {
				t.Errorf("exit code %d, %q, %q; want %d, %q, %q", code, out.String(), talk.String(), tc.code, tc.out, tc.talk)
			}
		})
	}
}
