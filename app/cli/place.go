package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
)

// place is one repository, opened.
type place struct {
	world  IO
	repo   *gitstore.Repo
	config *config.Config
	layout store.Layout
	dir    *store.Dir
	tree   *worktree.Tree
	close  []func() error
}

// inPlace runs fn in the repository that holds a directory.
func inPlace(ctx context.Context, world IO, at string, fn func(*place) error) error {
	if !filepath.IsAbs(at) {
		at = filepath.Join(world.Dir, at)
	}
	repo, err := gitstore.Open(ctx, at)
	if err != nil {
		return usage(err)
	}
	p := &place{world: world, repo: repo}
	defer func() { _ = p.Close() }()
	if err := p.open(); err != nil {
		return err
	}
	return fn(p)
}

// looking runs fn with an engine that only looks at the work tree.
func looking(ctx context.Context, world IO, at string, fn func(*place, *engine.Engine) error) error {
	return inPlace(ctx, world, at, func(p *place) error {
		e, err := p.engine(p.tree, true)
		if err != nil {
			return err
		}
		return fn(p, e)
	})
}

// open reads the configuration and opens what it says.
func (p *place) open() error {
	var err error
	if p.dir, err = store.OpenDir(p.repo.Root()); err != nil {
		return err
	}
	p.close = append(p.close, p.dir.Close)
	data, err := p.dir.Read(store.Config)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read configuration: %w", err)
	}
	if p.config, err = config.Parse(store.Config, data); err != nil {
		return err
	}
	p.layout = assembly.Layout(p.config)
	permanent := ""
	if p.config.Repository != "" {
		permanent = "refs/remotes/origin/" + p.config.Branch
	}
	if p.tree, err = worktree.New(p.repo, permanent, p.world.Now); err != nil {
		return err
	}
	p.close = append(p.close, p.tree.Close)
	return nil
}

// Close releases everything in reverse order.
func (p *place) Close() error {
	var err error
	for i := len(p.close) - 1; i >= 0; i-- {
		err = errors.Join(err, p.close[i]())
	}
	p.close = nil
	return err
}

// engine prepares a run over a tree. The index is opened; without one, a run that must not write works in a throwaway
// directory.
func (p *place) engine(tree engine.Tree, readOnly bool) (*engine.Engine, error) {
	x, err := index.Open(p.repo.PrivateDir(), p.key(tree))
	if err != nil && readOnly {
		x, err = p.throwaway(tree)
	}
	if err != nil {
		return nil, err
	}
	p.close = append(p.close, x.Close)
	return assembly.Engine(assembly.Parts{Tree: tree, Index: x, Dir: p.dir, Config: p.config}), nil
}

// throwaway is an index for a run where none can be kept: a read-only checkout.
func (p *place) throwaway(tree engine.Tree) (*index.Index, error) {
	dir, err := os.MkdirTemp("", "causal-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary index: %w", err)
	}
	p.close = append(p.close, func() error { return os.RemoveAll(dir) })
	return index.Open(dir, p.key(tree))
}

// key identifies what the index's plan was made with.
func (p *place) key(tree engine.Tree) string {
	if _, ok := tree.(*worktree.Revision); ok {
		return assembly.Key(p.config, "revision")
	}
	return assembly.Key(p.config, "work tree")
}

// patience is how long a run waits for another one before it says whom it waits for.
const patience = 300 * time.Millisecond

// lock keeps a second run out while this one writes, and lets git look. The second one waits, and says for whom.
func (p *place) lock(ctx context.Context) error {
	dir := p.repo.PrivateDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("lock the repository: %w", err)
	}
	name := filepath.Join(dir, "lock")
	l := flock.New(name)
	p.close = append(p.close, l.Close)
	soon, cancel := context.WithTimeout(ctx, patience)
	got, err := l.TryLockContext(soon, 20*time.Millisecond)
	cancel()
	if !got && ctx.Err() == nil {
		holder, _ := os.ReadFile(name)
		_, _ = fmt.Fprintf(p.world.Err, "waiting for another run%s\n", holderText(string(holder)))
		got, err = l.TryLockContext(ctx, 50*time.Millisecond)
	}
	if !got {
		return fmt.Errorf("lock the repository: %w", errors.Join(err, ctx.Err()))
	}
	p.repo.Begin(ctx) // nobody else writes from here on; who wrote before is known from the signature
	if err := os.WriteFile(name, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		return fmt.Errorf("lock the repository: %w", err)
	}
	return nil
}

func holderText(pid string) string {
	if pid = strings.TrimSpace(pid); pid != "" {
		return " (process " + pid + ")"
	}
	return ""
}
