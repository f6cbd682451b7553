package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type cli struct {
	git      *runner
	loc      location
	reftable bool // refs are not files
	disk     *workTree
	objects  *objects
	begun    chan printed
}

func (c *cli) head(ctx context.Context) (Commit, error) {
	commit, err := c.resolve(ctx, "HEAD")
	if errors.Is(err, ErrUnknownRevision) {
		return Commit{}, nil
	}
	return commit, err
}

func (c *cli) branch(ctx context.Context) (string, error) {
	ref, err := c.git.line(ctx, "symbolic-ref", "--quiet", "HEAD")
	if exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimPrefix(ref, "refs/heads/"), err
}

// largestCommit is in bytes.
const largestCommit = 4 << 20

// resolve uses cat-file, which reads one name per line and never a range or an option.
func (c *cli) resolve(ctx context.Context, rev string) (Commit, error) {
	if rev == "HEAD" {
		rev = c.loc.head()
	}
	var found commitObject
	err := c.batch(ctx, []string{rev + "^{commit}"}, "commit", largestCommit, func(b Blob) (err error) {
		if b.Size > largestCommit {
			return fmt.Errorf("commit %s: %w", b.ID, ErrTooLarge)
		}
		found, err = parseCommit(b.ID, b.Content)
		return err
	})
	if errors.Is(err, ErrUnknownObject) {
		return Commit{}, fmt.Errorf("%q: %w", rev, ErrUnknownRevision)
	}
	return found.Commit, err
}

type printed struct {
	text []byte
	err  error
}

func (c *cli) begin(ctx context.Context) {
	told := make(chan printed, 1)
	c.begun = told
	go func() {
		text, err := c.git.run(ctx, nil, statusArguments()...)
		told <- printed{text, err}
	}()
}

// status reads contents only of paths that are staged and changed again in the work tree.
func (c *cli) status(ctx context.Context, expected func() []string) (Status, error) {
	if c.begun == nil {
		c.begin(ctx)
	}
	told := c.begun
	c.begun = nil
	look := c.disk.look()
	look.ahead(expected())
	out := <-told
	if out.err != nil {
		return Status{}, out.err
	}
	p, err := parsePorcelain(string(out.text))
	if err != nil {
		return Status{}, err
	}
	st := Status{Head: p.head, Branch: p.branch}
	if err := c.disown(ctx, &p); err != nil {
		return Status{}, err
	}
	known := map[string]bool{}
	for _, r := range p.records {
		change, differs, err := c.settle(ctx, r, known, look)
		if err != nil {
			return Status{}, err
		}
		if differs {
			st.Changes = append(st.Changes, change)
		}
		if r.unstaged || r.kind != '1' {
			st.Unstaged = append(st.Unstaged, r.path)
		}
	}
	slices.Sort(st.Unstaged)
	slices.SortFunc(st.Changes, byPath)
	st.Found = look.seen
	return st, nil
}

// hidden reads the index, or the tags of ls-files -v: a lower-case tag is assume-unchanged, S is skip-worktree.
func (c *cli) hidden(ctx context.Context) (map[string]bool, error) {
	if _, other := os.LookupEnv("GIT_INDEX_FILE"); !other {
		index, err := os.ReadFile(filepath.Join(c.loc.gitDir, "index"))
		if paths, ok := hiddenIn(index, c.disk.format.size/2); err == nil && ok {
			return paths, nil
		}
	}
	out, err := c.git.run(ctx, nil, "ls-files", "-v", "-z")
	if err != nil {
		return nil, err
	}
	var paths map[string]bool
	for line := range strings.SplitSeq(string(out), "\x00") {
		if tag, path, ok := strings.Cut(line, " "); ok && (tag == "S" || tag != strings.ToUpper(tag)) {
			if paths == nil {
				paths = map[string]bool{}
			}
			paths[path] = true
		}
	}
	return paths, nil
}

// disown drops the records of files that were added with --intent-to-add and then removed: git shows them as the
// deletion of an empty file in HEAD.
func (c *cli) disown(ctx context.Context, p *porcelain) error {
	empty := c.disk.format.hashBytes(nil)
	doubtful := func(r record) bool { return r.kind == '1' && !r.staged && r.onDisk == "" && r.id == empty }
	if !slices.ContainsFunc(p.records, doubtful) {
		return nil
	}
	var tree []Entry
	if p.head != "" {
		var err error
		if tree, err = c.tree(ctx, p.head); err != nil {
			return err
		}
	}
	p.records = slices.DeleteFunc(p.records, func(r record) bool {
		_, inHead := slices.BinarySearchFunc(tree, Entry{Path: r.path}, entryByPath)
		return doubtful(r) && !inHead
	})
	return nil
}

