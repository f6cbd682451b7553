package gitstore

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
)

// Adapter is a way to reach a repository.
type Adapter int

// The adapters.
const (
	CLI   Adapter = iota // the git binary
	GoGit                // go-git, which only reads what is committed
)

// Repo is an open repository with a work tree. It is safe for concurrent use, and sees what other programs change.
type Repo struct {
	loc     location
	tree    *workTree
	backend backend
	counts  *counters
}

type counters struct{ spawns, files, bytes, blobs atomic.Int64 }

// Open opens the repository that holds dir: with the git binary if there is one, else with go-git. It starts no process
// if it finds a .git in dir or above. GIT_DIR and GIT_WORK_TREE, as set in git hooks, count as for git.
func Open(ctx context.Context, dir string) (*Repo, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return OpenWith(ctx, dir, GoGit)
	}
	return OpenWith(ctx, dir, CLI)
}

// OpenWith opens the repository that holds dir with a given adapter. GoGit ignores GIT_DIR and GIT_WORK_TREE.
func OpenWith(ctx context.Context, dir string, adapter Adapter) (*Repo, error) {
	counts := &counters{}
	if adapter == GoGit {
		loc, conf, err := locate(dir)
		if err != nil {
			return nil, err
		}
		return openGoGit(loc, conf, counts)
	}
	git, err := newRunner(counts)
	if err != nil {
		return nil, err
	}
	loc, conf, err := discover(ctx, git, dir)
	if err != nil {
		return nil, err
	}
	git.at(loc)
	if loc.foreign() != "" {
		if _, err := git.run(ctx, nil, "rev-parse", "--git-dir"); err != nil {
			return nil, err
		}
	}
	tree := newWorkTree(loc, conf, counts)
	return &Repo{loc: loc, tree: tree, backend: &cli{git: git, disk: tree}, counts: counts}, nil
}

// discover finds the repository without git where that is certain to give git's answer, and asks git otherwise.
func discover(ctx context.Context, git *runner, dir string) (location, settings, error) {
	_, redirected := os.LookupEnv("GIT_DIR")
	_, moved := os.LookupEnv("GIT_WORK_TREE")
	if redirected || moved {
		return askGit(ctx, git, dir)
	}
	loc, conf, err := locate(dir)
	if isSettingsError(err) {
		return askGit(ctx, git, dir)
	}
	return loc, conf, err
}

// askGit lets git say where the repository is and how it is set up.
func askGit(ctx context.Context, git *runner, dir string) (location, settings, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return location{}, nil, err
	}
	if !isDir(abs) {
		return location{}, nil, fmt.Errorf("open repository: %s is not a directory", abs)
	}
	git.dir = abs
	var parts [3]string
	for i, option := range []string{"--show-toplevel", "--absolute-git-dir", "--git-common-dir"} {
		out, err := git.line(ctx, "rev-parse", option)
		if err != nil {
			return location{}, nil, err
		}
		if parts[i], err = filepath.EvalSymlinks(within(abs, out)); err != nil {
			return location{}, nil, fmt.Errorf("open repository: %w", err)
		}
	}
	out, err := git.run(ctx, nil, "config", "-z", "--list")
	if err != nil {
		return location{}, nil, err
	}
	loc := location{root: parts[0], gitDir: parts[1], commonDir: parts[2], detached: true}
	return loc, parseSettings(string(out)), nil
}

// Root is the absolute path of the work tree, links resolved.
func (r *Repo) Root() string { return r.loc.root }

// CloneDir is where causal keeps what belongs to the clone, whichever of its work trees is looked at. It need not exist yet.
func (r *Repo) CloneDir() string { return filepath.Join(r.loc.commonDir, "causal") }

// PrivateDir is where causal may keep caches: inside the git directory, apart for each linked work tree. It need not
// exist yet.
func (r *Repo) PrivateDir() string {
	if r.loc.linked() {
		return filepath.Join(r.CloneDir(), "worktrees", filepath.Base(r.loc.gitDir))
	}
	return r.CloneDir()
}

// Counters tells what has been done through this Repo so far.
func (r *Repo) Counters() Counters {
	c := r.counts
	return Counters{Spawns: c.spawns.Load(), Files: c.files.Load(), Bytes: c.bytes.Load(), Blobs: c.blobs.Load()}
}
