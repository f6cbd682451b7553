package github

import (
	"context"
	"errors"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Proposal is what the one rolling pull request is to be: a branch with one commit on top of the base's head.
type Proposal struct {
	Base        string // the branch that it is for
	Branch      string // the branch that it is on, such as causal/docs
	Title, Body string
	Commit      Commit // its ExpectedHead is the head of the base; its Branch is filled in
}

// Propose brings the rolling pull request up to date, or opens it. It writes nothing when it is as proposed already,
// and leaves a branch alone that somebody else has committed to: that is ErrForeign.
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
	pull, open, err := c.rolling(ctx, p.Base, p.Branch)
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

// roll makes the branch hold exactly the commit. A branch with an open pull request goes from its old commit to the new
// one at once: if it pointed to its base in between, GitHub would close the pull request. One without, left over from a
// pull request that was merged or closed, begins anew, which is one write less.
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

// own is ErrForeign when a branch has a commit of somebody else that its base does not have.
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

// whoMoved is ErrForeign where a branch had moved because somebody else has just committed to it.
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

// strangerOf names who else had a hand in a commit; empty when nobody had. One that was amended keeps its author, and
// has another committer: neither the client nor GitHub, which commits for it as noreply@ its own name.
func (c *Client) strangerOf(commit *gh.RepositoryCommit) string {
	if author := commit.GetAuthor().GetLogin(); !strings.EqualFold(author, c.login) {
		return orElse(author, orElse(commit.GetCommit().GetAuthor().GetName(), "an author without a GitHub account"))
	}
	committer := commit.GetCommitter().GetLogin()
	if strings.EqualFold(committer, c.login) || strings.HasPrefix(commit.GetCommit().GetCommitter().GetEmail(), "noreply@") {
		return ""
	}
	return committer
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// rolling finds the open pull request of a branch.
func (c *Client) rolling(ctx context.Context, base, branch string) (Pull, bool, error) {
	found, err := c.pulls(ctx, gh.PullRequestListOptions{State: "open", Head: c.owner + ":" + branch, Base: base})
	for _, p := range found {
		if p.Head == branch && p.Base == base {
			return p, true, err
		}
	}
	return Pull{}, false, err
}

// writePull opens the pull request, or brings the texts of the one that is open up to date.
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
		pull, open, err = c.rolling(ctx, p.Base, p.Branch)
		return open && pull.Title == p.Title && sameText(pull.Body, p.Body), err
	})
	return pull, err
}

// sameText compares what was sent with what GitHub keeps: it may turn newlines into those of forms.
func sameText(a, b string) bool {
	return strings.TrimSpace(strings.ReplaceAll(a, "\r\n", "\n")) == strings.TrimSpace(strings.ReplaceAll(b, "\r\n", "\n"))
}

// Withdraw deletes the rolling pull request's branch, because there is nothing left to propose; GitHub closes the pull
// request with it. It does nothing when there is no branch, and leaves both alone when somebody else has committed
// there: that is ErrForeign.
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
