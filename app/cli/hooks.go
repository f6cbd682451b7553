package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/causaldocs/causal/app/atomic"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/hooks"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/workspace"
)

func newHooks(world IO) *cobra.Command {
	c := &cobra.Command{
		Use:   "hooks",
		Short: "Tell coding agents which of their findings are out of date",
		Long: `Run causal from the hooks of Claude Code: when a session starts, at each prompt, after each tool call and at the end.
causal keeps a record of each session in the git directory: files read, files changed and conclusions. At its start, the
next session gets the list of outdated conclusions and unfinished tasks.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(newHooksInstall(world), newHooksUninstall(world), newHooksRun(world))
	return c
}

// scopes are Claude Code's settings files, local ones first.
var scopes = []struct{ name, file string }{
	{"local", ".claude/settings.local.json"}, {"project", ".claude/settings.json"}, {"user", ".claude/settings.json"},
}

const userScope = "user"

// hookScopes are the scopes inside the repository.
var hookScopes = []string{"local", "project"}

func newHooksInstall(world IO) *cobra.Command {
	var scope string
	c := &cobra.Command{
		Use:   "install",
		Short: "Add the hooks to the settings of Claude Code",
		Long: `Add the hooks to the settings of Claude Code, and leave other settings unchanged. Beside the settings, write the command
/causal-docs, with which an agent writes the documentation that pages lack. The default is your own file for this
repository, .claude/settings.local.json, which Claude Code does not commit. --scope project uses .claude/settings.json,
which the whole team shares; --scope user uses your settings for all repositories.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksInstall(cmd.Context(), world, scope) },
	}
	c.Flags().StringVar(&scope, "scope", "local", "whose settings: local, project or user")
	return c
}

func newHooksUninstall(world IO) *cobra.Command {
	var scope string
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the hooks from the settings of Claude Code",
		Long: `Remove the hooks that install added to the settings of Claude Code: from both files of this repository, or with --scope
from one. The records of sessions stay; the command prints their directory.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksUninstall(cmd.Context(), world, scope) },
	}
	c.Flags().StringVar(&scope, "scope", "", "whose settings: local, project or user (default local and project)")
	return c
}

func newHooksRun(world IO) *cobra.Command {
	var id string
	c := &cobra.Command{
		Use:   "run [event]",
		Short: "Handle one hook event of Claude Code",
		Long: `Handle one hook event of Claude Code, read from standard input. The command takes a few seconds at most, always exits
with 0, and prints only text for the agent. It writes errors to sessions/hooks.log in causal's directory within the git
directory.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			hooks.Run(cmd.Context(), hooks.Options{
				In: world.In, Out: world.Out, Getenv: world.Getenv, Now: world.Now, Random: rand.Reader, Dir: world.Dir,
				SessionID: id, Event: first(args, ""), Patience: hooks.Patience,
			})
			return nil
		},
	}
	c.Flags().StringVar(&id, "session-id", "", "the session of an event without a session id")
	c.FParseErrWhitelist.UnknownFlags = true
	// Exit code 2 would tell the agent to stop.
	c.SetFlagErrorFunc(func(*cobra.Command, error) error { return exit{code: ExitClean} })
	return c
}

type settings struct {
	shown string
	path  string
	data  []byte // nil if missing
	mode  fs.FileMode
}

// settingsOf returns the settings of a scope. Repository settings must be inside the repository after resolving links.
func (p *place) settingsOf(scope string) (s settings, err error) {
	at := slices.IndexFunc(scopes, func(x struct{ name, file string }) bool { return x.name == scope })
	if at < 0 {
		return s, usage(fmt.Errorf("--scope %q is not one of local, project and user", plain.Line(scope, plain.Longest)))
	}
	dir := p.Repo.Root()
	s = settings{shown: scopes[at].file, mode: 0o644}
	if scope == userScope {
		if dir, err = os.UserHomeDir(); err != nil {
			return s, fmt.Errorf("find your settings: %w", err)
		}
		s.shown = "~/" + s.shown
	}
	s.path = filepath.Join(dir, filepath.FromSlash(scopes[at].file))
	if s.path, err = linked(s.path); err != nil {
		return s, fmt.Errorf("%s: %w", s.shown, err)
	}
	if rel, err := filepath.Rel(workspace.Seen(dir), s.path); scope != userScope && (err != nil || !filepath.IsLocal(rel)) {
		return s, fmt.Errorf("%s is a link to %s, outside the repository: nothing was written", s.shown, s.path)
	}
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return s, err
	case !info.Mode().IsRegular() || info.Size() > hooks.LargestSettings:
		return s, fmt.Errorf("%s is not a settings file: it is not a regular file, or is larger than %d bytes", s.shown, hooks.LargestSettings)
	}
	s.mode = info.Mode().Perm()
	if s.data, err = os.ReadFile(s.path); s.data == nil {
		s.data = []byte{}
	}
	return s, err
}

// linked resolves all symbolic links of a path whose last parts may not exist.
func linked(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(name); err == nil {
		return "", errors.New("it is a broken link: remove it, or create its target")
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		if dir, err = filepath.EvalSymlinks(filepath.Dir(filepath.Dir(name))); err == nil {
			dir = filepath.Join(dir, filepath.Base(filepath.Dir(name)))
		}
	}
	return filepath.Join(dir, filepath.Base(name)), err
}

