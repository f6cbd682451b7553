package cli

import (
	"fmt"

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
		Long:  "Hold " + store.Config + " to its JSON Schema, and say for each error where it is and what to write instead.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := openPlace(cmd.Context(), world, first(args, "."))
			if err != nil {
				return err
			}
			defer func() { _ = p.Close() }()
			if asJSON {
				return printJSON(world.Out, map[string]any{"valid": true, "config": p.config.Values()})
			}
			_, err = fmt.Fprintln(world.Out, store.Config+" is valid")
			return err
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
