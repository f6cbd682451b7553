package githubsim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/causaldocs/causal/app/atomic"
)

// bare is a bare git repository on disk. It reads and writes references and objects in Go, since API requests should
// not start a process; git runs only to transfer, merge and compare lines. All objects are loose: the settings disable
// packing.
type bare struct {
	ctx     context.Context
	dir     string
	mu      sync.Mutex        // guards the caches below
	commits map[string]commit // by id
	diffs   map[string]string // git's output, by arguments
}

// mostDiffs bounds the diff cache, which is emptied when full.
const mostDiffs = 500

// zero is git's null object id.
const zero = "0000000000000000000000000000000000000000"

// emptyTree is the id of git's empty tree.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// settings enable the fetch features of GitHub's servers and disable packing.
const settings = `[core]
	repositoryformatversion = 0
	bare = true
	logAllRefUpdates = false
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	autogc = false
	unpackLimit = 2147483647
[gc]
	auto = 0
`

func newBare(ctx context.Context, dir, trunk string) *bare {
	b := &bare{ctx: ctx, dir: dir, commits: map[string]commit{}, diffs: map[string]string{}}
	for _, name := range []string{"objects", "refs/heads"} {
		must(os.MkdirAll(b.path(name), 0o755))
	}
	b.write("config", settings)
	b.setTrunk(trunk)
	return b
}

func (b *bare) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

// write replaces a file atomically because git may be reading it.
func (b *bare) write(name, content string) {
	must(atomic.Write(b.path(name), []byte(content), 0o600))
}

// environment returns the environment for git, without the user's git configuration.
func environment(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	env = append(env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0")
	return append(env, more...)
}

func (b *bare) run(args ...string) (string, error) {
	cmd := exec.CommandContext(b.ctx, "git", args...) //nolint:gosec // the arguments are ids, and paths behind a "--"
	cmd.Env = environment("GIT_DIR=" + b.dir)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}

func isID(name string) bool {
	return len(name) == len(zero) && strings.Trim(name, "0123456789abcdef") == ""
}

// setTrunk sets HEAD to a branch.
func (b *bare) setTrunk(branch string) { b.write("HEAD", "ref: refs/heads/"+branch+"\n") }

func (b *bare) refs(below ...string) map[string]string {
	refs := map[string]string{}
	for _, top := range below {
		must(fs.WalkDir(os.DirFS(b.dir), top, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // deleted meanwhile, or no reference of this kind
				return nil
			}
			if err != nil || d.IsDir() || strings.HasSuffix(name, ".lock") || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			if id := b.ref(name); id != "" {
				refs[name] = id
			}
			return nil
		}))
	}
	return refs
}

func (b *bare) branchesAndTags() map[string]string {
	return b.refs("refs/heads", "refs/tags")
}

func (b *bare) ref(name string) string {
	if !filepath.IsLocal(name) {
		return ""
	}
	content, err := os.ReadFile(b.path(name))
	text := strings.TrimSpace(string(content))
	if target, symbolic := strings.CutPrefix(text, "ref: "); symbolic {
		return b.ref(target)
	}
	if err != nil || !isID(text) {
		return ""
	}
	return text
}

// resolve returns the id of an object of a kind ("object" for any) by id, branch, tag or full reference, or "" if there
// is none.
func (b *bare) resolve(name, kind string) string {
	id := name
	if !isID(name) {
		for _, full := range []string{"refs/heads/" + name, "refs/tags/" + name, "refs/" + name, name} {
			if id = b.ref(full); id != "" {
				break
			}
		}
	}
	is, content := b.object(id)
	switch {
	case is == "":
		return ""
	case kind == is || kind == "object":
		return id
	case is == "tag" || is == "commit" && kind == "tree":
		_, target, _ := strings.Cut(string(content[:min(len(content), 48)]), " ") // first line: "object ID" or "tree ID"
		target, _, _ = strings.Cut(target, "\n")
		return b.resolve(target, kind)
	}
	return ""
}

// move sets a reference. The zero id deletes it.
func (b *bare) move(ref, to string) {
	if to != zero {
		b.write(ref, to+"\n")
		return
	}
	if err := os.Remove(b.path(ref)); !errors.Is(err, fs.ErrNotExist) {
		must(err)
	}
	for dir := filepath.Dir(ref); strings.Count(dir, string(filepath.Separator)) > 1; dir = filepath.Dir(dir) {
		if os.Remove(b.path(dir)) != nil {
			break
		}
	}
}

func validRef(ref string) bool {
	short, found := strings.CutPrefix(ref, "refs/heads/")
	if !found {
		short, found = strings.CutPrefix(ref, "refs/tags/")
	}
	if !found || strings.ContainsAny(ref, " ~^:?*[\\\x7f") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") || strings.HasSuffix(ref, ".") {
		return false
	}
	for part := range strings.SplitSeq(short, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' })
}

// borrow hard-links the objects of another repository.
func (b *bare) borrow(from *bare) {
	must(fs.WalkDir(os.DirFS(from.dir), "objects", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(b.path(name), 0o755) //nolint:gosec // both repositories are the simulator's own
		case strings.HasPrefix(d.Name(), "tmp_"):
			return nil
		}
		if err := os.Link(from.path(name), b.path(name)); !errors.Is(err, fs.ErrExist) { //nolint:gosec // both repositories are the simulator's own
			return err
		}
		return nil
	}))
}

// merge writes a merge commit. It returns false on conflicts.
func (b *bare) merge(into, from, message string, who signature) (string, bool) {
	merged := commit{parents: []string{into, from}, author: who, committer: who, message: message}
	if b.mergeBase(into, from) == into {
		merged.tree = b.resolve(from, "tree")
	} else {
		tree, err := b.run("merge-tree", "--write-tree", into, from)
		if err != nil {
			return "", false
		}
		merged.tree = strings.TrimSpace(tree)
	}
	return b.putCommit(merged), true
}
