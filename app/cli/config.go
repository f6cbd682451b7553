package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/store"
)

func newConfig(world IO) *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: "Look at the configuration", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	verify := &cobra.Command{
		Use:   "verify [path]",
		Short: "Hold the configuration to its schema",
		Long: "Hold " + store.Config + ` to its JSON Schema, and say for each error where it is and what to write instead. A directory
that git ignores, so that causal's files in it are never committed, is a finding. Without the file the defaults hold.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return inPlace(cmd.Context(), world, first(args, "."), func(p *place) error { return p.verifyConfig(cmd.Context(), asJSON) })
		},
	}
	verify.Flags().BoolVar(&asJSON, "json", false, "print one JSON object with the values in force")
	schema := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := world.Out.Write(config.Schema)
			return err
		},
	}
	c.AddCommand(verify, schema)
	return c
}

// verifyConfig tells of a configuration that is valid, because it could be opened, what it leads to.
func (p *place) verifyConfig(ctx context.Context, asJSON bool) error {
	findings := p.ignored(ctx)
	all := map[string]any{"valid": true, "config": p.Config.Values(), "findings": findings}
	said := store.Config + " is valid"
	if !p.Configured() {
		said = "there is no " + store.Config + ": the defaults hold (`causal init` writes them down)"
	}
	err := p.world.answer(asJSON, all, func(w io.Writer) error {
		if _, err := fmt.Fprintln(w, said); err != nil {
			return err
		}
		return printFindings(w, findings)
	})
	return orFindings(err, len(findings) > 0)
}
