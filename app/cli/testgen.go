package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/testrun"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/prompt"
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
		Short: "Write test specs, and generate tests from them",
		Long: `Write a test spec for each function that can be tested, and generate tests from the specs. A spec is a file in .causal/specs
with the reason for a test, its cases, and the condition that invalidates it. Without targets, all modules are included.

Only --verify runs code of the repository: it builds and runs candidates, confined, in a temporary directory, and keeps stable,
useful cases with their results. When a function changes, its spec is invalidated and its test skipped until --verify finds
the same results. A different result is a behaviour change: fix the code, or accept the change with --accept.

With CAUSAL_MODEL, --verify asks a language model for more cases and reasons. It runs the model's cases like all others, and keeps
only reasons that quote the documentation. --offline asks none.

The exit code is 1 when a spec stays invalidated, a behaviour changed, or --check would write a file.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.check && (flags.verify || len(flags.accept) > 0) {
				return usage(fmt.Errorf("--check cannot be combined with --verify or --accept; see `%s --help`", cmd.CommandPath()))
			}
			return runTestgen(cmd.Context(), world, args, flags)
		},
	}
	world.offlineFlag(c)
	f := c.Flags()
	f.BoolVar(&flags.verify, "verify", false, "build and run pending cases, and keep those that pass")
	f.BoolVar(&flags.check, "check", false, "report what a run would write, and write nothing")
	f.StringArrayVar(&flags.accept, "accept", nil, "accept the behaviour change of a case, SPEC#CASE (repeatable)")
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
		if err := p.openModel(flags.check); err != nil {
			return err
		}
		if !flags.check {
			if err := p.lock(ctx); err != nil {
				return err
			}
		}
		if len(targets) == 0 {
			targets = p.accepted(flags.accept)
		}
		want := workspace.TestRun{Dir: world.path(flags.dir), Targets: targets, Accept: flags.accept, Check: flags.check}
		if flags.verify {
			say := func(text string) { _, _ = plain.Fprintf(world.Err, "causal: %s\n", text) }
			want.Runner = &testrun.Runner{Root: p.Root(), Launcher: launcher(), Say: say, Warn: func(m *testrun.MissingError) { say(m.Error()) }}
			if p.Model.Allows(prompt.Testgen) {
				want.Runner.Model, want.Runner.Shows = p.Model, p.Shows
			}
		}
		o, err := p.Testgen(ctx, want)
		if err != nil {
			return wrongTests(err)
		}
		if !flags.json {
			p.tellModel()
		}
		told := struct {
			*testgen.Outcome
			Model *report.Model `json:"model"`
		}{o, p.Model.Report()}
		err = world.answer(flags.json, told, func() string { return testgenText(o, targets, flags) })
		return orFindings(err, o.Left(flags.check))
	})
}

// accepted returns the modules of the cases to accept, which limit the run.
func (p *place) accepted(cases []string) (targets []string) {
	for _, name := range cases {
		file, _, _ := strings.Cut(name, "#")
		if module, _, ok := p.Layout.SpecOf(file); ok {
			targets = append(targets, module)
		}
	}
	return targets
}

func launcher() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	return name
}

// wrongTests turns errors that the user can correct into usage errors.
func wrongTests(err error) error {
	var target *workspace.TargetError
	var file *spec.FileError
	if errors.As(err, &target) || errors.As(err, &file) {
		return usage(err)
	}
	return err
}
