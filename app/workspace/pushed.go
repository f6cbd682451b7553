package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/knowledge/store"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
)

// Pushed adds to the log the consequences of a push for nodes and principles, after the run has updated them. It then
// updates everything that depends on the log and joins that to r. proposed is a commit with events that are not merged
// yet, or empty; its consequences are known already. A repository without earlier nodes adds nothing, because
// everything would be new. Principles that the user ended are left out, because no push did that.
func (k *Knowledge) Pushed(ctx context.Context, p cause.Push, proposed string, ended []string, r *report.Update) (*Knowledge, error) {
	w := k.workspace
	before, known, err := w.before(ctx, proposed)
	if err != nil || !known {
		return k, err
	}
	var list []cause.Consequence
	for _, name := range slices.Sorted(maps.Keys(before)) {
		c, ok, err := w.consequence(name, before[name], ended)
		if err != nil {
			return k, err
		}
		if ok {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return k, nil
	}
	whole, err := ledger.Open(w.Files, nil)
	if err != nil {
		return k, err
	}
	l := &Ledger{Whole: whole}
	recorded, err := cause.Record(l.Log, p, list)
	if err != nil || !recorded {
		return k, err
	}
	if _, err := w.SaveLedger(l); err != nil {
		return k, err
	}
	w.knowledge = w.join() // the log room has cached the log
	more, err := w.knowledge.Update(ctx)
	if err != nil {
		return k, err
	}
	r.Join(more)
	return w.knowledge, nil
}

// before returns the earlier contents of the nodes and principles that the run changed, nil for new files, and whether
// there was a node at all. On disk it includes uncommitted changes of earlier runs.
func (w *Workspace) before(ctx context.Context, proposed string) (files map[string][]byte, known bool, err error) {
	files = map[string][]byte{}
	for name, old := range w.Files.Changed() {
		if _, rule := principle.SlugOf(name); rule || w.Layout.IsNode(name) {
			files[name] = old
		}
	}
	if w.view == onDisk {
		if err := w.asCommitted(ctx, files); err != nil {
			return nil, false, err
		}
	}
	for name, old := range files {
		known = known || w.Layout.IsNode(name) && old != nil
	}
	nodes, err := w.Files.Below(w.Layout.NodesDir())
	if err != nil {
		return nil, false, err
	}
	for _, name := range nodes {
		if _, changed := files[name]; !changed {
			known = true
			break
		}
	}
	if proposed == "" {
		return files, known, nil
	}
	changes, err := w.Repo.DiffTrees(ctx, w.Commit.ID, proposed)
	if err != nil {
		return nil, false, fmt.Errorf("read the proposal: %w", err)
	}
	there := map[string]bool{}
	for _, c := range changes {
		if _, rule := principle.SlugOf(c.Path); rule || w.Layout.IsNode(c.Path) {
			files[c.Path], there[c.Path] = nil, c.New != ""
		}
	}
	kept, err := w.committed(ctx, proposed, func(name string) bool { return there[name] })
	for name, data := range kept {
		files[name], known = data, known || w.Layout.IsNode(name)
	}
	return files, known, err
}

func (w *Workspace) asCommitted(ctx context.Context, files map[string][]byte) error {
	status, err := w.Repo.Status(ctx)
	if err != nil {
		return err
	}
	for _, c := range status.Changes {
		if _, rule := principle.SlugOf(c.Path); rule || w.Layout.IsNode(c.Path) {
			files[c.Path] = nil
		}
	}
	for name := range files {
		files[name] = nil
	}
	kept, err := w.committed(ctx, status.Head, func(name string) bool { _, differs := files[name]; return differs })
	maps.Copy(files, kept)
	return err
}

// consequence returns the change of a node or a principle. A version that cannot be read has none.
func (w *Workspace) consequence(name string, before []byte, ended []string) (c cause.Consequence, ok bool, err error) {
	now, err := w.Files.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, false, err
	}
	if slug, rule := principle.SlugOf(name); rule {
		was, err1 := parsed(before, func(data []byte) (*principle.Principle, error) { return principle.Read(name, data) })
		is, err2 := parsed(now, func(data []byte) (*principle.Principle, error) { return principle.Read(name, data) })
		if err1 != nil || err2 != nil || is == nil || slices.Contains(ended, slug) {
			return c, false, nil
		}
		c, ok = cause.OfPrinciple(was, is)
		return c, ok, nil
	}
	was, err1 := parsed(before, node.Decode)
	is, err2 := parsed(now, node.Decode)
	if err1 != nil || err2 != nil || was == nil && is == nil {
		return c, false, nil
	}
	c, ok = cause.OfModule(was, is)
	return c, ok, nil
}

