package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/knowledge/store"
)

func newConfig(world IO) *cobra.Command {
	c := &cobra.Command{
		Use: "config", Short: "Validate the configuration, or print its schema", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	verify := &cobra.Command{
		Use:   "verify [path]",
		Short: "Validate the configuration",
		Long: "Validate " + store.Config + ` against its JSON Schema, and print the place of each error with a correction. The command
also reports output directories that git ignores, because their files are never committed. Without the file, causal uses
its defaults.`,
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

func (p *place) verifyConfig(ctx context.Context, asJSON bool) error {
	findings := p.ignored(ctx)
	all := map[string]any{"valid": true, "config": p.Config.Values(), "findings": findings}
	said := store.Config + " is valid"
	if !p.Configured() {
		said = "there is no " + store.Config + ": causal uses its defaults (`causal init` writes the file)"
	}
	err := p.world.answer(asJSON, all, func() string { return said + "\n" + findingsText(findings) })
	return orFindings(err, len(findings) > 0)
}
