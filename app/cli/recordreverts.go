package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causaldocs/causal/app/gitstore"
	"github.com/causaldocs/causal/app/plain"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/knowledge/reasoning"
	"github.com/causaldocs/causal/knowledge/reverts"
)

// readReverts drafts events for the reverts in HEAD's history, optionally after a revision.
func (p *place) readReverts(ctx context.Context, since string) ([]reasoning.Imported, error) {
	head, err := p.Repo.Head(ctx)
	if err != nil || head.ID == "" {
		return nil, err
	}
	h := reverts.New()
	if since == "" {
		err = p.tell(ctx, h, head.ID, "", true)
	} else {
		err = p.tellSince(ctx, h, head.ID, since)
	}
	if err != nil {
		return nil, fmt.Errorf("record: read the history: %w", err)
	}
	if n := h.Lost(); n > 0 {
		_, _ = plain.Fprintf(p.world.Err, "skipped %s of commits outside this history\n", summary.Count(n, "revert"))
	}
	if h.More() {
		_, _ = plain.Fprintf(p.world.Err, "only the newest reverts were recorded; the history has earlier ones\n")
	}
	return h.Drafts(), nil
}

var errComplete = errors.New("everything was met")

// tell feeds h the commits reachable from rev but not from since. Unless asked, it stops as soon as h is complete.
func (p *place) tell(ctx context.Context, h *reverts.History, rev, since string, asked bool) error {
	err := p.Repo.Messages(ctx, rev, since, func(m gitstore.Message) error {
		if !asked && h.Complete() {
			return errComplete
		}
		h.Take(reverts.Commit{ID: m.ID, Author: m.Author, At: m.When.Format(time.RFC3339), Message: m.Text}, asked)
		return nil
	})
	if errors.Is(err, errComplete) {
		return nil
	}
	return err
}

func (p *place) tellSince(ctx context.Context, h *reverts.History, head, since string) error {
	before, err := p.Repo.Resolve(ctx, since)
	if errors.Is(err, gitstore.ErrUnknownRevision) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	switch within, err := p.Repo.Contains(ctx, head, before.ID); {
	case err != nil:
		return err
	case !within:
		return usage(fmt.Errorf("%s is not in the history of HEAD", since))
	}
	if err := p.tell(ctx, h, head, before.ID, true); err != nil {
		return err
	}
	return p.tell(ctx, h, before.ID, "", false)
}
