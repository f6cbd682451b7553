package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/server"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/store"
)

func newDoctor(world IO) *cobra.Command {
	var asJSON, app, askModel bool
	var o server.Options
	c := &cobra.Command{
		Use:   "doctor [path]",
		Short: "Find setup problems and suggest fixes",
		Long: `Find setup problems of a repository and suggest a fix for each. With --app, examine the GitHub App instead: its webhook,
permissions, events, installations, deliveries and the clock. The command finds the App as causal serve does, with the
same flags and environment.

With --model, the command asks the language model in CAUSAL_MODEL one question. Without the flag it only shows which model causal
would ask. It never shows the key.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if app {
				return runAppDoctor(cmd.Context(), world, o, asJSON)
			}
			return runDoctor(cmd.Context(), world, first(args, "."), asJSON, askModel)
		},
	}
	world.offlineFlag(c)
	flags := c.Flags()
	flags.BoolVar(&asJSON, "json", false, "print one JSON object")
	flags.BoolVar(&askModel, "model", false, "ask the language model one question")
	flags.BoolVar(&app, "app", false, "examine the GitHub App instead of a repository")
	flags.StringVar(&o.Data, "data", "causal-data", "with --app: the directory of causal serve")
	flags.StringVar(&o.PublicURL, "public-url", "", "with --app: how GitHub reaches the server")
	flags.StringVar(&o.GitHubURL, "github-url", "", "with --app: a GitHub Enterprise Server")
	return c
}

func runAppDoctor(ctx context.Context, world IO, o server.Options, asJSON bool) error {
	if err := findApp(world, &o); err != nil {
		return err
	}
	if o.Credentials == nil {
		return usage(errors.New("there is no GitHub App yet: `causal serve` prints a link that creates one"))
	}
	problems, err := server.Examine(ctx, o)
	if err != nil {
		return err
	}
	findings := []ailment{}
	for _, p := range problems {
		findings = append(findings, ailment{"app", p.What, p.Mend})
	}
	if len(problems) == 0 {
		findings = append(findings, ailment{What: "app", Says: "no problem found with webhook, permissions, events, deliveries and clock"})
	}
	err = world.answer(asJSON, map[string]any{"findings": findings, "well": len(problems) == 0}, func() string { return findingsText(findings) })
	return orFindings(err, len(problems) > 0)
}

// ailment is the result of one check. An empty Mend means that it passed.
type ailment struct {
	What string `json:"what"`
	Says string `json:"says"`
	Mend string `json:"mend,omitempty"`
}

func runDoctor(ctx context.Context, world IO, at string, asJSON, askModel bool) error {
	findings := []ailment{gitFinding(ctx), modelFinding(ctx, world, askModel)}
	err := inPlace(ctx, world, at, func(p *place) error {
		findings = append(findings, p.examine(ctx)...)
		return nil
	})
	var broken *config.Error
	switch {
	case errors.As(err, &broken):
		findings = append(findings, ailment{"configuration", err.Error(), "edit " + store.Config + "; `causal config schema` prints the allowed keys"})
	case errors.Is(err, store.ErrOccupied):
		findings = append(findings, ailment{"configuration", err.Error(), "remove it, or put a plain file there"})
	case err != nil:
		findings = append(findings, ailment{"repository", err.Error(), "run causal inside a git repository"})
	}
	bad := slices.ContainsFunc(findings, func(f ailment) bool { return f.Mend != "" })
	err = world.answer(asJSON, map[string]any{"findings": findings, "well": !bad}, func() string { return findingsText(findings) })
	return orFindings(err, bad)
}

func gitFinding(ctx context.Context) ailment {
	program, err := gitstore.Program()
	if err != nil {
		return ailment{"git", "causal can only read and extend the log: " + err.Error(), "install git 2.25 or newer"}
	}
	out, err := exec.CommandContext(ctx, program, "version").Output()
	if err != nil {
		return ailment{"git", program + " version: " + err.Error(), "install git 2.25 or newer"}
	}
	return ailment{What: "git", Says: strings.TrimSpace(string(out))}
}

func (p *place) examine(ctx context.Context) []ailment {
	out := []ailment{{What: "repository", Says: p.Repo.Root()}, p.configFinding(), p.writeFinding(), p.keyFinding(), p.linksFinding(ctx)}
	if c, err := p.Repo.Head(ctx); err != nil {
		out = append(out, ailment{"commit", err.Error(), "git fsck"})
	} else if c.ID == "" {
		out = append(out, ailment{What: "commit", Says: "none yet: causal reads the work tree"})
	}
	out = append(append(out, p.ignored(ctx)...), p.hiddenFindings(ctx)...)
	return append(out, p.hooksFinding(), p.knowledgeFinding(ctx))
}

// hiddenFindings reports tracked files that git does not compare with the disk.
func (p *place) hiddenFindings(ctx context.Context) []ailment {
	hidden, err := p.Repo.Hidden(ctx)
	if err != nil || len(hidden) == 0 {
		return nil
	}
	var own []string
	for name := range hidden {
		if p.Layout.Owns(name) {
			own = append(own, name)
		}
	}
	says := summary.Count(len(hidden), "tracked file") + " hidden from git (skip-worktree or assume-unchanged): the committed content counts"
	if len(own) == 0 {
		return []ailment{{What: "hidden", Says: says}}
	}
	return []ailment{{"hidden", says + "; causal's own must be in the work tree: " + slices.Min(own),
		"git sparse-checkout add " + store.Top + " " + p.Layout.Docs + ", or git update-index --no-skip-worktree --no-assume-unchanged FILE"}}
}

func (p *place) configFinding() ailment {
	if _, err := p.Files.Read(store.Config); errors.Is(err, fs.ErrNotExist) {
		return ailment{What: "configuration", Says: "none: causal uses its defaults (causal init writes the file)"}
	}
	return ailment{What: "configuration", Says: store.Config + " is valid"}
}

// writeFinding checks by trial that the index and the pages are writable.
func (p *place) writeFinding() ailment {
	dir := p.Repo.PrivateDir()
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, "doctor-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return ailment{"index", "cannot be written: " + err.Error(), "make " + dir + " writable; without it every run reads everything"}
	}
	return ailment{What: "index", Says: dir + " can be written"}
}

func (p *place) keyFinding() ailment {
	key, there, err := p.Key()
	switch {
	case err != nil:
		return ailment{"key", err.Error(), "remove it, then run causal init"}
	case !there:
		return ailment{What: "key", Says: "none: the records of this clone are unsigned (causal init makes a key)"}
	}
	return ailment{What: "key", Says: "this clone signs its records; others verify them with " + key.Path}
}

func (p *place) linksFinding(ctx context.Context) ailment {
	if p.Config.Repository == "" {
		if remote, err := p.Repo.RemoteURL(ctx, "origin"); err == nil && webAddress(remote) != "" {
			return ailment{What: "links", Says: "relative; for permanent ones set repository: " + webAddress(remote) + " in " + store.Config}
		}
		return ailment{What: "links", Says: "relative"}
	}
	c, err := p.Repo.Resolve(ctx, "refs/remotes/origin/"+p.Config.Branch)
	if err != nil {
		return ailment{"links", "the branch " + p.Config.Branch + " of origin is not known here: links stay relative",
			"git fetch origin " + p.Config.Branch + ", or set branch in " + store.Config}
	}
	return ailment{What: "links", Says: fmt.Sprintf("permanent, on %s as of %s", p.Config.Branch, short(c.ID))}
}

func (p *place) knowledgeFinding(ctx context.Context) ailment {
	e, err := p.Look()
	if err == nil {
		var r *report.Check
		if r, err = e.Check(ctx); err == nil {
			switch {
			case len(r.Stale) > 0:
				return ailment{"knowledge", summary.Count(len(r.Stale), "statement") + " stale", "causal update (causal check lists them)"}
			default:
				return ailment{What: "knowledge", Says: fmt.Sprintf("%s fresh", summary.Count(r.Fresh, "module"))}
			}
		}
	}
	return ailment{"knowledge", err.Error(), "causal update"}
}

func findingsText(findings []ailment) string {
	var b strings.Builder
	for _, f := range findings {
		mark := "ok  "
		if f.Mend != "" {
			mark = "bad "
		}
		plain.Add(&b, "%s %-14s %s\n", mark, f.What, f.Says)
		if f.Mend != "" {
			plain.Add(&b, "     %-14s fix: %s\n", "", f.Mend)
		}
	}
	return b.String()
}
