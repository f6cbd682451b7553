package workspace

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/worktree"
	"github.com/causaldocs/causal/knowledge/store"
)

// Checkout is a commit that a CI job has checked out. Sources are read from git's objects, and causal's own files from
// a separate work tree, so files that other steps left in the checkout do not matter.
type Checkout struct {
	Dir    string
	Temp   string // for temporary files of the run
	Base   string // the commit whose configuration applies; empty for the one that is checked out
	Ref    string // the ref that is checked out; permanent links point to the head of one branch only
	Remote func(ctx context.Context) (Remote, error)
	Now    func() time.Time
}

func (s Checkout) open(ctx context.Context, w *Workspace) error {
	repo, err := gitstore.Open(ctx, s.Dir)
	if err != nil {
		return &PlaceError{err}
	}
	w.atClose(repo.Close)
	head, err := repo.Head(ctx)
	if err != nil {
		return err
	}
	found, skills, err := s.rules(ctx, repo, head.ID)
	if err != nil {
		return err
	}
	w.follow(found)
	w.skillFiles = skills
	temp, err := os.MkdirTemp(s.Temp, "causal-")
	if err != nil {
		return fmt.Errorf("make a directory for the run: %w", err)
	}
	w.atClose(func() error { return os.RemoveAll(temp) })
	w.disk, w.local = repo, filepath.Join(temp, "index")
	if w.Repo, err = w.checkOut(ctx, repo, head.ID, filepath.Join(temp, "tree")); err != nil {
		return err
	}
	w.atClose(w.Repo.Close)
	permanent := ""
	if w.Config.Repository != "" && s.Ref == "refs/heads/"+w.Config.Branch {
		permanent = head.ID
	}
	tree, err := worktree.New(w.Repo, permanent, s.Now)
	if err != nil {
		return err
	}
	w.atClose(tree.Close)
	w.show(tree, head)
	return w.openFiles(w.Repo.Root())
}

func (w *Workspace) checkOut(ctx context.Context, repo *gitstore.Repo, commit, dir string) (*gitstore.Repo, error) {
	if err := git(ctx, repo.Root(), "worktree", "add", "--quiet", "--detach", "--no-checkout", dir, commit); err != nil {
		return nil, err
	}
	w.atClose(func() error {
		return git(context.WithoutCancel(ctx), repo.Root(), "worktree", "remove", "--force", dir)
	})
	list, err := repo.Tree(ctx, commit)
	if err != nil {
		return nil, err
	}
	var own []string
	for _, top := range []string{store.Top, w.Layout.Docs} {
		there := slices.ContainsFunc(list, func(e gitstore.Entry) bool { return e.Path == top || strings.HasPrefix(e.Path, top+"/") })
		if there && !slices.Contains(own, top) {
			own = append(own, top)
		}
	}
	for _, e := range list { // generated tests are next to the code that they test
		if store.IsTest(e.Path) {
			own = append(own, e.Path)
		}
	}
	if len(own) > 0 {
		paths := strings.NewReader(strings.Join(own, "\x00"))
		if err := gitWith(ctx, paths, dir, "--literal-pathspecs", "checkout", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul", commit); err != nil {
			return nil, err
		}
	}
	return gitstore.Open(ctx, dir)
}

// git runs a git command that changes the checkout's repository. No hooks run, and LFS files stay pointers.
func git(ctx context.Context, dir string, args ...string) error {
	return gitWith(ctx, nil, dir, args...)
}

func gitWith(ctx context.Context, in io.Reader, dir string, args ...string) error {
	program, err := gitstore.Program()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, append([]string{"-c", "core.hooksPath=" + os.DevNull, "-C", dir}, args...)...)
	cmd.Env = append(gitstore.Environment(), "GIT_LFS_SKIP_SMUDGE=1")
	cmd.Stdin = in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}
