package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/knowledge/ledger"
	"github.com/causaldocs/causal/render/node"
	"github.com/causaldocs/causal/review/principle"
)

// Pushed writes into the log what a push caused: what the run that has just brought causal's own files up to date made of nodes and
// principles. What rests on the log is then brought up to date as well, and the report tells of both. proposed is a commit whose events are not merged
// yet, empty where there is none: what that knew is told already. On a repository of which nothing was known before, everything would be
// new, and nothing is told. Principles that people put an end to are left out: no push did that.
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
	w.knowledge = w.join() // the room of the log has read it already
	more, err := w.knowledge.Update(ctx)
	if err != nil {
		return k, err
	}
	r.Join(more)
	return w.knowledge, nil
}

// before is what nodes and principles were that the run has made otherwise, nil of those that were not there, and whether any node was. On
// disk, what an earlier run made otherwise and nobody has committed is among them.
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

// asCommitted puts the committed state of nodes and principles that differ from it in place of what this run found.
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

// consequence is what became of a node or a principle. One that cannot be read, before or now, says nothing.
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

// parsed reads a file; nil where there is none.
func parsed[T any](data []byte, read func([]byte) (*T, error)) (*T, error) {
	if data == nil {
		return nil, nil
	}
	return read(data)
}
