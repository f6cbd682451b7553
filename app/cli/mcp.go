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
		Short: "Run the MCP server for coding agents",
		Long: `Run a Model Context Protocol server for coding agents on standard input and output. Agents can look up modules, decisions
and their reasons, review a change, and record decisions. Each call reads the current state of the repository. The server
needs no key and no network.

To have Claude Code start it, register it once:
  claude mcp add --scope project causal -- causal mcp

With --http, the server listens for HTTP at /mcp and accepts only programs on this machine that send the token in the header
"Authorization: Bearer TOKEN". Set the token in CAUSAL_MCP_TOKEN; otherwise causal generates one and prints it.`,
		Example: `  causal mcp
  causal mcp --http 127.0.0.1:8765`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), world, address) },
	}
	c.Flags().StringVar(&address, "http", "", "serve over HTTP on a local address, such as 127.0.0.1:8765")
	return c
}

func runMCP(ctx context.Context, world IO, address string) error {
	// fail at startup in a wrong directory, not at the first call
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
		// the protocol owns standard output
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
