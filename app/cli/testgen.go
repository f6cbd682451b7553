package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/spec"
)

type testgenFlags struct {
	verify, check, json bool
	accept              []string
	dir                 string
}

func newTestgen(world IO) *cobra.Command {
	var flags testgenFlags
	c := &cobra.Command{
		Use:   "testgen [module|symbol]...",
		Short: "Write test specs, and the tests that follow from them",
		Long: `Write a test spec for each function that one can be made of, and derive the tests from the specs. A spec is a page in .causal/specs that
says why something is tested, with which cases, and what would make that wrong. Without targets, all modules are meant.

Nothing of the repository is run unless --verify says so. Then candidates are built and run, confined, in a temporary directory, and what
is stable and shows something is kept with its results. When a function changes, its spec is invalidated and its test skipped until
--verify has found the results to be the same. A result that is another is a behaviour change: --accept takes it, or the code is mended.

With CAUSAL_MODEL and CAUSAL_MODEL_URL, --verify asks a model for more cases and for reasons. Its cases are run like all others, and of its
reasons those are kept that rest on words of the documentation.

The exit code is 1 when a spec is left invalidated, a behaviour changed, or, with --check, something would be written.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.check && (flags.verify || len(flags.accept) > 0) {
				return usage(fmt.Errorf("--check writes nothing: it goes with neither --verify nor --accept; see `%s --help`", cmd.CommandPath()))
			}
			return runTestgen(cmd.Context(), world, args, flags)
		},
	}
	f := c.Flags()
	f.BoolVar(&flags.verify, "verify", false, "build and run what waits for a result, and keep what passes")
	f.BoolVar(&flags.check, "check", false, "write nothing, and tell what a run would")
	f.StringArrayVar(&flags.accept, "accept", nil, "take the behaviour change of a case, SPEC#CASE, as what is wanted; may be given many times")
	f.BoolVar(&flags.json, "json", false, "print one JSON object")
	f.StringVar(&flags.dir, "dir", ".", "the repository")
	c.AddCommand(&cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of specs", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := world.Out.Write(spec.JSONSchema)
			return err
		},
	})
	return c
}

func runTestgen(ctx context.Context, world IO, targets []string, flags testgenFlags) error {
	var proposes testgen.Model
	if flags.verify {
		chat, err := model.From(world.Getenv)
		if err != nil {
			return usage(err)
		}
		if chat != nil {
			proposes = chat
		}
	}
	return inPlace(ctx, world, flags.dir, func(p *place) error {
		if !flags.check {
			if err := p.lock(ctx); err != nil {
				return err
			}
		}
		if len(targets) == 0 {
			targets = p.accepted(flags.accept)
		}
		want := workspace.TestRun{Targets: targets, Accept: flags.accept, Check: flags.check}
		if flags.verify {
			say := func(text string) { _, _ = plain.Fprintf(world.Err, "causal: %s\n", text) }
			want.Runner = &testrun.Runner{
				Root: p.Root(), Launcher: launcher(), Model: proposes, Say: say, Warn: func(m *testrun.MissingError) { say(m.Error()) },
			}
		}
		o, err := p.Testgen(ctx, want)
		if err != nil {
			return wrongTests(err)
		}
		err = world.answer(flags.json, o, func(w io.Writer) error { return printTestgen(w, o, targets, flags) })
		return orFindings(err, o.Left(flags.check))
	})
}

// accepted are the modules of the cases that --accept takes: the run is about them, not about the whole repository.
func (p *place) accepted(cases []string) (targets []string) {
	for _, name := range cases {
		file, _, _ := strings.Cut(name, "#")
		if module, _, ok := p.Layout.SpecOf(file); ok {
			targets = append(targets, module)
		}
	}
	return targets
}

// launcher is this program, where it is one that starts others confined.
func launcher() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	return name
}

// wrongTests makes errors that people have to mend errors of usage.
func wrongTests(err error) error {
	var target *workspace.TargetError
	var file *spec.FileError
	if errors.As(err, &target) || errors.As(err, &file) {
		return usage(err)
	}
	return err
}
