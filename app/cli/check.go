package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
)

func newCheck(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [path]",
		Short: "Tell what is stale, why, and what mends it",
		Long: `Tell which nodes, pages and test specs do not hold any more, why, and which command mends it. Diagrams and links of
pages are checked as well. Nothing is written, and no test is run. The exit code is 1 when anything is stale.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCheck(cmd.Context(), world, first(args, "."), asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runCheck(ctx context.Context, world IO, at string, asJSON bool) error {
	return inPlace(ctx, world, at, func(p *place) error {
		report, err := p.Check(ctx)
		if err != nil {
			return err
		}
		err = world.answer(asJSON, report, func(w io.Writer) error { return printCheck(w, report) })
		return orFindings(err, len(report.Stale) > 0)
	})
}

func printCheck(w io.Writer, r *report.Check) error {
	var b strings.Builder
	modules := map[string]bool{}
	for _, s := range r.Stale {
		name := s.Node
		if name == "" {
			name = s.Page
		}
		modules[name] = true
		plain.Add(&b, "stale   %-28s %-60s run: %s\n", name, s.Detail, s.Mend)
	}
	if len(r.Stale) == 0 {
		plain.Add(&b, "all %d modules are fresh\n", r.Fresh)
	} else {
		plain.Add(&b, "%d stale, %d fresh\n", len(modules), r.Fresh)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