// write replaces the settings atomically.
func (s settings) write(data []byte) error {
	if err := atomic.Write(s.path, data, s.mode); err != nil {
		return fmt.Errorf("write %s: %w", s.shown, err)
	}
	return nil
}

func runHooksInstall(ctx context.Context, world IO, scope string) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		s, err := p.settingsOf(scope)
		if err != nil {
			return err
		}
		data, err := hooks.Install(s.data)
		if err != nil {
			return usage(fmt.Errorf("%s: %w; nothing was written", s.shown, err))
		}
		if bytes.Equal(data, s.data) {
			_, err := plain.Fprintf(world.Out, "kept     %s\n", s.shown)
			return errors.Join(err, p.installCommand(s))
		}
		for _, other := range p.hooked() {
			if other != s.shown {
				_, err := plain.Fprintf(world.Out, "kept     %s, which has the hooks already; with both, causal would record each event twice\n", other)
				return err
			}
		}
		if err := s.write(data); err != nil {
			return err
		}
		if _, err := plain.Fprintf(world.Out, "written  %s\n", s.shown); err != nil {
			return err
		}
		if err := p.installCommand(s); err != nil {
			return err
		}
		p.warnOfHooks(ctx, scope, s)
		return nil
	})
}

// warnOfHooks reports obstacles to installed hooks, and local settings that git does not ignore.
func (p *place) warnOfHooks(ctx context.Context, scope string, s settings) {
	if _, err := exec.LookPath("causal"); err != nil {
		_, _ = plain.Fprintf(p.world.Err, "causal: the hooks run `%s`, but causal is not on the PATH: they do nothing until it is\n", hooks.Command)
	}
	if _, err := gitstore.Program(); err != nil || scope != scopes[0].name {
		return
	}
	files := []string{s.shown, s.shownCommand()}
	rules := p.ignoreRules(ctx, files)
	if files = slices.DeleteFunc(files, func(file string) bool { return rules[file] != "" }); len(files) > 0 {
		_, _ = plain.Fprintf(p.world.Err, "causal: git does not ignore %s: add to .gitignore or .git/info/exclude what is only for you\n", strings.Join(files, " and "))
	}
}

func (p *place) hooked() []string {
	var out []string
	for _, scope := range scopes {
		s, err := p.settingsOf(scope.name)
		if err != nil || s.data == nil {
			continue
		}
		if ok, err := hooks.Installed(s.data); ok && err == nil {
			out = append(out, s.shown)
		}
	}
	return out
}

func runHooksUninstall(ctx context.Context, world IO, scope string) error {
	return inPlace(ctx, world, ".", func(p *place) error {
		from := []string{scope}
		if scope == "" {
			from = hookScopes
		}
		for _, name := range from {
			if err := p.uninstallHooks(name); err != nil {
				return err
			}
		}
		if dir := hooks.Dir(p.Repo); exists(dir) {
			_, _ = plain.Fprintf(world.Err, "the records of sessions stay in %s\n", dir)
		}
		return nil
	})
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func (p *place) uninstallHooks(scope string) error {
	s, err := p.settingsOf(scope)
	if err != nil {
		return err
	}
	if err := p.uninstallCommand(s); err != nil {
		return err
	}
	if s.data == nil {
		_, err := plain.Fprintf(p.world.Out, "none     %s\n", s.shown)
		return err
	}
	data, err := hooks.Uninstall(s.data)
	if err != nil {
		return usage(fmt.Errorf("%s: %w; nothing was written", s.shown, err))
	}
	did := "written"
	switch {
	case bytes.Equal(data, s.data):
		did = "kept"
	case data == nil:
		did = "removed"
		if err = os.Remove(s.path); err == nil && scope != userScope {
			_ = os.Remove(filepath.Dir(s.path)) // fails if not empty
		}
	default:
		err = s.write(data)
	}
	if err != nil {
		return err
	}
	_, err = plain.Fprintf(p.world.Out, "%-8s %s\n", did, s.shown)
	return err
}

// saveRun stores the run's call tree with the coding agent's session, for the agent's next session. It reports failures
// without failing the run.
func (p *place) saveRun(ctx context.Context, id string, e *workspace.Knowledge, session string) {
	at, err := hooks.At(p.Repo)
	if err == nil {
		defer func() { _ = at.Close() }()
		if id = at.SessionID(id, p.world.Getenv, p.world.Now()); id == "" {
			return
		}
		r, failed := e.Session(ctx, session)
		if err = failed; err == nil {
			err = at.SaveRun(id, r)
		}
	}
	if err != nil {
		_, _ = plain.Fprintf(p.world.Err, "causal: cannot add the run to the agent's session: %s\n", err)
	}
}

func (p *place) hooksFinding() ailment {
	if files := p.hooked(); len(files) > 0 {
		return ailment{What: "hooks", Says: "in " + strings.Join(files, ", ")}
	}
	return ailment{What: "hooks", Says: "not installed: a coding agent does not learn about stale docs (causal hooks install adds them)"}
}
