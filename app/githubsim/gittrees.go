package githubsim

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

type entry struct{ mode, id, path string }

func (e entry) kind() string {
	switch e.mode {
	case "040000":
		return "tree"
	case "160000":
		return "commit"
	}
	return "blob"
}

// entries reads a tree, or the tree of a commit. There are none of another object.
func (b *bare) entries(id string) []entry {
	_, content := b.object(b.resolve(id, "tree"))
	var out []entry
	for len(content) > 0 {
		head, rest, _ := bytes.Cut(content, []byte{0})
		mode, name, _ := strings.Cut(string(head), " ")
		out = append(out, entry{fmt.Sprintf("%06s", mode), hex.EncodeToString(rest[:20]), name})
		content = rest[20:]
	}
	return out
}

// tree lists the entries of a tree, or if deep also those of the trees below it.
func (b *bare) tree(id string, deep bool) (out []entry) {
	for _, e := range b.entries(id) {
		out = append(out, e)
		if !deep || e.kind() != "tree" {
			continue
		}
		for _, in := range b.tree(e.id, true) {
			in.path = e.path + "/" + in.path
			out = append(out, in)
		}
	}
	return out
}

// at returns the entry at a path of a commit or tree, and whether it exists.
func (b *bare) at(id, name string) (entry, bool) {
	e := entry{mode: "040000", id: b.resolve(id, "tree")}
	if name == "" {
		return e, e.id != ""
	}
	for part := range strings.SplitSeq(name, "/") {
		found := b.entries(e.id)
		i := slices.IndexFunc(found, func(in entry) bool { return in.path == part })
		if i < 0 {
			return entry{}, false
		}
		e = found[i]
	}
	e.path = name
	return e, true
}

// amend writes a modified copy of a tree, or a new tree if base is empty. An edit without an id removes the entry.
func (b *bare) amend(base string, edits []entry) string {
	if base == "" {
		base = emptyTree
	}
	found := b.entries(base)
	here, below := map[string]entry{}, map[string][]entry{}
	for _, e := range found {
		here[e.path] = e
	}
	for _, e := range edits {
		if dir, rest, deeper := strings.Cut(e.path, "/"); deeper {
			below[dir] = append(below[dir], entry{e.mode, e.id, rest})
		} else if here[e.path] = e; e.id == "" {
			delete(here, e.path)
		}
	}
	for dir, edits := range below {
		was := here[dir]
		if was.kind() != "tree" {
			was.id = ""
		}
		id := b.amend(was.id, edits)
		if here[dir] = (entry{"040000", id, dir}); id == emptyTree {
			delete(here, dir)
		}
	}
	return b.putTree(here)
}

// putTree writes a tree in git's order, which sorts directories as if their names ended with a slash.
func (b *bare) putTree(entries map[string]entry) string {
	ordered := map[string]entry{}
	for name, e := range entries {
		if e.kind() == "tree" {
			name += "/"
		}
		ordered[name] = e
	}
	var content strings.Builder
	for _, name := range sorted(ordered) {
		e := ordered[name]
		id, err := hex.DecodeString(e.id)
		must(err)
		fmt.Fprintf(&content, "%s %s\x00%s", strings.TrimLeft(e.mode, "0"), e.path, id)
	}
	return b.put("tree", content.String())
}

// Change is the content of a commit.
type Change struct {
	Write   map[string]string // content by path
	Delete  []string
	Message string
	Login   string // author; empty: the repository's owner
}

// record writes a commit on top of a parent, which may be empty, and returns its id.
func (b *bare) record(parent string, c Change, author, committer signature) string {
	made := commit{author: author, committer: committer, message: c.Message}
	if parent != "" {
		made.parents = []string{parent}
	}
	var edits []entry
	for _, name := range c.Delete {
		edits = append(edits, entry{path: name})
	}
	for name, text := range c.Write {
		id := b.put("blob", text)
		edits = append(edits, entry{"100644", id, name})
	}
	made.tree = b.amend(parent, edits)
	return b.putCommit(made)
}

