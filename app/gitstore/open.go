package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
)

// Adapter is an implementation of repository access.
type Adapter int

const (
	CLI   Adapter = iota // the git program
	GoGit                // go-git, which reads only the history
)

// Repo is an open repository with a work tree. It is safe for concurrent use, and sees changes by other programs.
type Repo struct {
	loc     location
	tree    *workTree
	backend backend
	counts  *counters
}

type counters struct{ spawns, files, bytes, blobs atomic.Int64 }

// Open opens the repository that contains dir, with the git program if available, else with go-git. It starts no process
// if dir or a parent has a .git. GIT_DIR and GIT_WORK_TREE, as set in git hooks, apply.
func Open(ctx context.Context, dir string) (*Repo, error) {
	if _, err := Program(); err != nil {
		return OpenWith(ctx, dir, GoGit)
	}
	return OpenWith(ctx, dir, CLI)
}

// OpenWith opens the repository that contains dir with the given adapter. GoGit ignores GIT_DIR and GIT_WORK_TREE.
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
	backend := &cli{git: git, loc: loc, reftable: conf.get("extensions.refstorage") == "reftable", disk: tree, objects: &objects{git: git, dir: loc.commonDir}}
	return &Repo{loc: loc, tree: tree, backend: backend, counts: counts}, nil
}

// discover locates the repository without git, unless only git can interpret the environment or configuration.
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

func askGit(ctx context.Context, git *runner, dir string) (location, settings, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return location{}, nil, err
	}
	if !isDir(abs) {
		return location{}, nil, fmt.Errorf("open repository: %s is not a directory; name a directory of the repository", abs)
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

// Close ends the git process that reads objects.
func (r *Repo) Close() error {
	if git, ok := r.backend.(*cli); ok {
		git.objects.close()
	}
	return nil
}

// Root returns the absolute path of the work tree without symbolic links.
func (r *Repo) Root() string { return r.loc.root }

// CloneDir returns causal's directory for data shared by all work trees of the clone. It may not exist yet.
func (r *Repo) CloneDir() string { return filepath.Join(r.loc.commonDir, "causal") }

// PrivateDir returns causal's cache directory in the git directory, one per linked work tree. It may not exist yet.
func (r *Repo) PrivateDir() string {
	if r.loc.linked() {
		return filepath.Join(r.CloneDir(), "worktrees", filepath.Base(r.loc.gitDir))
	}
	return r.CloneDir()
}

// Counters returns the operation counts of this Repo.
func (r *Repo) Counters() Counters {
	c := r.counts
	return Counters{Spawns: c.spawns.Load(), Files: c.files.Load(), Bytes: c.bytes.Load(), Blobs: c.blobs.Load()}
}
