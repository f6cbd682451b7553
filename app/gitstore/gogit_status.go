package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// place is one path as HEAD and the index have it.
type place struct {
	path  string
	head  Entry // Mode is zero when HEAD does not have it
	index *indexEntry
	// unmerged marks a path that the index holds in several versions.
	unmerged bool
}

// begin has nothing to gain: this status works in the caller's own time.
func (g *inProcess) begin(context.Context) {}

func (g *inProcess) status(ctx context.Context, _ func() []string) (Status, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	ref, head, err := g.headRef()
	if err != nil {
		return Status{}, err
	}
	st := Status{Head: head}
	if ref.IsBranch() {
		st.Branch = ref.Short()
	}
	idx, err := readIndex(filepath.Join(g.loc.gitDir, "index"))
	if err != nil {
		return Status{}, err
	}
	var tree []Entry
	if head != "" {
		c, err := g.commitAt(head)
		if err != nil {
			return Status{}, err
		}
		if tree, err = g.listing(ctx, c.Tree); err != nil {
			return Status{}, err
		}
	}
	places := join(tree, idx.entries)
	for _, p := range places {
		change, differs, err := g.settle(ctx, p, idx.written)
		if err != nil {
			return Status{}, err
		}
		if differs {
			st.Changes = append(st.Changes, change)
		}
	}
	fresh, err := g.untracked(ctx, places)
	if err != nil {
		return Status{}, err
	}
	st.Changes = append(st.Changes, fresh...)
	slices.SortFunc(st.Changes, byPath)
	return st, nil
}

// join brings the paths of HEAD and of the index together.
func join(tree []Entry, index []indexEntry) []place {
	places := make([]place, 0, max(len(tree), len(index)))
	at := map[string]int{}
	for _, e := range tree {
		at[e.Path] = len(places)
		places = append(places, place{path: e.Path, head: e})
	}
	for i := range index {
		e := &index[i]
		n, known := at[e.path]
		if !known {
			n = len(places)
			at[e.path] = n
			places = append(places, place{path: e.path})
		}
		places[n].index, places[n].unmerged = e, places[n].unmerged || e.stage > 0
	}
	return places
}

// settle compares one path on disk with HEAD. Submodules do not show, as with ignore-submodules=all, unless the index
// has something else in their place.
func (g *inProcess) settle(ctx context.Context, p place, written timestamp) (Change, bool, error) {
	change := Change{Path: p.path, Kind: Modified, Old: p.head.ID}
	if p.unmerged {
		change.Kind, change.Mode = Unmerged, g.disk.mode(g.disk.lstat(p.path), p.head.Mode)
		return change, true, nil
	}
	inIndex := Mode("")
	if p.index != nil {
		inIndex = p.index.mode
	}
	if inIndex == Submodule || p.head.Mode == Submodule && inIndex == "" {
		change.Mode = Submodule
		return change, p.head.Mode != Submodule && p.head.Mode != "", nil
	}
	id, mode, err := g.onDisk(ctx, p, written)
	staged := p.index == nil || p.index.id != p.head.ID || p.index.mode != p.head.Mode
	if err != nil {
		return Change{}, false, err
	}
	change.Mode = mode
	switch {
	case mode == "" && p.head.Mode == "":
		return change, false, nil
	case mode == "":
		change.Kind = Deleted
	case p.head.Mode == "":
		change.Kind = Added
	case mode == p.head.Mode && id != "":
		return change, id != p.head.ID, nil
	case mode == p.head.Mode && staged:
		same, err := g.disk.holds(ctx, p.path, p.head.ID)
		return change, !same, err
	}
	return change, true, nil
}

// onDisk tells what a path is on disk, and the blob id where the index vouches for it; else the id is empty.
func (g *inProcess) onDisk(ctx context.Context, p place, written timestamp) (string, Mode, error) {
	known := p.head.Mode
	if p.index != nil {
		known = p.index.mode
	}
	e := p.index
	if e != nil && e.assumeValid {
		return e.id, e.mode, nil
	}
	info := g.disk.lstat(p.path)
	mode := g.disk.mode(info, known)
	sparse := g.conf.is("core.sparsecheckout", false)
	switch {
	case e == nil:
		return "", mode, nil
	case e.skipWorktree && (mode == "" || !sparse):
		return e.id, e.mode, nil
	case mode == "" || e.intentToAdd:
		return "", mode, nil
	case mode == e.mode && e.stat.vouches(info, written):
		return e.id, mode, nil
	case e.stat.size != 0 && e.stat.size != uint32(info.Size()):
		return "", mode, nil // as in git, another size is another content, whatever the line ends
	}
	same, err := g.disk.holds(ctx, p.path, e.id)
	if err != nil || !same {
		return "", mode, err
	}
	return e.id, mode, nil
}

// untracked lists the files that neither HEAD nor the index knows and no rule ignores. Repositories inside this one
// are left alone.
func (g *inProcess) untracked(ctx context.Context, places []place) ([]Change, error) {
	known := map[string]bool{}
	for _, p := range places {
		known[p.path] = p.index == nil || p.index.mode != Submodule
	}
	var found []Change
	for todo := []folder{{rules: g.sharedRules()}}; len(todo) > 0; {
		dir := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rules := g.withRulesOf(dir)
		listing, err := os.ReadDir(g.disk.abs(dir.path))
		if err != nil {
			continue // as git does: what cannot be listed holds nothing that is known
		}
		for _, item := range listing {
			path := dir.path + item.Name()
			file, tracked := known[path]
			if item.Name() == ".git" || tracked && !item.IsDir() || tracked && !file {
				continue
			}
			if !item.IsDir() && !item.Type().IsRegular() && item.Type() != os.ModeSymlink || ignores(rules, path, item.IsDir()) {
				continue
			}
			if item.IsDir() {
				if !isRepository(g.disk.abs(path)) {
					todo = append(todo, folder{path + "/", rules})
				}
				continue
			}
			if mode := g.disk.mode(g.disk.lstat(path), ""); mode != "" {
				found = append(found, Change{Path: path, Kind: Untracked, Mode: mode})
			}
		}
	}
	return found, nil
}

// folder is a directory that is still to be searched, and the ignore files of those above it.
type folder struct {
	path  string // with a slash at the end; empty for the root
	rules []ignoreFile
}

// withRulesOf puts a directory's own ignore file before those above it.
func (g *inProcess) withRulesOf(dir folder) []ignoreFile {
	path := dir.path + ".gitignore"
	if info, err := os.Lstat(g.disk.abs(path)); err != nil || !info.Mode().IsRegular() {
		return dir.rules
	}
	own := readIgnore(g.disk.abs(path), dir.path, g.conf.is("core.ignorecase", false))
	return append([]ignoreFile{own}, dir.rules...)
}

// sharedRules are those outside the work tree: of the repository, then of the user.
func (g *inProcess) sharedRules() []ignoreFile {
	fold := g.conf.is("core.ignorecase", false)
	user := g.conf.get("core.excludesfile")
	if user == "" {
		user = filepath.Join(xdgConfigHome(), "git", "ignore")
	}
	if rest, ok := strings.CutPrefix(user, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			user = filepath.Join(home, rest)
		}
	}
	return []ignoreFile{
		readIgnore(filepath.Join(g.loc.commonDir, "info", "exclude"), "", fold),
		readIgnore(within(g.loc.root, user), "", fold),
	}
}

// isRepository reports whether a directory is the work tree of another repository.
func isRepository(dir string) bool {
	gitDir, err := dotGit(dir)
	return err == nil && gitDir != ""
}
