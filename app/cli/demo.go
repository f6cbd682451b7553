package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/demo"
)

func newDemo(world IO) *cobra.Command {
	var dir string
	var serve bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show the GitHub App at work, without an account",
		Long: `Run the GitHub App on this machine with a simulated GitHub, the real server and a small repository. The demo plays a push,
a pull request and its merge, prints each action of the App with its reason, and keeps the repository for you to explore.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), world, dir, serve) },
	}
	c.Flags().StringVar(&dir, "dir", "", "the directory for all files of the demo (default: a new temporary directory)")
	c.Flags().BoolVar(&serve, "serve", false, "keep the status page open")
	return c
}

func runDemo(ctx context.Context, world IO, dir string, serve bool) error {
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "causal-demo-"); err != nil {
			return fmt.Errorf("make a directory: %w", err)
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(world.Dir, dir)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return usage(fmt.Errorf("%s is not empty: give --dir a new directory", dir))
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("look at --dir: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make --dir: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	return demo.Run(ctx, demo.Options{Dir: dir, Serve: serve, Self: self, Out: world.Out, Now: world.Now})
}
