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
	p.Body = clip(p.Body, largestText)
	p.Commit.Branch = p.Branch
	if err := p.Commit.check(); err != nil {
		return Pull{}, err
	}
	if p.Branch == p.Base {
		return Pull{}, &Error{Kind: ErrRefused, Doing: "propose a change of " + p.Base, Said: "it cannot be proposed on itself"}
	}
	head, err := c.roll(ctx, p.Commit)
	if err != nil {
		return Pull{}, err
	}
	pull, err := c.openPull(ctx, p)
	pull.HeadSHA = head
	return pull, err
}

// roll makes the branch hold exactly the commit. An existing branch goes from its old commit to the new one at once:
// if it pointed to its base in between, GitHub would close the pull request.
func (c *Client) roll(ctx context.Context, commit Commit) (string, error) {
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
	made, err := c.store(ctx, commit)
	if err != nil {
		return "", err
	}
	return made, c.move(ctx, commit.Branch, head, made, true)
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
		if author := commit.GetAuthor().GetLogin(); !strings.EqualFold(author, c.login) {
			foreign.Said = commit.GetSHA() + " is of " + orElse(author, commit.GetCommit().GetAuthor().GetName())
			return foreign
		}
	}
	return nil
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

// openPull opens the pull request, or brings its texts up to date.
func (c *Client) openPull(ctx context.Context, p Proposal) (Pull, error) {
	pull, there, err := c.rolling(ctx, p.Base, p.Branch)
	if err != nil {
		return Pull{}, err
	}
	asProposed := func() (is bool, err error) {
		pull, there, err = c.rolling(ctx, p.Base, p.Branch)
		return there && pull.Title == p.Title && sameText(pull.Body, p.Body), err
	}
	if there && pull.Title == p.Title && sameText(pull.Body, p.Body) {
		return pull, nil
	}
	err = c.settle(ctx, func() error {
		var made *gh.PullRequest
		var err error
		if there {
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
	}, asProposed)
	return pull, err
}

// sameText compares what was sent with what GitHub keeps: it may turn newlines into those of forms.
func sameText(a, b string) bool {
	return strings.TrimSpace(strings.ReplaceAll(a, "\r\n", "\n")) == strings.TrimSpace(strings.ReplaceAll(b, "\r\n", "\n"))
}

// Withdraw closes the rolling pull request, because there is nothing left to propose, and deletes its branch. It does
// nothing when there is neither, and leaves both alone when somebody else has committed there: that is ErrForeign.
func (c *Client) Withdraw(ctx context.Context, base, branch string) error {
	base, branch = branchName(base), branchName(branch)
	head, err := c.head(ctx, branch)
	if errors.Is(err, ErrGone) {
		return nil // GitHub closes the pull requests of a branch that is deleted
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
	pull, there, err := c.rolling(ctx, base, branch)
	if err != nil {
		return err
	}
	if there {
		if err := c.closePull(ctx, base, branch, pull.Number); err != nil {
			return err
		}
	}
	return c.remove(ctx, branch, head)
}

func (c *Client) closePull(ctx context.Context, base, branch string, number int) error {
	return c.settle(ctx, func() error {
		_, _, err := c.api.PullRequests.Edit(ctx, c.owner, c.name, number, &gh.PullRequest{State: new("closed")})
		return c.explain(ctx, "close the pull request for "+branch, "pull_requests=write", err)
	}, func() (bool, error) {
		_, there, err := c.rolling(ctx, base, branch)
		return !there, err
	})
}