type change struct {
	status             string // in GitHub's terms
	path, before, id   string
	additions, removed int
	patch              string
}

var statuses = map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}

// touched sets the changed paths of each commit relative to its first parent.
func (b *bare) touched(commits []commit) {
	for i, c := range commits {
		parent := emptyTree
		if len(c.parents) > 0 {
			parent = c.parents[0]
		}
		commits[i].files = b.compare(parent, c.tree)
	}
}

// compare lists the added, removed and modified files between two trees by path.
func (b *bare) compare(from, to string) (out []change) {
	pairs := map[string][2]entry{}
	for side, id := range []string{from, to} {
		for _, e := range b.entries(id) {
			pair := pairs[e.path]
			pair[side] = e
			pairs[e.path] = pair
		}
	}
	for _, name := range sorted(pairs) {
		pair := pairs[name]
		if pair[0] == pair[1] {
			continue
		}
		below := [2]string{emptyTree, emptyTree}
		for side, e := range pair {
			if e.kind() == "tree" {
				below[side], pair[side] = e.id, entry{}
			}
		}
		switch {
		case pair[0].id != "" && pair[1].id != "":
			out = append(out, change{status: "modified", path: name})
		case pair[0].id != "":
			out = append(out, change{status: "removed", path: name})
		case pair[1].id != "":
			out = append(out, change{status: "added", path: name})
		}
		if below[0] != below[1] {
			for _, c := range b.compare(below[0], below[1]) {
				c.path = name + "/" + c.path
				out = append(out, c)
			}
		}
	}
	return out
}

// diff lists the changes between two trees, with patches and rename detection.
func (b *bare) diff(from, to string) []change {
	if from == to {
		return nil
	}
	changes, patches := parseRaw(b.compareLines("-M", "-z", "--raw", "--no-abbrev", from, to))
	attachPatches(changes, patches)
	return changes
}

// patch returns the diff of one file, without rename detection.
func (b *bare) patch(from, to, name string) string {
	if from == to {
		return ""
	}
	changes := make([]change, 1)
	attachPatches(changes, b.compareLines("--no-renames", from, to, "--", ":(literal)"+name))
	return changes[0].patch
}

// compareLines runs git diff-tree and caches its output, which never changes for two ids.
func (b *bare) compareLines(args ...string) string {
	question := strings.Join(args, "\x00")
	b.mu.Lock()
	known, ok := b.diffs[question]
	b.mu.Unlock()
	if ok {
		return known
	}
	out, err := b.run(append([]string{"diff-tree", "-r", "-p"}, args...)...)
	must(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.diffs) >= mostDiffs {
		clear(b.diffs)
	}
	b.diffs[question] = out
	return out
}

// parseRaw parses records of ":mode mode id id letter" with one path, or two for a rename. An empty record separates
// the patches.
func parseRaw(out string) ([]change, string) {
	var changes []change
	for strings.HasPrefix(out, ":") {
		fields := strings.SplitN(out, "\x00", 4)
		head := strings.Fields(fields[0])
		c := change{status: statuses[head[4][0]], path: fields[1], id: head[3]}
		if c.id == zero {
			c.id = head[2]
		}
		read := 2
		if c.status == "renamed" || c.status == "copied" {
			c.before, c.path, read = c.path, fields[2], 3
		}
		changes = append(changes, c)
		out = strings.SplitN(out, "\x00", read+1)[read]
	}
	return changes, strings.TrimPrefix(out, "\x00")
}

// attachPatches adds the patches to the changes and counts their lines.
func attachPatches(changes []change, patches string) {
	files := strings.Split("\n"+patches, "\ndiff --git ")
	for i := range changes {
		if i+1 >= len(files) {
			return
		}
		_, hunks, ok := strings.Cut(files[i+1], "\n@@")
		if !ok {
			continue
		}
		c := &changes[i]
		c.patch = "@@" + strings.TrimSuffix(hunks, "\n")
		for line := range strings.Lines(c.patch) {
			switch line[0] {
			case '+':
				c.additions++
			case '-':
				c.removed++
			}
		}
	}
}
