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
