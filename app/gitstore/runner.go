package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/lazyregexp"
)

// runner starts git non-interactively and without localization.
type runner struct {
	binary string
	dir    string
	env    []string
	counts *counters
	slots  chan struct{} // bounds concurrent processes; nil for no bound
}

// Program returns the path of the git program, or ErrUnsupported.
func Program() (string, error) {
	binary, err := exec.LookPath("git")
	if err != nil {
		return "", errWithoutGit()
	}
	return binary, nil
}

// errWithoutGit says where git was searched.
func errWithoutGit() error {
	return fmt.Errorf("%w: there is no git program in PATH (%s): install git 2.25 or newer", ErrUnsupported, os.Getenv("PATH"))
}

func newRunner(counts *counters) (*runner, error) {
	binary, err := Program()
	if err != nil {
		return nil, err
	}
	return &runner{binary: binary, env: Environment(), counts: counts}, nil
}

func (g *runner) at(loc location) {
	g.dir = loc.root
	if loc.detached {
		g.env = append(g.env, "GIT_DIR="+loc.gitDir, "GIT_WORK_TREE="+loc.root)
	}
}

// grace is the time for a cancelled git to remove its lock files, and for the output of one that ended to arrive, which takes
// seconds on a busy machine.
const grace = 10 * time.Second

// command prepares a git process. Reading processes take no locks.
func (g *runner) command(ctx context.Context, writes bool, args ...string) (*exec.Cmd, *excerpt) {
	g.counts.spawns.Add(1)
	cmd := exec.CommandContext(ctx, g.binary, args...)
	cmd.Dir = g.dir
	cmd.Env = slices.Clip(g.env)
	if !writes {
		cmd.Env = append(cmd.Env, withoutLocks)
	}
	cmd.WaitDelay = grace
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	stderr := &excerpt{}
	cmd.Stderr = stderr
	return cmd, stderr
}

func (g *runner) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return g.exec(ctx, false, stdin, args)
}

func (g *runner) write(ctx context.Context, stdin io.Reader, args ...string) error {
	_, err := g.exec(ctx, true, stdin, args)
	return err
}

func (g *runner) exec(ctx context.Context, writes bool, stdin io.Reader, args []string) ([]byte, error) {
	release, err := g.slot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	cmd, stderr := g.command(ctx, writes, args...)
	var stdout bytes.Buffer
	cmd.Stdin, cmd.Stdout = stdin, &stdout
	err = cmd.Run()
	for args[0] == "-c" {
		args = args[2:]
	}
	return stdout.Bytes(), failure(ctx, args[0], err, stderr.String())
}

func (g *runner) slot(ctx context.Context) (release func(), err error) {
	if g.slots == nil {
		return func() {}, nil
	}
	select {
	case g.slots <- struct{}{}:
		return func() { <-g.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to run git: %w", ctx.Err())
	}
}

func (g *runner) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, nil, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

var advice = []struct {
	says string
	err  error
}{
	{"dubious ownership", ErrDubiousOwnership},
	{"unsafe repository", ErrDubiousOwnership},
	{"not a git repository", ErrNotRepository},
	{"must be run in a work tree", ErrBare},
	{"Please tell me who you are", ErrNoIdentity},
	{"empty ident name", ErrNoIdentity},
}

func failure(ctx context.Context, subcommand string, err error, stderr string) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("git %s: %w", subcommand, ctx.Err())
	}
	said := redact(strings.TrimSpace(stderr))
	for _, a := range advice {
		if strings.Contains(said, a.says) {
			return fmt.Errorf("git %s: %w: %s", subcommand, a.err, said)
		}
	}
	if said == "" {
		return fmt.Errorf("git %s: %w", subcommand, err)
	}
	return fmt.Errorf("git %s: %w: %s", subcommand, err, said)
}

// exitCode returns git's exit code; -1 if it did not run to its end.
func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

var credentials = lazyregexp.New(`([A-Za-z][A-Za-z0-9+.-]*://)[^/\s'"]*@`)

func redact(text string) string { return credentials.ReplaceAllString(text, "${1}***@") }

// withoutCredentials removes user and password from a URL, but keeps the user name of ssh URLs, which is not secret.
func withoutCredentials(url string) string {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return url
	}
	user, _, _ := strings.Cut(authority[:at], ":")
	if strings.Contains(scheme, "ssh") {
		return scheme + "://" + user + rest[at:]
	}
	return scheme + "://" + rest[at+1:]
}

type excerpt struct{ text []byte }

// excerptSize is enough for git's relevant messages.
const excerptSize = 8 << 10

func (e *excerpt) Write(p []byte) (int, error) {
	e.text = append(e.text, p[:min(len(p), excerptSize-len(e.text))]...)
	return len(p), nil
}

func (e *excerpt) String() string { return string(e.text) }
