package bot

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// tellOfCommit writes the missing check run of a docs commit at the head, if an earlier run was interrupted before it.
// It returns false if there is none.
func (b *Bot) tellOfCommit(ctx context.Context, c Client, j queue.Job, u update) (queue.Outcome, bool, error) {
	if len(u.Report.Blocked) > 0 {
		return queue.Outcome{}, false, nil
	}
	own := github.Ancestor{ID: u.head.Head, Message: u.head.Message, Parents: u.head.Parents}
	described, err := b.tellLate(ctx, c, j, own)
	if err != nil || described == "" {
		return queue.Outcome{}, false, err
	}
	u.head.Head = described
	out, err := u.outcome(notice{conclusion: Updated, title: "docs updated", commit: own.ID})
	return out, true, err
}

// tellOfAncestor does the same for a docs commit below the head, before the next commit. At most one commit lacks its
// check run, so one page of commits is enough.
func (b *Bot) tellOfAncestor(ctx context.Context, c Client, j queue.Job, head github.Branch) error {
	if !j.Resumes || describes(head.Message, head.Parents) != "" {
		return nil
	}
	list, err := c.Ancestors(ctx, head.Head)
	if err != nil {
		return err
	}
	byID := map[string]github.Ancestor{}
	for _, a := range list {
		byID[a.ID] = a
	}
	for a, found := byID[head.Head]; found && len(a.Parents) > 0; a, found = byID[a.Parents[0]] {
		if describes(a.Message, a.Parents) != "" {
			_, err := b.tellLate(ctx, c, j, a)
			return err
		}
	}
	return nil
}

// describes returns the commit that a docs commit describes, which is its only parent; empty for other commits.
func describes(message string, parents []string) string {
	described, _ := summary.ReadMessage(message)
	if !slices.Equal(parents, []string{described}) {
		return ""
	}
	return described
}

func (b *Bot) tellLate(ctx context.Context, c Client, j queue.Job, own github.Ancestor) (string, error) {
	described := describes(own.Message, own.Parents)
	if described == "" {
		return "", nil
	}
	if checked, err := c.Checked(ctx, described, checkName, j.Key()); err != nil || checked {
		return "", err
	}
	_, reasons := summary.ReadMessage(own.Message)
	_, err := c.Check(ctx, b.check(j, described, "success", "docs updated", committed(own.ID)+"\n\n"+summary.FromCommit(reasons)))
	return described, err
}