func parsed[T any](data []byte, read func([]byte) (*T, error)) (*T, error) {
	if data == nil {
		return nil, nil
	}
	return read(data)
}

// Committed adds to the log the consequences of commits by people since causal's last commit, after a run (reported in
// r) has updated everything, and joins the follow-up to r. It is for runs that commit to the default branch; the App
// calls Knowledge.Pushed for each push. A work tree with uncommitted changes adds nothing, because no commit caused
// them.
func (w *Workspace) Committed(ctx context.Context, r *report.Update) error {
	if w.view == onDisk {
		whole, err := w.isCommitted(ctx)
		if err != nil || !whole {
			return err
		}
	}
	p, found, err := w.newest(ctx)
	if err != nil || !found {
		return err
	}
	_, err = w.knowledge.Pushed(ctx, p, "", nil, r)
	return err
}

// isCommitted reports whether the configured branch is checked out and only causal's own files differ from its commit.
func (w *Workspace) isCommitted(ctx context.Context) (bool, error) {
	status, err := w.Repo.Status(ctx)
	if err != nil || status.Head == "" || status.Branch != w.Config.Branch {
		return false, err
	}
	for _, c := range status.Changes {
		if !w.Layout.Owns(c.Path) || c.Path == store.Config { // config.yml belongs to the user
			return false, nil
		}
	}
	return true, nil
}

// mostCommits limits the search for causal's last commit in repositories that never commit its files.
const mostCommits = 100

var errEnough = errors.New("limit reached")

// newest returns the commits by people up to HEAD since causal's last commit, and false if there are none. If that
// commit is not in the history or too far back, only the newest commit is named.
func (w *Workspace) newest(ctx context.Context) (p cause.Push, found bool, err error) {
	head, err := w.Repo.Head(ctx)
	if err != nil || head.ID == "" {
		return p, false, err
	}
	ends, seen := false, 0
	err = w.Repo.Messages(ctx, head.ID, "", func(m gitstore.Message) error {
		if ends = summary.IsOwn(m.Text); ends || seen == mostCommits {
			return errEnough
		}
		if seen++; seen == 1 {
			p.Commit, p.Author, p.At = m.ID, m.Author, m.When.UTC().Format(time.RFC3339)
		}
		p.Name(m.Text)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return p, false, fmt.Errorf("find the commits: %w", err)
	}
	if !ends {
		p.OnlyNewest()
	}
	return p, seen > 0, nil
}

// BaseOf returns the commit that a change is compared with: its merge base with the named revision or the default
// branch.
func (w *Workspace) BaseOf(ctx context.Context, named string, head gitstore.Commit) (gitstore.Commit, error) {
	trunk, err := w.trunk(ctx, named)
	if err != nil {
		return gitstore.Commit{}, err
	}
	base, err := w.Repo.MergeBase(ctx, trunk.ID, head.ID)
	switch {
	case err != nil:
		return gitstore.Commit{}, err
	case base != "":
		return w.Repo.Resolve(ctx, base)
	case named != "":
		return trunk, nil // unrelated histories: everything is the change
	}
	return gitstore.Commit{}, &PlaceError{errors.New(
		"where the change left the default branch is not in this clone: fetch more of the history (fetch-depth: 0), or name the commit with --base")}
}

func (w *Workspace) trunk(ctx context.Context, named string) (gitstore.Commit, error) {
	if named != "" {
		c, err := w.Repo.Resolve(ctx, named)
		if err != nil {
			err = &PlaceError{fmt.Errorf("--base: %w", err)}
		}
		return c, err
	}
	remote, err := w.Repo.DefaultRemoteBranch(ctx, "origin")
	if err != nil {
		return gitstore.Commit{}, err
	}
	set, known := w.Config.Branch, "main"
	if set != known {
		known = set + ", " + known
	}
	names := []string{"refs/remotes/origin/" + set, "refs/heads/" + set, "refs/heads/main", "refs/heads/master"}
	if remote != "" {
		names = append([]string{"refs/remotes/" + remote}, names...)
	}
	for _, name := range names {
		if c, err := w.Repo.Resolve(ctx, name); err == nil {
			return c, nil
		}
	}
	return gitstore.Commit{}, &PlaceError{errors.New("there is no origin/HEAD, " + known + " or master to compare with: name a revision with --base, or the default branch with branch in .causal/config.yml")}
}
