package github

import (
	"context"
	"fmt"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Pull is a pull request.
type Pull struct {
	Number      int
	Title, Body string
	Author      string
	State       string
	Merged      bool
	Draft       bool
	Labels      []string
	Base, Head  string
	BaseSHA     string
	HeadSHA     string
	Fork        bool
	Updated     time.Time
	URL         string
}

func (c *Client) pullOf(p *gh.PullRequest) Pull {
	from, to := p.GetHead().GetRepo(), p.GetBase().GetRepo()
	out := Pull{
		Number: p.GetNumber(), Title: p.GetTitle(), Body: p.GetBody(), Author: p.GetUser().GetLogin(), State: p.GetState(),
		Merged: p.GetMerged() || p.MergedAt != nil, Draft: p.GetDraft(), Base: p.GetBase().GetRef(), Head: p.GetHead().GetRef(),
		BaseSHA: p.GetBase().GetSHA(), HeadSHA: p.GetHead().GetSHA(),
		Fork: from == nil || from.GetID() != to.GetID(), URL: p.GetHTMLURL(), Updated: p.GetUpdatedAt().Time,
	}
	for _, l := range p.Labels {
		out.Labels = append(out.Labels, l.GetName())
	}
	return out
}

// Pull looks up a pull request.
func (c *Client) Pull(ctx context.Context, number int) (Pull, error) {
	found, _, err := c.api.PullRequests.Get(ctx, c.owner, c.name, number)
	if err != nil {
		return Pull{}, c.explain(ctx, fmt.Sprintf("look up pull request %d", number), "pull_requests=read", err)
	}
	return c.pullOf(found), nil
}

// Pulls lists the open pull requests.
func (c *Client) Pulls(ctx context.Context) ([]Pull, error) {
	var out []Pull
	err := paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.PullRequests.List(ctx, c.owner, c.name, &gh.PullRequestListOptions{State: "open", ListOptions: page})
		for _, p := range found {
			out = append(out, c.pullOf(p))
		}
		return resp, err
	})
	if err != nil {
		return nil, c.explain(ctx, "list pull requests", "pull_requests=read", err)
	}
	return out, nil
}

// Latest returns the newest pull request between two branches of the repository. State is open, closed or all.
func (c *Client) Latest(ctx context.Context, state, base, branch string) (Pull, bool, error) {
	base, branch = branchName(base), branchName(branch)
	found, _, err := c.api.PullRequests.List(ctx, c.owner, c.name, &gh.PullRequestListOptions{
		State: state, Head: c.owner + ":" + branch, Base: base, Sort: "created", Direction: "desc", ListOptions: gh.ListOptions{PerPage: perPage},
	})
	if err != nil {
		return Pull{}, false, c.explain(ctx, "look for pull requests from "+branch, "pull_requests=read", err)
	}
	for _, one := range found {
		if p := c.pullOf(one); p.Head == branch && p.Base == base && !p.Fork {
			return p, true, nil
		}
	}
	return Pull{}, false, nil
}

const mostPullFiles = 3000

// PullFiles lists the files of a pull request. more reports that GitHub's list is incomplete.
func (c *Client) PullFiles(ctx context.Context, number int) (files []string, more bool, err error) {
	err = paged(func(page gh.ListOptions) (*gh.Response, error) {
		found, resp, err := c.api.PullRequests.ListFiles(ctx, c.owner, c.name, number, &page)
		for _, f := range found {
			files = append(files, f.GetFilename())
		}
		return resp, err
	})
	if err != nil {
		return nil, false, c.explain(ctx, fmt.Sprintf("list the files of pull request %d", number), "pull_requests=read", err)
	}
	return files, len(files) >= mostPullFiles, nil
}
