package cli

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/store"
)

func newCheck(world IO) *cobra.Command {
	var flags checkFlags
	c := &cobra.Command{
		Use:   "check [path]",
		Short: "List outdated nodes, pages and test specs",
		Long: `List the nodes, pages and test specs that are out of date, with the reason and the command that updates them. A node or
page is out of date only if an update would change its text. The command also checks diagrams and links. It runs no test and
writes only to its cache in .git/causal. The exit code is 1 when anything is out of date.

path is any directory of the repository (default: the current directory). The whole repository is checked.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runCheck(cmd.Context(), world, first(args, "."), flags)
		},
	}
	c.Flags().BoolVar(&flags.staged, "staged", false, "check the staged files instead of the work tree")
	c.Flags().BoolVar(&flags.diff, "diff", false, "print how the pages would change")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

type checkFlags struct{ staged, diff, json bool }

func runCheck(ctx context.Context, world IO, at string, flags checkFlags) error {
	from := workspace.WorkTree{Dir: at}
	if flags.staged {
		from.Staged = workspace.StagedAll
	}
	return openAt(ctx, world, from, func(p *place) error {
		report, err := p.Check(ctx)
		if err != nil {
			return err
		}
		if p.mayBeIgnored() {
			p.warn(p.ignored(ctx))
		}
		err = world.answer(flags.json, report, func() string {
			text := checkText(report)
			if flags.diff {
				text = diffText(p.Layout, report.Differing) + text
			}
			return text
		})
		return orFindings(err, len(report.Stale) > 0)
	})
}

func diffText(layout store.Layout, list []store.Difference) string {
	var b strings.Builder
	for _, d := range list {
		if !strings.HasPrefix(d.Name, layout.Docs+"/") {
			continue
		}
		plain.Add(&b, "--- %s\n+++ %s\n", d.Name, d.Name)
		for _, line := range summary.Diff(string(d.Before), string(d.After)) {
			plain.Add(&b, "%s\n", line)
		}
	}
	return b.String()
}

func checkText(r *report.Check) string {
	var b strings.Builder
	told := map[string]bool{}
	for _, s := range r.Stale {
		name := cmp.Or(s.Node, s.Page)
		if key := name + "\x00" + s.Detail; !told[key] { // once for all pages of a module
			told[key] = true
			plain.Add(&b, "stale   %-28s %-60s run: %s\n", name, s.Detail, s.Mend)
		}
	}
	b.WriteString(summary.Checked(r) + "\n")
	return b.String()
}
