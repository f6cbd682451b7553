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
)

// bare is a bare git repository on disk. References and objects are read and written here, so that a request of the API
// costs no process; git itself runs only to transfer, to merge and to compare lines. Every object has a file of its own:
// the settings keep git from packing any.
type bare struct {
	ctx     context.Context
	dir     string
	mu      sync.Mutex        // guards what follows
	commits map[string]commit // by id
	diffs   map[string]string // what git printed, by its arguments
}

// mostDiffs bounds the diffs that are kept: those of a long run are dropped all at once.
const mostDiffs = 500

// zero is the object id that stands for none.
const zero = "0000000000000000000000000000000000000000"

// emptyTree is the tree without files.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// settings let a client ask for what GitHub's own servers give, and keep every object in a file of its own.
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

// guard is the hook that refuses pushes to protected branches in GitHub's words.
const guard = `#!/bin/sh
if grep -qxF "$1" "$GIT_DIR/protected" 2>/dev/null; then
	echo "error: GH006: Protected branch update failed for $1." >&2
	echo "error: Changes must be made through a pull request." >&2
	exit 1
fi
`

// newBare makes an empty repository.
func newBare(ctx context.Context, dir, trunk string) (*bare, error) {
	b := &bare{ctx: ctx, dir: dir, commits: map[string]commit{}, diffs: map[string]string{}}
	for _, name := range []string{"objects", "refs/heads"} {
		if err := os.MkdirAll(b.path(name), 0o755); err != nil {
			return nil, err
		}
	}
	return b, errors.Join(b.write("config", settings), b.setTrunk(trunk))
}

func (b *bare) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

// write replaces a file of the repository at once, as git may read it meanwhile.
func (b *bare) write(name, content string) error {
	to := b.path(name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(b.dir, "tmp_")
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// protect has pushes to some branches refused.
func (b *bare) protect(branches []string) error {
	var list strings.Builder
	for _, name := range branches {
		list.WriteString("refs/heads/" + name + "\n")
	}
	err := errors.Join(b.write("protected", list.String()), b.write("hooks/update", guard))
	return errors.Join(err, os.Chmod(b.path("hooks/update"), 0o755))
}

// environment is the user's own less what would make git's answers depend on their configuration.
func environment(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	env = append(env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0")
	return append(env, more...)
}

// run runs git in the repository and returns what it prints.
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

// isID reports whether a name is the full id of an object.
func isID(name string) bool {
	return len(name) == len(zero) && strings.Trim(name, "0123456789abcdef") == ""
}

// setTrunk makes a branch the one that is cloned.
func (b *bare) setTrunk(branch string) error { return b.write("HEAD", "ref: refs/heads/"+branch+"\n") }

// trunk is the branch that is cloned, as a full reference.
func (b *bare) trunk() string {
	content, _ := os.ReadFile(b.path("HEAD")) // written when the repository is made
	return strings.TrimSpace(strings.TrimPrefix(string(content), "ref: "))
}

// refs lists references by name, those below some directories only.
func (b *bare) refs(below ...string) (map[string]string, error) {
	refs := map[string]string{}
	for _, top := range below {
		err := fs.WalkDir(os.DirFS(b.dir), top, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // a branch that has just gone, or none of a kind
				return nil
			}
			if err != nil || d.IsDir() || strings.HasSuffix(name, ".lock") {
				return err
			}
			if id := b.ref(name); id != "" {
				refs[name] = id
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// branchesAndTags lists the references that people make.
func (b *bare) branchesAndTags() (map[string]string, error) {
	return b.refs("refs/heads", "refs/tags")
}

// ref is the id that a reference holds; empty when there is no such reference.
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

// resolve finds the object of a kind, or of any with the kind "object", that a name stands for: an id, a branch, a tag or
// a full reference. It is empty when there is none.
func (b *bare) resolve(name, kind string) string {
	id := name
	if !isID(name) {
		for _, full := range []string{"refs/heads/" + name, "refs/tags/" + name, "refs/" + name, name} {
			if id = b.ref(full); id != "" {
				break
			}
		}
	}
	is, content, err := b.object(id)
	switch {
	case err != nil:
		return ""
	case kind == is || kind == "object":
		return id
	case is == "tag" || is == "commit" && kind == "tree":
		_, target, _ := strings.Cut(string(content[:min(len(content), 48)]), " ") // "object ID" or "tree ID" is its first line
		target, _, _ = strings.Cut(target, "\n")
		return b.resolve(target, kind)
	}
	return ""
}

// move makes a reference point elsewhere; zero as the new id deletes it.
func (b *bare) move(ref, to string) error {
	if to != zero {
		return b.write(ref, to+"\n")
	}
	if err := os.Remove(b.path(ref)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(ref); strings.Count(dir, string(filepath.Separator)) > 1; dir = filepath.Dir(dir) {
		if os.Remove(b.path(dir)) != nil { // another branch is below it
			break
		}
	}
	return nil
}

// validRef reports whether git takes a name for a branch or a tag.
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

// borrow takes over the objects of another repository.
func (b *bare) borrow(from *bare) error {
	return fs.WalkDir(os.DirFS(from.dir), "objects", func(name string, d fs.DirEntry, err error) error {
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
	})
}

// merge writes the commit that merges one commit into another; false when they do not merge.
func (b *bare) merge(into, from, message string, who signature) (string, bool, error) {
	merged := commit{parents: []string{into, from}, author: who, committer: who, message: message}
	if b.mergeBase(into, from) == into {
		merged.tree = b.resolve(from, "tree")
	} else {
		tree, err := b.run("merge-tree", "--write-tree", into, from)
		if err != nil {
			return "", false, nil
		}
		merged.tree = strings.TrimSpace(tree)
	}
	id, err := b.putCommit(merged)
	return id, err == nil, err
}
