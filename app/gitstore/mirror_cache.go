package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
)

type bareRepo struct {
	dir    string
	filter string // object filter of fetches
	git    *runner
	made   atomic.Int64

	contents *objects
}

// slots bounds the concurrent git processes of all mirrors in the program, except those that stream contents.
var slots = make(chan struct{}, 4*runtime.GOMAXPROCS(0))

func newCache(git *runner, mirror, name, filter string) *bareRepo {
	dir := filepath.Join(mirror, name)
	own := &runner{binary: git.binary, dir: mirror, counts: git.counts, slots: slots}
	own.env = append(serverEnvironment(), "GIT_DIR="+dir, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=http:https")
	c := &bareRepo{dir: dir, filter: filter, git: own}
	c.contents = &objects{git: own, dir: dir, made: &c.made}
	return c
}

// inherited are prefixes of git variables about the machine rather than a repository.
var inherited = []string{
	"GIT_SSL_", "GIT_PROXY_", "GIT_HTTP_", "GIT_EXEC_PATH=", "GIT_CONFIG_GLOBAL=", "GIT_CONFIG_SYSTEM=", "GIT_CONFIG_NOSYSTEM=",
}

// serverEnvironment removes variables about another repository and traces, which could reveal a token.
func serverEnvironment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") && !slices.ContainsFunc(inherited, func(p string) bool { return strings.HasPrefix(v, p) })
	})
	return append(env, unattended()...)
}

// cacheConfig is the entire configuration of a cache; fetches pass the rest in the environment.
const cacheConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n\tautoDetach = false\n"

func (c *bareRepo) ensure() error {
	config, err := os.ReadFile(filepath.Join(c.dir, "config"))
	if err == nil && string(config) == cacheConfig && isGitDir(c.dir) {
		return nil
	}
	return c.replace()
}

// replace atomically replaces the cache by an empty repository.
func (c *bareRepo) replace() error {
	fresh, old := filepath.Join(filepath.Dir(c.dir), freshName), filepath.Join(filepath.Dir(c.dir), trashName)
	if err := errors.Join(os.RemoveAll(fresh), os.RemoveAll(old)); err != nil {
		return fmt.Errorf("make a mirror: %w", err)
	}
	for _, dir := range []string{"objects/pack", "refs"} {
		if err := os.MkdirAll(filepath.Join(fresh, filepath.FromSlash(dir)), 0o755); err != nil {
			return fmt.Errorf("make a mirror: %w", err)
		}
	}
	for name, content := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": cacheConfig} {
		if err := os.WriteFile(filepath.Join(fresh, name), []byte(content), 0o644); err != nil {
			return fmt.Errorf("make a mirror: %w", err)
		}
	}
	if err := os.Rename(c.dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make a mirror: %w", err)
	}
	if err := os.Rename(fresh, c.dir); err != nil {
		return fmt.Errorf("make a mirror: %w", err)
	}
	c.made.Add(1)
	return os.RemoveAll(old)
}

const (
	freshName = "new"
	trashName = "old"
	traceName = "trace-"
)

// leftovers are glob patterns of the files that a killed git leaves behind.
var leftovers = []string{
	freshName, trashName, traceName + "*",
	"*.git/*.lock", "*.git/shallow_*", "*.git/refs/causal/*.lock", "*.git/objects/tmp_*", "*.git/objects/pack/tmp_*",
	"*.git/objects/pack/.tmp-*", "*.git/objects/pack/*.keep", "*.git/objects/pack/*.lock",
}

// sweep removes leftovers. The caller has the lock.
func (m *Mirror) sweep() error {
	for _, pattern := range leftovers {
		found, err := filepath.Glob(filepath.Join(escapeGlob(m.dir), filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range found {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

var globEscaper = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

func escapeGlob(path string) string { return globEscaper.Replace(path) }

// unnamed returns the distinct commits without a reference. A fetched commit has one until it is pruned.
func (c *bareRepo) unnamed(commits []string) []string {
	names := slices.Compact(slices.Sorted(slices.Values(commits)))
	return slices.DeleteFunc(names, func(id string) bool { return exists(filepath.Join(c.dir, filepath.FromSlash(refs+id))) })
}

// absent returns the distinct missing objects. suffix is the required peeling, such as ^{commit}.
func (c *bareRepo) absent(ctx context.Context, ids []string, suffix string) ([]string, error) {
	names := slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(names) == 0 {
		return nil, nil
	}
	asked := strings.NewReader(strings.Join(names, suffix+"\n") + suffix + "\n")
	out, err := c.git.run(ctx, asked, "cat-file", "--batch-check", "--buffer")
	if err != nil {
		return nil, err
	}
	var absent []string
	for line := range strings.Lines(string(out)) {
		if id, ok := strings.CutSuffix(line, suffix+" missing\n"); ok {
			absent = append(absent, id)
		}
	}
	return absent, nil
}
