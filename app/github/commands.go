package github

import (
	"context"
	"errors"
	"fmt"
	"slices"

	gh "github.com/google/go-github/v66/github"
)

// MayWrite reports whether a user may push to the repository. It is false for an unknown login.
func (c *Client) MayWrite(ctx context.Context, login string) (bool, error) {
	if login == "" {
		return false, nil
	}
	var found gh.RepositoryPermissionLevel
	err := c.get(ctx, &found, "collaborators", login, "permission")
	err = c.explain(ctx, "ask what "+login+" may do", "metadata=read", err)
	if errors.Is(err, ErrGone) {
		return false, nil
	}
	return slices.Contains([]string{"admin", "maintain", "write"}, found.GetPermission()), err
}

const acknowledgement = "eyes"

// Acknowledge marks a command's comment as done. The mark is idempotent: GitHub keeps one such reaction per account.
func (c *Client) Acknowledge(ctx context.Context, comment int64) error {
	_, _, err := c.api.Reactions.CreateIssueCommentReaction(repeatable(ctx), c.owner, c.name, comment, acknowledgement)
	return c.explain(ctx, fmt.Sprintf("acknowledge comment %d", comment), "pull_requests=write", err)
}
