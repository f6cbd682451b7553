package workspace

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/govet"
	"github.com/causaldocs/causal/knowledge/survey"
	"github.com/causaldocs/causal/review/change"
	"github.com/causaldocs/causal/review/finding"
)

// vet runs go vet on the changed packages and adds its results to those of linters. It returns the packages that it
// skipped, and the reason if it did not run. A repository without Go files needs no reason.
func (r *reviewing) vet(ctx context.Context, head *survey.Survey, room *change.Room) (skipped []finding.Skipped, absent string, err error) {
	if r.Vet == nil {
		return nil, "", nil
	}
	files, err := head.Entries(ctx)
	if err != nil || !slices.ContainsFunc(files, func(e survey.Entry) bool { return path.Ext(e.Path) == ".go" }) {
		return nil, "", err
	}
	root, why, err := r.workspace.Sources(ctx)
	if err != nil || why != "" {
		return nil, why, err
	}
	said, err := govet.Look(ctx, root, r.Vet, room.Present())
	if err != nil || said.Absent != "" {
		return nil, said.Absent, err
	}
	before, known := r.Ran[govet.Tool] // the user may have given a log of the same tool
	r.Ran[govet.Tool] = said.Looked() && (before || !known)
	for _, one := range said.Results {
		r.Given.Faults[one.Path] = append(r.Given.Faults[one.Path], one)
	}
	return said.Skipped, "", nil
}

// Sources returns the directory with the shown sources, or why there is none.
func (w *Workspace) Sources(ctx context.Context) (root, why string, err error) {
	switch {
	case w.disk == nil:
		return "", "there is no work tree", nil
	case w.view == onDisk:
		return w.disk.Root(), "", nil
	}
	status, err := w.disk.Status(ctx)
	if err != nil {
		return "", "", fmt.Errorf("check whether the work tree is clean: %w", err)
	}
	if status.Head != w.Commit.ID {
		return "", "the checked-out commit is not " + w.Commit.ID[:min(len(w.Commit.ID), 10)], nil
	}
	at := slices.IndexFunc(status.Changes, func(c gitstore.Change) bool { return c.Kind != gitstore.Untracked || forGo(c.Path) })
	if at >= 0 {
		return "", "the work tree has uncommitted changes: " + status.Changes[at].Path, nil
	}
	return w.disk.Root(), "", nil
}

func forGo(name string) bool {
	return path.Ext(name) == ".go" || slices.Contains([]string{"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}, path.Base(name))
}
