package workspace

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path"
	"slices"

	"github.com/causaldocs/causal/app/config"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/review/principle"
	"github.com/causaldocs/causal/review/rules"
)

// Asks reports whether a pull request asks which principles are approved. Runs that write nothing ask nothing.
func (w *Workspace) Asks() bool {
	return w.Config.Review.Approval == config.ApprovalPullRequest && w.Config.Bot.Mode != config.ModeCheck && !w.Config.Bot.DryRun
}

// AsksAnew reports whether that pull request may need an update: a principle waits for approval, or this run has
// changed principles.
func (w *Workspace) AsksAnew(written []string) (bool, error) {
	if !w.Asks() || slices.Contains(written, rules.Page(w.Layout)) {
		return w.Asks(), nil
	}
	files, err := principle.All(w.Files)
	return len(principle.Candidates(nil, files, w.Config.Review.Policy())) > 0, err
}

// Candidates lists the principles of the workspace's commit that wait for approval, except those that the commit
// proposed declines; it has events that are not merged yet. pull is the head of the last pull request for approvals. A
// closed one is not asked about again. Both may be empty.
func (w *Workspace) Candidates(ctx context.Context, proposed, pull string, open bool) (*report.Candidates, error) {
	memory, unread, err := w.MemoryAt(ctx, w.Commit.ID)
	if err != nil {
		return nil, err
	}
	if len(unread) > 0 {
		return nil, &MemoryError{errors.New(unread[0].Reason)}
	}
	next, err := w.principlesOf(ctx, proposed)
	if err != nil {
		return nil, err
	}
	asked, err := w.principlesOf(ctx, pull)
	if err != nil {
		return nil, err
	}
	waiting := slices.DeleteFunc(principle.Candidates(memory.Records, memory.Principles, w.Config.Review.Policy()), func(c principle.Waiting) bool {
		return next.decline(c.Slug)
	})
	decided := principle.Decided(waiting, asked)
	if !open {
		waiting = slices.DeleteFunc(waiting, func(c principle.Waiting) bool { return slices.Contains(decided, c.Slug) })
	}
	c := report.OfCandidates(waiting)
	c.Decided = decided
	approved := maps.Clone(memory.Principles)
	for _, one := range c.List {
		approved[principle.Path(one.Slug)] = one.File
	}
	c.Same = maps.EqualFunc(approved, asked, bytes.Equal)
	return c, nil
}

func (w *Workspace) principlesOf(ctx context.Context, commit string) (committed, error) {
	if commit == "" {
		return nil, nil
	}
	files, err := w.committed(ctx, commit, func(name string) bool { return path.Dir(name) == principle.Dir })
	maps.DeleteFunc(files, func(name string, _ []byte) bool { _, ok := principle.SlugOf(name); return !ok })
	return files, err
}
