package githubsim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Change is what a commit does to the files of a branch.
type Change struct {
	Write   map[string]string // content by path
	Delete  []string
	Message string
	Login   string // who makes it; empty: the owner of the repository
}

// record writes a commit with some files changed on top of a parent, which may be none, and returns its id.
func (b bare) record(parent string, c Change, author, committer signature) (string, error) {
	const scratch = "refs/simulator/commit"
	var in strings.Builder
	fmt.Fprintf(&in, "reset %s\n\ncommit %s\nmark :1\nauthor %s\ncommitter %s\ndata %d\n%s\n", scratch, scratch, author, committer, len(c.Message), c.Message)
	if parent != "" {
		fmt.Fprintf(&in, "from %s\n", parent)
	}
	for _, name := range c.Delete {
		fmt.Fprintf(&in, "D %s\n", quote(name))
	}
	names := make([]string, 0, len(c.Write))
	for name := range c.Write {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", quote(name), len(c.Write[name]), c.Write[name])
	}
	in.WriteString("\nget-mark :1\n")
	out, err := b.run(in.String(), "fast-import", "--quiet", "--force", "--cat-blob-fd=1")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(out), os.Remove(filepath.Join(b.dir, filepath.FromSlash(scratch))) // fast-import has just written it
}

// quote writes a path as fast-import reads it.
func quote(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// importDir commits the files of a directory on top of nothing.
func (b bare) importDir(dir, message string, who signature) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	index := filepath.Join(b.dir, "simulator-index")
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index, "GIT_WORK_TREE=" + dir}
	if _, err := b.with(env, "", "-C", dir, "add", "--all", "--force", "."); err != nil {
		return "", err
	}
	tree, err := b.with(env, "", "write-tree")
	if err != nil {
		return "", err
	}
	return b.object(strings.TrimSpace(tree), nil, message, who, who)
}

// object writes a commit of a tree that is there.
func (b bare) object(tree string, parents []string, message string, author, committer signature) (string, error) {
	var in strings.Builder
	fmt.Fprintf(&in, "tree %s\n", tree)
	for _, parent := range parents {
		fmt.Fprintf(&in, "parent %s\n", parent)
	}
	fmt.Fprintf(&in, "author %s\ncommitter %s\n\n%s", author, committer, message)
	out, err := b.run(in.String(), "hash-object", "-t", "commit", "-w", "--stdin")
	return strings.TrimSpace(out), err
}

// change of one entry of a tree; an empty id removes it.
type edit struct{ mode, id, path string }

// amend writes a tree that differs from another, which may be none, in some entries.
func (b bare) amend(base string, edits []edit) (string, error) {
	index := filepath.Join(b.dir, "simulator-index")
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index}
	if base != "" {
		if _, err := b.with(env, "", "read-tree", base); err != nil {
			return "", err
		}
	}
	var in strings.Builder
	for _, e := range edits {
		if e.id == "" {
			e.mode, e.id = "0", zero
		}
		fmt.Fprintf(&in, "%s %s\t%s\x00", e.mode, e.id, e.path)
	}
	if _, err := b.with(env, in.String(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	out, err := b.with(env, "", "write-tree")
	return strings.TrimSpace(out), err
}

// merge writes the commit that merges one commit into another; false when they do not merge.
func (b bare) merge(into, from, message string, who signature) (string, bool, error) {
	tree, err := b.run("", "merge-tree", "--write-tree", into, from)
	if err != nil {
		return "", false, nil
	}
	id, err := b.object(strings.TrimSpace(tree), []string{into, from}, message, who, who)
	return id, err == nil, err
}
