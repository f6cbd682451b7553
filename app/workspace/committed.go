package workspace

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causaldocs/causal/app/cause"
	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/report"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/store"
)

// Committed writes into the log what the commits caused that people made since causal last committed, where the run that r tells of has just
// brought everything up to date, and adds to r what follows. It is for a run that commits to the default branch; the App, which is told of
// pushes, calls Knowledge.Pushed. A work tree with changes that nobody has committed tells nothing: no commit caused what they led to.
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

// isCommitted reports whether nothing but causal's own files differs from the commit that is checked out, on the branch that the
// configuration names.
func (w *Workspace) isCommitted(ctx context.Context) (bool, error) {
	status, err := w.Repo.Status(ctx)
	if err != nil || status.Head == "" || status.Branch != w.Config.Branch {
		return false, err
	}
	for _, c := range status.Changes {
		if !w.Layout.Owns(c.Path) || c.Path == store.Config { // which is people's
			return false, nil
		}
	}
	return true, nil
}

// mostCommits is how many commits are looked through for one of causal's own: who never has it commit would wait for the whole history.
const mostCommits = 100

// errEnough ends the walk through the history.
var errEnough = errors.New("limit reached")

// newest are the commits up to HEAD that people made since causal last committed; false where there are none. Where that is not in the
// history, or too far back, only the newest is named: which others it caused nobody can say.
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
