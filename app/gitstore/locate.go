package gitstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// location has the directories of a repository as absolute paths without symbolic links.
type location struct {
	root      string
	gitDir    string // per work tree: HEAD, index
	commonDir string // shared by all work trees: objects, refs, config
	detached  bool   // core.worktree moves the root away from the parent of .git
}

// linked reports whether this is a linked work tree, not the main one.
func (l location) linked() bool { return l.gitDir != l.commonDir }

// locate finds the repository of dir as git does, without running git.
func locate(dir string) (location, settings, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return location{}, nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return location{}, nil, fmt.Errorf("open repository: %w", err)
	}
	if info, err := os.Stat(real); err != nil {
		return location{}, nil, fmt.Errorf("open repository: %w", err)
	} else if !info.IsDir() {
		return location{}, nil, fmt.Errorf("open repository: %s is not a directory; name a directory of the repository", abs)
	}
	for at := real; ; at = filepath.Dir(at) {
		gitDir, err := dotGit(at)
		if err != nil {
			return location{}, nil, err
		}
		if gitDir != "" {
			return locationOf(at, gitDir)
		}
		if isGitDir(at) {
			return location{}, nil, fmt.Errorf("%s: %w", at, ErrBare)
		}
		if filepath.Dir(at) == at {
			return location{}, nil, fmt.Errorf("%s: %w", abs, ErrNotRepository)
		}
	}
}

// dotGit returns the git directory that at/.git is or names; empty if there is none.
func dotGit(at string) (string, error) {
	path := filepath.Join(at, ".git")
	info, err := os.Stat(path)
	if err != nil || info.IsDir() && !isGitDir(path) {
		return "", nil //nolint:nilerr // what cannot be seen is not there: the search goes on further up
	}
	if info.IsDir() {
		return filepath.EvalSymlinks(path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("%s does not name a git directory: remove or mend it: %w", path, ErrNotRepository)
	}
	target = within(at, target)
	if !isGitDir(target) {
		return "", fmt.Errorf("%s names %s, which is no git directory: run `git worktree repair` or `git submodule update`: %w",
			path, target, ErrNotRepository)
	}
	return filepath.EvalSymlinks(target)
}

func locationOf(at, gitDir string) (location, settings, error) {
	loc := location{root: at, gitDir: gitDir, commonDir: gitDir}
	if text, err := os.ReadFile(filepath.Join(gitDir, "commondir")); err == nil {
		common, err := filepath.EvalSymlinks(within(gitDir, strings.TrimRight(string(text), "\r\n")))
		if err != nil {
			return location{}, nil, fmt.Errorf("open repository: %w", err)
		}
		loc.commonDir = common
	}
	conf, err := localSettings(loc)
	if err != nil {
		return location{}, nil, err
	}
	if loc.linked() {
		return loc, conf, nil
	}
	if tree := conf.get("core.worktree"); tree != "" {
		root, err := filepath.EvalSymlinks(within(gitDir, tree))
		if err != nil {
			return location{}, nil, fmt.Errorf("open repository: core.worktree: %w", err)
		}
		loc.root, loc.detached = root, root != at
	} else if conf.is("core.bare", false) {
		return location{}, nil, fmt.Errorf("%s: %w", at, ErrBare)
	}
	return loc, conf, nil
}

// isGitDir applies git's criteria for a git directory.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(dir, "commondir")); err == nil {
		return true
	}
	return isDir(filepath.Join(dir, "objects")) && isDir(filepath.Join(dir, "refs"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// foreign returns the first directory of the repository that belongs to another user, or "". git refuses such
// repositories.
func (l location) foreign() string {
	for _, path := range []string{l.root, filepath.Join(l.root, ".git"), l.gitDir} {
		info, err := os.Stat(path)
		if err == nil && !ownedByUser(info) {
			return path
		}
	}
	return ""
}
