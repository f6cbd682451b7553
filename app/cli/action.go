package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/action"
	"github.com/causaldocs/causal/app/config"
)

func newAction(world IO) *cobra.Command {
	return &cobra.Command{
		Use:    "action",
		Short:  "Run causal as a step of GitHub Actions",
		Hidden: true, // needs the environment of a GitHub Actions runner
		Long: `Run causal as a step of GitHub Actions. action.yml calls this command: the environment holds inputs, event and token,
and the report goes to the runner's files. The exit code is 1 when anything is stale.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runAction(cmd.Context(), action.World{Out: world.runner, Getenv: world.Getenv, Now: world.Now, Program: launcher()})
		},
	}
}

// runAction reports errors as workflow commands, because the runner would interpret parts of a plain line.
func runAction(ctx context.Context, world action.World) error {
	clean, err := action.Run(ctx, world)
	if err == nil {
		return orFindings(nil, !clean)
	}
	action.Fail(world, err)
	var broken *config.Error
	if errors.As(err, &broken) || errors.Is(err, action.ErrUsage) {
		return exit{code: ExitUsage}
	}
	return exit{code: ExitFailure}
}
