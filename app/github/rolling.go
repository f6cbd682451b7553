package github

import (
	"cmp"
	"context"
	"errors"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Proposal is the content of the rolling pull request: a branch with one commit on the head of the base.
type Proposal struct {
	Base        string
	Branch      string
	Title, Body string
	Commit      Commit // ExpectedHead is the head of the base; Branch is filled in
}

// Propose opens or updates the rolling pull request. It writes nothing if the pull request is up to date, and fails
// with ErrForeign if the branch has commits of another author.
func (c *Client) Propose(ctx context.Context, p Proposal) (Pull, error) {
	p.Base, p.Branch = branchName(p.Base), branchName(p.Branch)
	p.Body = clip(harmless(p.Body), largestText)
	p.Commit.Branch = p.Branch
	if err := p.Commit.check(); err != nil {
		return Pull{}, err
	}
	if IsQueued(p.Base) {
		return Pull{}, errQueued(p.Base)
	}
	if p.Branch == p.Base {
		return Pull{}, &Error{Kind: ErrRefused, Doing: "propose a change of " + p.Base, Said: "it cannot be proposed on itself"}
	}
	pull, open, err := c.Latest(ctx, "open", p.Base, p.Branch)
	if err != nil {
		return Pull{}, err
	}
	head, err := c.roll(ctx, p.Commit, open)
	if err != nil {
		return Pull{}, c.whoMoved(ctx, p.Branch, p.Commit.ExpectedHead, err)
	}
	if !open || pull.Title != p.Title || !sameText(pull.Body, p.Body) {
		pull, err = c.writePull(ctx, p, pull, open)
	}
	pull.HeadSHA = head
	return pull, err
}

// roll makes the branch contain exactly the commit. With an open pull request it replaces the old commit directly,
// since GitHub closes a pull request whose branch points to its base. Without one, the branch is reset to the base
// first, which saves a write.
func (c *Client) roll(ctx context.Context, commit Commit, open bool) (string, error) {
	head, err := c.head(ctx, commit.Branch)
	switch {
	case errors.Is(err, ErrGone):
		if err := c.create(ctx, commit.Branch, commit.ExpectedHead); err != nil {
			return "", err
		}
		return c.Publish(ctx, commit)
	case err != nil:
		return "", err
	case head == commit.ExpectedHead:
		return c.Publish(ctx, commit)
	}
	if err := c.own(ctx, commit.Branch, commit.ExpectedHead, head); err != nil {
		return "", err
	}
	same, err := c.isThe(ctx, commit, head)
	if err != nil || same {
		return head, err
	}
	if !open {
		if err := c.swap(ctx, commit.Branch, head, commit.ExpectedHead); err != nil {
			return "", err
		}
		return c.Publish(ctx, commit)
	}
	made, err := c.store(ctx, commit)
	if err != nil {
		return "", err
	}
	return made, c.swap(ctx, commit.Branch, head, made)
}

func (c *Client) own(ctx context.Context, branch, base, head string) error {
	diff, err := c.compare(ctx, base, head)
	if err != nil {
		return err
	}
	foreign := &Error{Kind: ErrForeign, Doing: "update " + branch + " of " + c.FullName()}
	if diff.GetAheadBy() > len(diff.Commits) {
		foreign.Said = "it has too many commits to look at each"
		return foreign
	}
	for _, commit := range diff.Commits {
		if by := c.strangerOf(commit); by != "" {
			foreign.Said = commit.GetSHA() + " is of " + by
			return foreign
		}
	}
	return nil
}

func (c *Client) whoMoved(ctx context.Context, branch, base string, moved error) error {
	if !errors.Is(moved, ErrHeadMoved) {
		return moved
	}
	head, err := c.head(ctx, branch)
	if err == nil {
		err = c.own(ctx, branch, base, head)
	}
	if errors.Is(err, ErrForeign) {
		return err
	}
	return moved
}

// strangerOf returns the foreign author or committer of a commit, or "". An amended commit keeps its author, so the
// committer counts too; GitHub commits on behalf of the App as noreply@.
func (c *Client) strangerOf(commit *gh.RepositoryCommit) string {
	if author := commit.GetAuthor().GetLogin(); !strings.EqualFold(author, c.login) {
		return cmp.Or(author, commit.GetCommit().GetAuthor().GetName(), "an author without a GitHub account")
	}
	committer := commit.GetCommitter().GetLogin()
	if strings.EqualFold(committer, c.login) || strings.HasPrefix(commit.GetCommit().GetCommitter().GetEmail(), "noreply@") {
		return ""
	}
	return committer
}

func (c *Client) writePull(ctx context.Context, p Proposal, pull Pull, open bool) (Pull, error) {
	err := c.settle(ctx, func() error {
		var made *gh.PullRequest
		var err error
		if open {
			change := &gh.PullRequest{Title: new(p.Title), Body: new(p.Body)}
			made, _, err = c.api.PullRequests.Edit(ctx, c.owner, c.name, pull.Number, change)
		} else {
			made, _, err = c.api.PullRequests.Create(ctx, c.owner, c.name, &gh.NewPullRequest{
				Title: new(p.Title), Body: new(p.Body), Head: new(p.Branch), Base: new(p.Base),
			})
		}
		if err != nil {
			return c.explain(ctx, "open a pull request for "+p.Branch, "pull_requests=write", err)
		}
		pull = c.pullOf(made)
		return nil
	}, func() (is bool, err error) {
		pull, open, err = c.Latest(ctx, "open", p.Base, p.Branch)
		return open && pull.Title == p.Title && sameText(pull.Body, p.Body), err
	})
	return pull, err
}

// sameText compares a sent text with a stored one, whose line endings GitHub may change.
func sameText(a, b string) bool {
	return strings.TrimSpace(strings.ReplaceAll(a, "\r\n", "\n")) == strings.TrimSpace(strings.ReplaceAll(b, "\r\n", "\n"))
}

// Withdraw deletes the rolling pull request's branch, which closes the pull request. It does nothing if there is no
// branch, and fails with ErrForeign if the branch has commits of another author.
func (c *Client) Withdraw(ctx context.Context, base, branch string) error {
	base, branch = branchName(base), branchName(branch)
	head, err := c.head(ctx, branch)
	if errors.Is(err, ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	baseHead, err := c.head(ctx, base)
	if err != nil {
		return err
	}
	if err := c.own(ctx, branch, baseHead, head); err != nil {
		return err
	}
	return c.whoMoved(ctx, branch, baseHead, c.swap(ctx, branch, head, none))
}
