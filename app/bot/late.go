package bot

import (
	"context"
	"slices"

	"github.com/causaldocs/causal/app/github"
	"github.com/causaldocs/causal/app/summary"
	"github.com/causaldocs/causal/webhooks/queue"
)

// tellOfCommit tells of the docs at the head of the branch where a run ended between its commit and its check run; false
// where there is no such thing to tell.
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

// tellOfAncestor does so where others have committed since, before the next run commits again: no more than
// one commit is untold at any time, the newest, and GitHub is asked for no more than a page of commits.
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

// describes is the commit that a commit of docs describes, which is its parent; empty when it is another commit.
func describes(message string, parents []string) string {
	described, _ := summary.ReadMessage(message)
	if !slices.Equal(parents, []string{described}) {
		return ""
	}
	return described
}

// tellLate makes the check run of a commit of docs, and returns which commit it is on; empty when there is nothing to tell.
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
