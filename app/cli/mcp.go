package cli

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/mcp"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
	"github.com/causaldocs/causal/knowledge/buildinfo"
)

func newMCP(world IO) *cobra.Command {
	address := ""
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve coding agents: what is known and decided, by the Model Context Protocol",
		Long: `Serve coding agents by the Model Context Protocol, on standard input and output: what this repository's modules are for and why that is
believed, what was decided and why, what is wrong with a change; and have them record what was decided. Each call looks at the repository as it is
then. Nothing needs a key or the network.

A client starts it by itself where it is registered, for Claude Code with
  claude mcp add --scope project causal -- causal mcp

With --http, it is served over HTTP at /mcp to programs on this machine, to those alone that show the token: "Authorization: Bearer TOKEN". The token is
what the environment variable CAUSAL_MCP_TOKEN holds; without it, one is made up and printed.`,
		Example: `  causal mcp
  causal mcp --http 127.0.0.1:8765`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), world, address) },
	}
	c.Flags().StringVar(&address, "http", "", "serve over HTTP on an address of this machine, as 127.0.0.1:8765")
	return c
}

func runMCP(ctx context.Context, world IO, address string) error {
	// whoever starts it in the wrong place is told so at once, and not by the first call
	w, err := workspace.Open(ctx, workspace.WorkTree{Dir: world.path("."), Now: world.Now})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	embedder, err := world.embedder()
	if err != nil {
		return err
	}
	s := mcp.New(mcp.Options{
		Dir: world.path("."), Version: buildinfo.Read().Version, Getenv: world.Getenv, Now: world.Now, Time: world.time, Embedder: embedder,
		Log: slog.New(slog.NewTextHandler(world.Err, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: plain.Attr})),
	})
	if address == "" {
		// the protocol has standard output for itself, to the byte
		return s.Serve(ctx, mcp.Stdio(world.In, world.runner))
	}
	token, made, err := mcp.Token(world.Getenv)
	if err != nil {
		return usage(err)
	}
	l, err := mcp.Listen(ctx, address)
	if err != nil {
		return usage(err)
	}
	_, _ = fmt.Fprintf(world.Err, "serving http://%s%s to programs on this machine\n", l.Addr(), mcp.Path)
	if made {
		_, _ = fmt.Fprintf(world.Err, "token: %s\n", token)
	}
	return s.ServeHTTP(ctx, l, token)
}
