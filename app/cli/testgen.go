package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

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
	return inPlace(ctx, world, flags.dir, func(p *place) error {
		if !flags.check {
			if err := p.lock(ctx); err != nil {
				return err
			}
		}
		want := workspace.TestRun{Targets: targets, Accept: flags.accept, Check: flags.check}
		if flags.verify {
			want.Runner = &testrun.Runner{Root: p.Root(), Launcher: launcher(), Warn: func(m *testrun.MissingError) {
				_, _ = plain.Fprintf(world.Err, "causal: %s\n", m)
			}}
		}
		o, err := p.Testgen(ctx, want)
		if err != nil {
			return wrongTests(err)
		}
		err = world.answer(flags.json, o, func(w io.Writer) error { return printTestgen(w, o, flags) })
		return orFindings(err, o.Left(flags.check))
	})
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

// printTestgen tells people what came of it.
func printTestgen(w io.Writer, o *testgen.Outcome, flags testgenFlags) error {
	var b strings.Builder
	for _, f := range o.Invalidated {
		plain.Add(&b, "invalidated  %s: %s through %s\n", f.Spec, f.Because, f.File)
	}
	for _, c := range o.BehaviourChanges {
		plain.Add(&b, "changed      %s was %s, is %s; take it with: causal testgen --accept %s#%s\n", c.Call, c.Was, c.Is, c.Spec, c.Case)
	}
	for _, q := range o.Quarantined {
		name := q.Spec
		if q.Case != "" {
			name += "#" + q.Case
		}
		plain.Add(&b, "kept out     %s: %s\n", name, q.Reason)
	}
	for _, n := range o.NotGeneratable {
		plain.Add(&b, "no tests     %s.%s: %s\n", n.Module, n.Symbol, n.Reason)
	}
	verb := "written"
	if flags.check {
		verb = "would be written"
	}
	for _, f := range o.FilesWritten {
		plain.Add(&b, "%s  %s\n", verb, f)
	}
	for _, f := range o.FilesRemoved {
		plain.Add(&b, "%s  %s\n", strings.Replace(verb, "written", "removed", 1), f)
	}
	count := map[spec.Status]int{}
	kept := 0
	for _, s := range o.Specs {
		count[s.Status]++
		kept += s.Kept
	}
	plain.Add(&b, "%d specs: %d active, %d wait for a run, %d invalidated, %d quarantined; %d cases in the code\n", len(o.Specs), count[spec.Active], count[spec.Pending],
		count[spec.Invalidated], count[spec.Quarantined], kept)
	if v := o.Verified; v != nil {
		plain.Add(&b, "%d calls were tried", v.Candidates)
		if v.Coverage.After > 0 {
			plain.Add(&b, "; tests reach %.1f %% of the statements, %.1f %% before", v.Coverage.After, v.Coverage.Before)
		}
		b.WriteByte('\n')
	} else if count[spec.Pending]+count[spec.Invalidated] > 0 && !flags.check {
		b.WriteString("next: causal testgen --verify builds and runs them\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
