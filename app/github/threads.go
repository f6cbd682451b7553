package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Thread is a review thread that this App started.
type Thread struct {
	ID, Comment string // GraphQL node ids of the thread and its first comment
	Body        string
	Resolved    bool
	ResolvedBy  string // login; empty: unknown
	Settled     bool
	Spoken      bool
	URL         string
}

type actor struct {
	Type  string `json:"__typename"`
	Login string `json:"login"`
}

const botSuffix = "[bot]"

// isOwn reports whether the actor is this client. GraphQL omits the suffix of a bot's login, so only the type
// distinguishes a bot from a user of that name.
func (c *Client) isOwn(a *actor) bool {
	if a == nil {
		return false
	}
	name, bot := strings.CutSuffix(c.login, botSuffix)
	return strings.EqualFold(strings.TrimSuffix(a.Login, botSuffix), name) && (a.Type == "Bot") == bot
}

type threadNode struct {
	ID         string `json:"id"`
	Resolved   bool   `json:"isResolved"`
	ResolvedBy *actor `json:"resolvedBy"`
	Comments   struct {
		Total int           `json:"totalCount"`
		Nodes []commentNode `json:"nodes"`
	} `json:"comments"`
	Speakers struct {
		Nodes []speaker `json:"nodes"`
	} `json:"speakers"`
	Recent struct {
		Nodes []commentNode `json:"nodes"`
	} `json:"recent"`
}

type speaker struct {
	Author *actor `json:"author"`
}

type commentNode struct {
	ID     string `json:"id"`
	Body   string `json:"body"`
	URL    string `json:"url"`
	Author *actor `json:"author"`
}

const (
	// Other accounts' texts are not requested: they may be megabytes.
	threadFields = `id isResolved resolvedBy { login } comments(first: 1) { totalCount ` + commentFields + ` } ` +
		`speakers: comments(first: 100) { nodes { author { __typename login } } }`
	commentFields = `nodes { id body url author { __typename login } }`
	threadsQuery  = `query($owner: String!, $name: String!, $number: Int!, $after: String) { repository(owner: $owner, name: $name) { pullRequest(number: $number) { ` +
		`reviewThreads(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ` + threadFields + ` } } } } }`
	threadsByID = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on PullRequestReviewThread { ` + threadFields + ` recent: comments(last: 5) { ` + commentFields + ` } } } }`
)

// Threads lists the review threads of a pull request that this App started, oldest first.
func (c *Client) Threads(ctx context.Context, number int) ([]Thread, error) {
	var out []Thread
	doing := fmt.Sprintf("list the review threads of pull request %d in %s", number, c.FullName())
	variables := map[string]any{"owner": c.owner, "name": c.name, "number": number, "after": nil}
	for {
		var data struct {
			Repository *struct {
				Pull *struct {
					Threads struct {
						Page struct {
							More bool   `json:"hasNextPage"`
							End  string `json:"endCursor"`
						} `json:"pageInfo"`
						Nodes []threadNode `json:"nodes"`
					} `json:"reviewThreads"`
				} `json:"pullRequest"`
			} `json:"repository"`
		}
		err := c.graphQL(repeatable(ctx), doing, "pull_requests=read", threadsQuery, variables, &data)
		switch {
		case err != nil:
			return nil, asRefused(doing, err)
		case data.Repository == nil || data.Repository.Pull == nil:
			return nil, &Error{Kind: ErrGone, Doing: doing}
		}
		page := data.Repository.Pull.Threads
		for _, n := range page.Nodes {
			if t, own := c.threadOf(n); own {
				out = append(out, t)
			}
		}
		if !page.Page.More || page.Page.End == "" {
			return out, nil
		}
		variables["after"] = page.Page.End
	}
}

// SaidBeside lists the review comments of users on a pull request after a given comment, oldest first. It keeps the
// newest if there are too many.
func (c *Client) SaidBeside(ctx context.Context, number int, since int64) ([]Said, error) {
	var out []Said
	opt := &gh.PullRequestListCommentsOptions{Sort: "created", Direction: "desc", ListOptions: gh.ListOptions{PerPage: perPage}}
	for range mostSaid / perPage {
		found, resp, err := c.api.PullRequests.ListComments(ctx, c.owner, c.name, number, opt)
		if err != nil {
			return nil, c.explain(ctx, fmt.Sprintf("list the review comments on %d", number), "pull_requests=read", err)
		}
		for _, one := range found {
			if one.GetID() <= since {
				resp.NextPage = 0
				break
			}
			if one.GetUser().GetType() == "User" {
				out = append(out, Said{ID: one.GetID(), Author: one.GetUser().GetLogin(), Body: one.GetBody(), URL: one.GetHTMLURL(), At: one.GetCreatedAt().Time})
			}
		}
		if resp.NextPage == 0 {
			break
		}
		opt.Page = resp.NextPage
	}
	slices.Reverse(out)
	return out, nil
}

// asRefused explains that this GitHub server has no review threads, for which there is no fallback.
func asRefused(doing string, err error) error {
	if errors.Is(err, errUnsupported) {
		return &Error{Kind: ErrRefused, Doing: doing, Said: err.Error()}
	}
	return err
}

// threadOf converts a thread that this App started. If it has more comments than one page, other accounts must have
// commented, since the App posts at most two.
func (c *Client) threadOf(n threadNode) (Thread, bool) {
	said := n.Comments.Nodes
	if len(said) == 0 || !c.isOwn(said[0].Author) {
		return Thread{}, false
	}
	out := Thread{
		ID: n.ID, Comment: said[0].ID, Body: strings.ReplaceAll(said[0].Body, "\r\n", "\n"), URL: said[0].URL,
		Resolved: n.Resolved,
		Spoken:   n.Comments.Total > len(n.Speakers.Nodes) || slices.ContainsFunc(n.Speakers.Nodes, func(one speaker) bool { return !c.isOwn(one.Author) }),
	}
	if n.ResolvedBy != nil {
		out.ResolvedBy = n.ResolvedBy.Login
		// The resolver is a User without a type, and GitHub does not document whether its login has the suffix.
		out.Settled = strings.EqualFold(strings.TrimSuffix(out.ResolvedBy, botSuffix), strings.TrimSuffix(c.login, botSuffix))
	}
	return out, true
}