// settle combines HEAD-index and index-work-tree differences into HEAD-work-tree differences. known collects paths in
// HEAD that are missing from the index, because git also lists them as untracked.
func (c *cli) settle(ctx context.Context, r record, known map[string]bool, look looker) (Change, bool, error) {
	change := Change{Path: r.path, Kind: Modified, Mode: r.onDisk, Old: r.id}
	switch {
	case r.kind == 'u':
		change.Kind = Unmerged
		return change, true, nil
	case r.kind == '?':
		change.Kind, change.Mode = Untracked, c.disk.mode(look.lstat(r.path), "")
		return change, change.Mode != "" && !known[r.path], nil
	case r.inHead == "":
		change.Kind = Added
		return change, r.onDisk != "", nil
	}
	unsure := r.staged && r.unstaged
	if r.onDisk == "" {
		change.Mode = c.disk.mode(look.lstat(r.path), r.inHead)
		known[r.path], unsure = true, true
	}
	if change.Mode == "" {
		change.Kind = Deleted
		return change, true, nil
	}
	if unsure && change.Mode == r.inHead {
		same, err := c.disk.holds(ctx, r.path, r.id)
		return change, !same, err
	}
	return change, true, nil
}

// difference compares two entries of one path; an entry with a zero mode is absent.
func difference(from, to Entry) Change {
	switch {
	case from.Mode == "":
		return Change{Path: from.Path, Kind: Added, Mode: to.Mode, New: to.ID}
	case to.Mode == "":
		return Change{Path: from.Path, Kind: Deleted, Old: from.ID}
	}
	return Change{Path: from.Path, Kind: Modified, Mode: to.Mode, Old: from.ID, New: to.ID}
}

// lastCommit uses rev-list, which ignores the user's configuration of git log.
func (c *cli) lastCommit(ctx context.Context, rev string, paths []string) (Commit, bool, error) {
	from, err := c.resolve(ctx, rev)
	if err != nil {
		return Commit{}, false, err
	}
	id, err := c.git.line(ctx, append([]string{"rev-list", "--max-count=1", from.ID, "--"}, paths...)...)
	if err != nil || id == "" {
		return Commit{}, false, err
	}
	commit, err := c.resolve(ctx, id)
	return commit, err == nil, err
}

func (c *cli) everBelow(ctx context.Context, rev, dir, since string) (map[string]string, error) {
	between, err := c.between(ctx, rev, since)
	if err != nil {
		return nil, err
	}
	args := []string{"log", "--full-history", "-m", "--no-renames", "--diff-filter=ADMT", "--no-show-signature", "--format=%H", "-z", "--name-status"}
	out, err := c.git.run(ctx, nil, slices.Concat(args, between, []string{"--", dir})...)
	if err != nil {
		return nil, err
	}
	files, commit := map[string]string{}, ""
	fields := strings.Split(string(out), "\x00")
	for i := 0; i < len(fields); i++ {
		switch field := strings.TrimPrefix(fields[i], "\n"); {
		case len(field) != 1:
			commit = field
		case i+1 < len(fields):
			i++
			if gone := files[fields[i]]; gone == "" && field == "D" {
				files[fields[i]] = commit
			} else {
				files[fields[i]] = gone
			}
		}
	}
	return files, nil
}

func (c *cli) contains(ctx context.Context, ref, commit string) (bool, error) {
	_, err := c.git.run(ctx, nil, "merge-base", "--is-ancestor", commit, ref)
	switch {
	case err == nil:
		return true, nil
	case exitCode(err) == 1:
		return false, nil
	case exitCode(err) < 0:
		return false, err
	}
	for _, name := range []string{ref, commit} {
		if _, unknown := c.resolve(ctx, name); errors.Is(unknown, ErrUnknownRevision) {
			return false, nil
		}
	}
	return false, err
}

func (c *cli) mergeBase(ctx context.Context, a, b string) (string, error) {
	ids := [2]string{a, b}
	for i, rev := range ids {
		commit, err := c.resolve(ctx, rev)
		if err != nil {
			return "", err
		}
		ids[i] = commit.ID
	}
	if ids[0] == ids[1] {
		return ids[0], nil
	}
	base, err := c.git.line(ctx, "merge-base", ids[0], ids[1])
	if exitCode(err) == 1 {
		return "", nil
	}
	return base, err
}

func (c *cli) authorName(ctx context.Context) (string, error) {
	ident, err := c.git.line(ctx, "var", "GIT_AUTHOR_IDENT")
	name, _, _ := strings.Cut(ident, " <")
	return name, err
}

// remoteURL lets git apply insteadOf rules; git prints the name itself if there is no such remote.
func (c *cli) remoteURL(ctx context.Context, name string) (string, error) {
	url, err := c.git.line(ctx, "ls-remote", "--get-url", name)
	if err != nil || url == name {
		return "", err
	}
	return url, nil
}

func (c *cli) remoteHead(ctx context.Context, name string) (string, error) {
	if !c.reftable {
		text, err := os.ReadFile(filepath.Join(c.loc.commonDir, "refs", "remotes", filepath.FromSlash(name), "HEAD"))
		ref, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/remotes/")
		if symbolic || errors.Is(err, fs.ErrNotExist) { // git packs no symbolic refs
			return ref, nil
		}
	}
	ref, err := c.git.line(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+name+"/HEAD")
	if exitCode(err) == 1 {
		return "", nil
	}
	return strings.TrimPrefix(ref, "refs/remotes/"), err
}
