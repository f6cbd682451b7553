package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/model"
	"github.com/causaldocs/causal/app/sandbox"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/tracing"
	"github.com/causaldocs/causal/app/web"
	"github.com/causaldocs/causal/knowledge/lazy"
)

// Secrets come from the environment, because other users of the machine can see flags.
const (
	statusTokenSetting = server.TokenSetting
	moreSecretsSetting = "CAUSAL_WEBHOOK_SECRETS" //nolint:gosec // the name of a setting
)

var levels = lazy.Value[map[string]slog.Level]{Make: func() map[string]slog.Level {
	return map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}
}}

const leastMemory = 64

func newServe(world IO) *cobra.Command {
	var o server.Options
	var memory int64
	var level string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run the GitHub App",
		Long: `Run the GitHub App: receive webhooks, keep the docs of the installed repositories up to date, and comment on pull requests
that make them stale. The first start prints a link that creates the App on GitHub.

The environment holds the secrets. CAUSAL_GITHUB_APP_ID, CAUSAL_GITHUB_APP_SLUG, CAUSAL_GITHUB_PRIVATE_KEY and
CAUSAL_GITHUB_WEBHOOK_SECRET are the App's; the file credentials.env in the data directory can hold them instead.
CAUSAL_STATUS_TOKEN opens the status page. CAUSAL_MODEL and the variables beside it name a model; it is asked for the repositories
of --model-for only. CAUSAL_WEBHOOK_SECRETS lists further webhook secrets, separated by commas, during
a rotation.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Limits.Memory = memory << 20; memory < leastMemory || o.Limits.Time < time.Second {
				return usage(fmt.Errorf("--run-memory must be at least %d and --run-time at least 1s", leastMemory))
			}
			var known bool
			if o.LogLevel, known = levels.Get()[level]; !known {
				return usage(fmt.Errorf("--log-level %q is not one of debug, info, warn and error", level))
			}
			if err := server.CheckAllow(o.Allow); err != nil {
				return usage(fmt.Errorf("--allow: %w", err))
			}
			if err := server.CheckModelFor(o.Model.For); err != nil {
				return usage(fmt.Errorf("--model-for: %w", err))
			}
			if o.Workers < 1 {
				return usage(errors.New("--workers must be at least 1"))
			}
			if err := checkAddresses(cmd.Context(), o); err != nil {
				return usage(err)
			}
			return runServe(cmd.Context(), world, o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.Listen, "listen", ":8080", "address for webhooks (at /webhooks), set-up and status page")
	flags.StringVar(&o.Admin, "admin", "127.0.0.1:9090", "address for /healthz, /readyz, /metrics and /debug/pprof; empty for none")
	flags.StringVar(&o.Data, "data", "causal-data", "data directory")
	flags.StringVar(&o.Database, "database-url", "", "postgres://… for several replicas (default: SQLite in the data directory)")
	flags.StringVar(&o.PublicURL, "public-url", "", "the public URL of --listen, such as https://causal.example.com")
	flags.StringVar(&o.GitHubURL, "github-url", "", "a GitHub Enterprise Server (default: github.com)")
	flags.IntVar(&o.Workers, "workers", server.Workers, "runs at a time")
	flags.StringSliceVar(&o.Allow, "allow", nil, "an owner or a repository (owner/name) to serve (repeatable; default: all)")
	flags.StringSliceVar(&o.Model.For, "model-for", nil, "an owner or a repository that may use the model, or * (repeatable; default: none)")
	flags.IntVar(&o.Model.Tokens, "model-tokens", server.ModelTokens, "the tokens of the model that one repository may use a day")
	flags.StringVar(&level, "log-level", "info", "the lowest level to log: debug, info, warn or error")
	usual := sandbox.DefaultLimits()
	flags.DurationVar(&o.Limits.Time, "run-time", usual.Time, "the time limit of one run; a longer run fails with a check run")
	flags.Int64Var(&memory, "run-memory", usual.Memory>>20, "the memory limit of one run, in MB")
	return c
}

// A server shares its machine with the runs that it starts, so it collects garbage earlier than a short command.
const (
	serverGrowth = 100 // percent
	serverMemory = 160 << 20
)

func runServe(ctx context.Context, world IO, o server.Options) error {
	debug.SetGCPercent(serverGrowth)
	debug.SetMemoryLimit(serverMemory)
	o.Out, o.Log = world.Out, world.Err
	o.StatusToken = world.Getenv(statusTokenSetting)
	for secret := range strings.SplitSeq(world.Getenv(moreSecretsSetting), ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			o.Secrets = append(o.Secrets, secret)
		}
	}
	var err error
	if o.Model.Settings, err = model.FromEnv(world.Getenv); err != nil {
		return usage(err)
	}
	if len(o.Model.For) > 0 && o.Model.Name == "" {
		return usage(fmt.Errorf("--model-for is set, and %s is not: set it to the model", model.NameSetting))
	}
	if err := web.CheckToken(o.StatusToken); err != nil { // checked before an App is created on GitHub
		return usage(fmt.Errorf("%s: %w", statusTokenSetting, err))
	}
	if err := findApp(world, &o); err != nil {
		return err
	}
	traces, err := tracing.Start(ctx, world.Getenv)
	if err != nil {
		return usage(err)
	}
	if traces != nil {
		o.Traces = traces
	}
	s, err := server.New(ctx, o)
	if err == nil {
		err = s.Serve(ctx)
	}
	if traces != nil {
		err = errors.Join(err, traces.Stop(ctx))
	}
	return err
}

// findApp looks for the App's credentials in the environment, then in the data directory.
func findApp(world IO, o *server.Options) error {
	if err := checkPublicURL(o.PublicURL); err != nil {
		return usage(err)
	}
	if o.GitHubURL != "" {
		u, err := web.GitHubServer(o.GitHubURL)
		if err != nil {
			return usage(fmt.Errorf("--github-url: %w", err))
		}
		o.GitHubURL = u.String()
	}
	o.PublicURL, o.Now = strings.TrimSuffix(o.PublicURL, "/"), world.Now
	c, found, err := web.CredentialsFrom(world.Getenv)
	if err == nil && !found {
		c, found, err = server.CredentialsFile(o.Data).Load()
	}
	if err != nil {
		return usage(err)
	}
	if found {
		c.Host = cmp.Or(o.GitHubURL, c.Host)
		o.Credentials = &c
	}
	return nil
}

// checkAddresses refuses addresses that no start of the server can use.
func checkAddresses(ctx context.Context, o server.Options) error {
	for _, a := range []struct{ flag, address string }{{"listen", o.Listen}, {"admin", cmp.Or(o.Admin, ":0")}} {
		_, port, err := net.SplitHostPort(a.address)
		if err == nil {
			_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
		}
		if err != nil {
			return fmt.Errorf("--%s %q is not an address such as 127.0.0.1:8080", a.flag, a.address)
		}
	}
	if scheme, _, _ := strings.Cut(o.Database, "://"); !slices.Contains([]string{"", "sqlite", "postgres", "postgresql"}, scheme) {
		return errors.New("--database-url must begin with postgres:// or sqlite://") // the URL has a password
	}
	return nil
}

func checkPublicURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("--public-url %q is not a URL such as https://causal.example.com", text)
	}
	if strings.Trim(u.Path, "/") != "" {
		return errors.New("--public-url must not have a path: the server needs a separate host name")
	}
	return nil
}
