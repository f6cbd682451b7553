// Package testrun runs tests that specs ask for, and says what came of them. It is for machines on which the sources belong to whoever
// runs it, never for a server: it builds and runs what stands in them.
//
// Nothing of the repository is written: generated files, counters and what records results are laid over it for the go command, and what
// was built runs confined in a directory of its own (see package confine).
package testrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causaldocs/causal/knowledge/fact"
	"github.com/causaldocs/causal/testgen"
	"github.com/causaldocs/causal/testgen/golang"
	"github.com/causaldocs/causal/testgen/spec"
)

// Job is one spec that is to be run.
type Job struct {
	Subject string
	File    string // of the spec
	Spec    *spec.Spec
	Target  testgen.Target
	Now     spec.Depends
}

// Verified sums up what was run.
type Verified struct {
	Candidates int
	Statements int // of the modules of the targets
	Before     int // of them that the tests reach which people wrote
	After      int // that these and the generated ones reach
}

// BuildError says that the tests of a package do not build before anything was generated.
type BuildError struct{ Package, Said string }

func (e *BuildError) Error() string {
	return fmt.Sprintf("the tests of %s do not build, so that nothing can be verified:\n%s", e.Package, e.Said)
}

// Runner runs tests in a work tree.
type Runner struct {
	Root     string // of the work tree
	Launcher string // see confine.Program
	Getenv   func(string) string
	Progress func(what string, done, of int)
}

// Run runs specs, and tells of each what came of it, by subject.
func (r *Runner) Run(ctx context.Context, jobs []*Job) (_ map[string]*testgen.Recorded, _ *Verified, err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, nil, errors.New("running tests of Go takes the go command, which is not in the PATH")
	}
	temp, err := os.MkdirTemp("", "causal-tests-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a directory for the tests: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	packages := map[string][]*Job{}
	for _, j := range jobs {
		dir, _ := testgen.Split(j.Subject)
		packages[dir] = append(packages[dir], j)
	}
	out, sum := map[string]*testgen.Recorded{}, &Verified{}
	var mu sync.Mutex
	done := 0
	err = each(ctx, slices.Sorted(maps.Keys(packages)), func(ctx context.Context, dir string) error {
		p := &pack{runner: r, ctx: ctx, dir: dir, temp: filepath.Join(temp, fact.Digest(dir)), jobs: packages[dir], without: map[string]bool{}}
		recorded, one, err := p.verify()
		mu.Lock()
		defer mu.Unlock()
		if done++; r.Progress != nil {
			r.Progress("running tests", done, len(packages))
		}
		maps.Copy(out, recorded)
		sum.Candidates += one.Candidates
		sum.Statements += one.Statements
		sum.Before += one.Before
		sum.After += one.After
		return err
	})
	return out, sum, err
}

// atOnce is how many packages are built and run at one time: the go command has workers of its own.
const atOnce = 2

// each calls a function for each name, some at a time. The first error ends it.
func each(ctx context.Context, names []string, do func(ctx context.Context, name string) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, name := range names {
		slots <- struct{}{}
		if ctx.Err() != nil {
			<-slots
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := do(ctx, name); err != nil {
				stop(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Builds reports whether the tests of directories build as they are, without what was generated: a *BuildError when not.
func (r *Runner) Builds(ctx context.Context, dirs []string) (err error) {
	temp, err := os.MkdirTemp("", "causal-tests-")
	if err != nil {
		return fmt.Errorf("make a directory for the tests: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	return each(ctx, dirs, func(ctx context.Context, dir string) error {
		p := &pack{runner: r, ctx: ctx, dir: dir, temp: filepath.Join(temp, fact.Digest(dir))}
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
	})
}

// environment is that of the go command: as people have it, but nothing is downloaded and go.mod stays as it is.
func (r *Runner) environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GITHUB_") || strings.Contains(strings.ToUpper(strings.SplitN(v, "=", 2)[0]), "TOKEN")
	})
	return append(env, "GOFLAGS=-mod=readonly -buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "GONOSUMDB=*", "GOSUMDB=off", "LC_ALL=C")
}

// longestBuild is how long the go command may take for one package.
const longestBuild = 5 * time.Minute

// command runs the go command, and returns what it said.
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
