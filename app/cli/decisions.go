package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/answer"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
)

type decisionFlags struct {
	all, json bool
	about     string
}

func newDecisions(world IO) *cobra.Command {
	var flags decisionFlags
	c := &cobra.Command{
		Use:   "decisions",
		Short: "Show current decisions and open questions",
		Long: `Show the current decisions, the contested positions and the objections without an answer, derived from the events of the
log. A "settled" position survived an objection or was confirmed by a person. An "unchallenged" one never met an objection.
Only recorded events count.`,
		Example: `  causal decisions
  causal decisions --about "usage-based pricing"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDecisions(cmd.Context(), world, flags) },
	}
	c.Flags().BoolVar(&flags.all, "all", false, "also list superseded, resolved and parked positions")
	c.Flags().StringVar(&flags.about, "about", "", "only positions about a text, with their history")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

// doubt warns about an incomplete log.
func (p *place) doubt(log *workspace.Ledger) {
	if text := answer.LogWarning(log); text != "" {
		_, _ = plain.Fprintf(p.world.Err, "warning: %s\n", text)
	}
}

func runDecisions(ctx context.Context, world IO, flags decisionFlags) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		d := answer.DecisionsOf(log, flags.about, flags.all)
		return world.answer(flags.json, d, d.Text)
	})
}

func newLog(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "log",
		Short: "List the recorded events, in order",
		Long: `List all events of the log. An event is listed after the events that its author had seen. The order of events from
independent branches is fixed, but has no meaning.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLog(cmd.Context(), world, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func runLog(ctx context.Context, world IO, asJSON bool) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		log, err := p.Ledger(ctx, false)
		if err != nil {
			return err
		}
		p.doubt(log)
		list := answer.LogOf(log)
		if len(list.Events) == 0 && !asJSON {
			_, _ = fmt.Fprintln(world.Err, "the log is empty; `causal record proposition TEXT` records a first proposition")
		}
		return world.answer(asJSON, list, list.Text)
	})
}
