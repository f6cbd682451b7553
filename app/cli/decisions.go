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
		Short: "Tell what is thought now: what holds, what is contested, what is open",
		Long: `Tell the current state of thinking, as it follows from the events of the log: what holds, what is contested, and which objections
nobody has answered. "settled" is what survived an objection or was confirmed by a person; what nobody ever objected to is
"unchallenged", which is not the same. What is told goes as far as the log does: what was never recorded is not known.`,
		Example: `  causal decisions
  causal decisions --about "usage-based pricing"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDecisions(cmd.Context(), world, flags) },
	}
	c.Flags().BoolVar(&flags.all, "all", false, "also what was superseded, resolved and parked")
	c.Flags().StringVar(&flags.about, "about", "", "only what a text is about, with what was thought of it before")
	c.Flags().BoolVar(&flags.json, "json", false, "print one JSON object")
	return c
}

// doubt says that the log is not whole, to whoever is told what follows from it.
func (p *place) doubt(log *workspace.Ledger) {
	if text := answer.Doubt(log); text != "" {
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
		return world.answer(flags.json, d, printed(d.Text))
	})
}

func newLog(world IO) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "log",
		Short: "List what was recorded, in order",
		Long: `List all events of the log in their order: what had been seen when something was recorded comes first. Events of two branches that
did not know of each other have an order as well, which says nothing.`,
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
			_, _ = fmt.Fprintln(world.Err, "nothing is recorded yet; `causal record proposition TEXT` records a first thought")
		}
		return world.answer(asJSON, list, printed(list.Text))
	})
}
