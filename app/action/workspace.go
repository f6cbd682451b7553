package action

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causaldocs/causal/app/assembly"
	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/engine"
	"github.com/causaldocs/causal/knowledge/index"
	"github.com/causaldocs/causal/knowledge/store"
)

// workspace is the commit that is checked out, ready for the engine: sources from git's objects, causal's own files in a
// work tree of the run's own. What other steps left in the checkout does not count, and the run leaves nothing there.
type workspace struct {
	head   gitstore.Commit
	config *config.Config
	layout store.Layout
	files  *store.Dir
	engine *engine.Engine
	close  []func() error
}

// open prepares a run. Close the workspace after use.
func (j *job) open(ctx context.Context) (w *workspace, err error) {
	w = &workspace{}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	repo, err := gitstore.Open(ctx, j.dir)
	if errors.Is(err, gitstore.ErrNotRepository) {
		return w, fmt.Errorf("%w: there is no git repository in %s: let actions/checkout run before, on a runner that has git", ErrUsage, j.dir)
	}
	if err != nil {
		return w, err
	}
	if w.head, err = repo.Head(ctx); err != nil {
		return w, err
	}
	if w.config, err = j.rules(ctx, repo, w.head.ID); err != nil {
		return w, err
	}
	w.layout = assembly.Layout(w.config)
	temp, err := os.MkdirTemp(j.temp, "causal-")
	if err != nil {
		return w, fmt.Errorf("make a directory for the run: %w", err)
	}
	w.close = append(w.close, func() error { return os.RemoveAll(temp) })
	own, err := w.checkOut(ctx, repo, filepath.Join(temp, "tree"))
	if err != nil {
		return w, err
	}
	return w, w.prepare(j, own, filepath.Join(temp, "index"))
}

// checkOut makes a work tree with nothing but causal's own files in it.
func (w *workspace) checkOut(ctx context.Context, repo *gitstore.Repo, dir string) (*gitstore.Repo, error) {
	if err := git(ctx, repo.Root(), "worktree", "add", "--quiet", "--detach", "--no-checkout", dir, w.head.ID); err != nil {
		return nil, err
	}
	w.close = append(w.close, func() error {
		return git(context.WithoutCancel(ctx), repo.Root(), "worktree", "remove", "--force", dir)
	})
	list, err := repo.Tree(ctx, w.head.ID)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, top := range []string{store.Top, w.layout.Docs} {
		there := slices.ContainsFunc(list, func(e gitstore.Entry) bool { return e.Path == top || strings.HasPrefix(e.Path, top+"/") })
		if there && !slices.Contains(own, top) {
			own = append(own, top)
		}
	}
	if len(own) > 0 {
		if err := git(ctx, dir, append([]string{"--literal-pathspecs", "checkout", "--quiet", w.head.ID, "--"}, own...)...); err != nil {
			return nil, err
		}
	}
	return gitstore.Open(ctx, dir)
}

// git changes something in the checkout's repository. No hook runs, and large files stay the pointers that they are in
// git.
func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull, "-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_LFS_SKIP_SMUDGE=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// prepare opens what the engine works on.
func (w *workspace) prepare(j *job, repo *gitstore.Repo, indexDir string) error {
	permanent := ""
	if w.config.Repository != "" && j.ref == "refs/heads/"+w.config.Branch {
		permanent = w.head.ID
	}
	tree, err := worktree.New(repo, permanent, j.world.Now)
	if err != nil {
		return err
	}
	w.close = append(w.close, tree.Close)
	if w.files, err = store.OpenDir(repo.Root()); err != nil {
		return err
	}
	w.close = append(w.close, w.files.Close)
	if err := os.MkdirAll(indexDir, 0o755); err != nil {
		return fmt.Errorf("make a directory for the run: %w", err)
	}
	x, err := index.Open(indexDir, assembly.Key(w.config, "revision"))
	if err != nil {
		return err
	}
	w.close = append(w.close, x.Close)
	at := worktree.At(tree, w.head, w.layout.Owns)
	w.engine = assembly.Engine(assembly.Parts{Tree: at, Index: x, Dir: w.files, Config: w.config})
	return nil
}

// Close releases everything in reverse order.
func (w *workspace) Close() error {
	var err error
	for _, fn := range slices.Backward(w.close) {
		err = errors.Join(err, fn())
	}
	w.close = nil
	return err
}
