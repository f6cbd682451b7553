package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// Say comments on a pull request unless this App has already posted exactly this text. To repeat a text on purpose, add
// a distinct hidden last line, such as the number of the comment being answered.
func (c *Client) Say(ctx context.Context, number int, body string) error {
	body = sayable(body, largestText)
	doing := fmt.Sprintf("comment on %d", number)
	said, err := c.said(ctx, number, body)
	if err != nil || said {
		return err
	}
	return c.settle(ctx, func() error {
		_, _, err := c.api.Issues.CreateComment(ctx, c.owner, c.name, number, &gh.IssueComment{Body: new(body)})
		return c.explain(ctx, doing, "pull_requests=write", err)
	}, func() (bool, error) { return c.said(ctx, number, body) })
}

func (c *Client) said(ctx context.Context, number int, body string) (bool, error) {
	found := false
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		list, resp, err := c.api.Issues.ListComments(ctx, c.owner, c.name, number, &gh.IssueListCommentsOptions{ListOptions: page})
		found = found || slices.ContainsFunc(list, func(one *gh.IssueComment) bool {
			return strings.EqualFold(one.GetUser().GetLogin(), c.login) && sameText(one.GetBody(), body)
		})
		return resp, err
	})
	return found, c.explain(ctx, fmt.Sprintf("list the comments on %d", number), "pull_requests=read", err)
}

const acknowledgement = "eyes"

// Acknowledge marks a command's comment as done. The mark is idempotent: GitHub keeps one such reaction per account.
func (c *Client) Acknowledge(ctx context.Context, comment int64) error {
	_, _, err := c.api.Reactions.CreateIssueCommentReaction(repeatable(ctx), c.owner, c.name, comment, acknowledgement)
	return c.explain(ctx, fmt.Sprintf("acknowledge comment %d", comment), "pull_requests=write", err)
}

// Acknowledged reports whether this App has acknowledged a comment, which identifies redelivered commands. A command is
// not recognized if the server was killed between running and acknowledging it.
func (c *Client) Acknowledged(ctx context.Context, comment int64) (bool, error) {
	found := false
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		list, resp, err := c.api.Reactions.ListIssueCommentReactions(ctx, c.owner, c.name, comment, &page)
		found = found || slices.ContainsFunc(list, func(one *gh.Reaction) bool {
			return one.GetContent() == acknowledgement && strings.EqualFold(one.GetUser().GetLogin(), c.login)
		})
		return resp, err
	})
	return found, c.explain(ctx, fmt.Sprintf("look for what comment %d was answered with", comment), "pull_requests=read", err)
}
