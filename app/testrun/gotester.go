package testrun

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
)

// goTester runs Go tests: the go command builds them with an overlay of generated files and instrumentation, and the
// binaries run confined.
type goTester struct {
	runner *Runner
	temp   string
}

func openGo(r *Runner, temp string) (tester, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, errors.New("running tests of Go takes the go command, which is not in the PATH")
	}
	return goTester{r, temp}, nil
}

func (t goTester) pack(ctx context.Context, dir string, jobs []*Job) *pack {
	return &pack{runner: t.runner, ctx: ctx, dir: dir, temp: filepath.Join(t.temp, fact.Digest(dir)), jobs: jobs, without: map[string]bool{}}
}

func (t goTester) verify(ctx context.Context, dir string, jobs []*Job) (map[string]*testgen.Recorded, *Verified, error) {
	return t.pack(ctx, dir, jobs).verify()
}

func (t goTester) builds(ctx context.Context, dir string) error {
	p := t.pack(ctx, dir, nil)
	if err := os.MkdirAll(p.temp, 0o700); err != nil {
		return err
	}
	layer, err := p.hidden(golang.Owns)
	if err != nil {
		return err
	}
	said, err := p.build(layer, "base.test")
	if err != nil && ctx.Err() == nil {
		return &BuildError{testgen.ModuleName(dir), said}
	}
	return ctx.Err()
}

// environment is the user's environment for the go command, without downloads and changes of go.mod.
func (r *Runner) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GITHUB_") || strings.Contains(strings.ToUpper(strings.SplitN(v, "=", 2)[0]), "TOKEN")
	})
	return append(env, "GOFLAGS=-mod=readonly -buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "GONOSUMDB=*", "GOSUMDB=off", "LC_ALL=C")
}

// longestBuild bounds the go command for one package.
const longestBuild = 5 * time.Minute

// command runs the go command and returns its output.
func (p *pack) command(args ...string) (string, error) {
	ctx, stop := context.WithTimeout(p.ctx, longestBuild)
	defer stop()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = filepath.Join(p.runner.Root, filepath.FromSlash(p.dir)), p.runner.environment()
	said, err := cmd.CombinedOutput()
	text := strings.ReplaceAll(string(said), p.runner.Root+string(filepath.Separator), "")
	if err != nil && p.ctx.Err() != nil {
		err = p.ctx.Err()
	}
	return text, err
}
