// Package checkout runs the hostile corpus through checkouts: for each attack, it runs the command line in a clone, and the step of the
// Action in a runner's checkout, with the real program. Each run must end with a documented exit code, name the faulty file, and change
// nothing else.
package checkout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/causaldocs/causal/app/githubsim"
	"github.com/causaldocs/causal/app/proof/hostile"
)

// Yard is a simulated GitHub with a repository that has its docs, a fork of it, and room for checkouts.
type Yard struct {
	program Program
	dir     string
	sim     *githubsim.Server
	repo    *githubsim.Repository
	fork    *githubsim.Repository

	mu    sync.Mutex // pull requests come one after the other
	tried int
}

var shop = map[string]string{
	"go.mod": "module example.com/shop\n", "README.md": "# Shop\n\nSells things.\n",
	"money/money.go": "// Package money holds amounts.\npackage money\n\n// Amount is in cents.\ntype Amount int64\n",
	"cart/cart.go":   "// Package cart adds up.\npackage cart\n\nimport \"example.com/shop/money\"\n\nfunc Total() money.Amount { return 0 }\n",
}

// Program runs causal in a directory with an environment. It returns the exit code, and the most memory in bytes, 0 where
// that is not known.
type Program func(ctx context.Context, dir string, env []string, out, talk io.Writer, args ...string) (code int, most int64, err error)

// Executable is the Program in a file.
func Executable(file string) Program {
	return func(ctx context.Context, dir string, env []string, out, talk io.Writer, args ...string) (code int, most int64, err error) {
		cmd := exec.CommandContext(ctx, file, args...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, out, talk
		if err := cmd.Start(); err != nil {
			return 0, 0, err
		}
		watching, ended := context.WithCancel(ctx)
		var watch sync.WaitGroup
		watch.Go(func() { most = peak(watching, cmd.Process.Pid) })
		err = cmd.Wait()
		ended()
		watch.Wait()
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
			err = nil
		}
		return cmd.ProcessState.ExitCode(), most, err
	}
}

// Open makes a Yard in a directory for a program.
func Open(ctx context.Context, program Program, dir string) (y *Yard, err error) {
	y = &Yard{program: program, dir: dir}
	if y.sim, err = githubsim.New(githubsim.Options{Dir: filepath.Join(dir, "github"), Limit: 1 << 30}); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, y.Close())
		}
	}()
	if y.repo, err = y.sim.CreateRepository("octo/shop", githubsim.FromFiles(shop)); err != nil {
		return y, err
	}
	y.repo.SetPrivate(false)
	if err = y.document(ctx); err != nil {
		return y, err
	}
	y.fork, err = y.repo.Fork("mallory")
	return y, err
}

// Close ends the simulated GitHub.
func (y *Yard) Close() error { return y.sim.Close() }

// document commits the docs as an owner of the repository.
func (y *Yard) document(ctx context.Context) error {
	clone := filepath.Join(y.dir, "own")
	if _, err := git(ctx, y.dir, nil, "clone", "--quiet", y.repo.Dir(), clone); err != nil {
		return err
	}
	var out bytes.Buffer
	if code, _, err := y.program(ctx, clone, os.Environ(), &out, &out, "update"); err != nil {
		return fmt.Errorf("causal update: %w", err)
	} else if code != clean {
		return fmt.Errorf("causal update: exit code %d\n%s", code, &out)
	}
	for _, args := range [][]string{
		{"add", "--all"}, {"-c", "user.name=Octo", "-c", "user.email=octo@example.com", "commit", "--quiet", "--message=Document it"}, {"push", "--quiet"},
	} {
		if _, err := git(ctx, clone, nil, args...); err != nil {
			return err
		}
	}
	return nil
}

// propose opens the pull request of an attack.
func (y *Yard) propose(ctx context.Context, a hostile.Attack) (number int, p githubsim.Pull, err error) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.tried++
	branch := fmt.Sprintf("attack-%d", y.tried)
	if err := a.Commit(ctx, y.fork.Dir(), branch, y.fork.Head("main")); err != nil {
		return y.tried, p, impossible{"git rejects it", err}
	}
	opened, err := y.repo.OpenPull("mallory:"+branch, "main", a.Title, "mallory")
	if err != nil {
		return y.tried, p, fmt.Errorf("open the pull request: %w", err)
	}
	for _, p = range y.repo.Pulls() {
		if p.Number == opened {
			break
		}
	}
	return y.tried, p, nil
}

// impossible is why an attack cannot be tried.
type impossible struct {
	why string
	err error
}

func (i impossible) Error() string { return i.why + ": " + i.err.Error() }

func git(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("git %s: %w\n%.500s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
