package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	gh "github.com/google/go-github/v66/github"
)

// Client speaks to GitHub about one repository.
type Client struct {
	opt         Options
	at          endpoints
	api         *gh.Client
	source      tokenSource
	owner, name string
	login       string // who its commits and comments are of
	appID       int64  // 0 when the token is not of an App that is known
	largest     int    // bytes of a commit that is made by one mutation
}

// TokenConfig is one repository and the token for it that somebody else made, such as a workflow's GITHUB_TOKEN.
type TokenConfig struct {
	Token      string
	Repository string // "owner/name"
	Login      string // whom the token belongs to; empty for that of a workflow
	Options
}

// NewTokenClient is a client that uses one given token for as long as it lives.
func NewTokenClient(config TokenConfig) (*Client, error) {
	at, err := endpointsOf(config.BaseURL)
	if err != nil {
		return nil, err
	}
	owner, name, ok := strings.Cut(config.Repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("repository %q: want owner/name", config.Repository)
	}
	if config.Token == "" {
		return nil, errors.New("there is no GitHub token: set GITHUB_TOKEN")
	}
	if config.Login == "" {
		config.Login = "github-actions[bot]"
	}
	opt, source := config.filled(), fixedToken(config.Token)
	wire := &meter{next: opt.Transport, opt: opt}
	chain := &patient{next: &bearer{next: wire, source: source}, opt: opt, gate: newGate()}
	api := connect(at, &cached{answers: newAnswers(rememberedBytes), subject: "token", next: chain})
	return &Client{
		opt: opt, at: at, api: api, source: source, owner: owner, name: name, login: config.Login,
		largest: largestCommit,
	}, nil
}

// FullName is "owner/name".
func (c *Client) FullName() string { return c.owner + "/" + c.name }

// GitURL is where git fetches the repository from, without credentials.
func (c *Client) GitURL() string { return c.at.web + "/" + c.FullName() + ".git" }

// Token is what git has to show. It is good for an hour, or for as long as the workflow runs.
func (c *Client) Token(ctx context.Context) (string, error) { return c.source.token(ctx) }

func (c *Client) explain(ctx context.Context, doing, needs string, err error) error {
	return c.opt.explain(ctx, doing+" in "+c.FullName(), needs, err)
}

// get asks for what go-github has no good call for. Each part of the path is escaped.
func (c *Client) get(ctx context.Context, into any, parts ...string) error {
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	path := fmt.Sprintf("repos/%s/%s/%s", c.owner, c.name, strings.Join(parts, "/"))
	req, err := c.api.NewRequest(http.MethodGet, strings.TrimSuffix(path, "/"), nil)
	if err != nil {
		return err
	}
	_, err = c.api.Do(ctx, req, into)
	return err
}

// settle does a write once. Only when its answer is lost it looks whether the write has landed, and if not tries again;
// from then on a refusal, too, may come from the first attempt having landed late.
func (c *Client) settle(ctx context.Context, write func() error, landed func() (bool, error)) error {
	lost := false
	for attempt := 1; ; attempt++ {
		err := write()
		lost = lost || isLost(err)
		if err == nil || !lost {
			return err
		}
		if err := c.opt.Sleep(ctx, pauseBefore(attempt+1)); err != nil {
			return err
		}
		there, readErr := landed()
		switch {
		case readErr != nil:
			return readErr
		case there:
			return nil
		case attempt == attempts || !isLost(err):
			return err
		}
	}
}

// Repository is what has to be known of a repository before anything is done in it.
type Repository struct {
	ID            int64
	Owner, Name   string
	DefaultBranch string
	Private       bool
	Archived      bool
	Fork          bool
	Empty         bool // has no commit yet
	Kilobytes     int  // as GitHub last counted
	URL           string
	GitURL        string

	node string // GitHub's name for it in GraphQL
}

func repositoryOf(r *gh.Repository) Repository {
	return Repository{
		ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName(), DefaultBranch: r.GetDefaultBranch(),
		Private: r.GetPrivate(), Archived: r.GetArchived() || r.GetDisabled(), Fork: r.GetFork(), Kilobytes: r.GetSize(),
		URL: r.GetHTMLURL(), GitURL: r.GetCloneURL(), node: r.GetNodeID(),
	}
}

// Repository asks what the repository is like now.
func (c *Client) Repository(ctx context.Context) (Repository, error) {
	found, _, err := c.api.Repositories.Get(ctx, c.owner, c.name)
	if err != nil {
		return Repository{}, c.explain(ctx, "look up the repository", "metadata=read", err)
	}
	out := repositoryOf(found)
	if out.Kilobytes > 0 {
		return out, nil
	}
	// The size is counted by the hour: 0 may also be a repository that was filled just now.
	switch _, err := c.head(ctx, out.DefaultBranch); {
	case errors.Is(err, ErrEmpty), errors.Is(err, ErrGone):
		out.Empty = true
	case err != nil:
		return Repository{}, err
	}
	return out, nil
}

// Branch is where a branch points to.
type Branch struct {
	Name      string
	Head      string
	Message   string   // of the commit at its head
	Parents   []string // of that commit
	Protected bool     // by some rule, which may still let the App pass: publishing tells
}

// Branch looks a branch up.
func (c *Client) Branch(ctx context.Context, name string) (Branch, error) {
	var found gh.Branch
	parts := append([]string{"branches"}, strings.Split(branchName(name), "/")...)
	if err := c.get(ctx, &found, parts...); err != nil {
		return Branch{}, c.explain(ctx, "look up branch "+branchName(name), "contents=read", err)
	}
	head := found.GetCommit()
	out := Branch{Name: found.GetName(), Head: head.GetSHA(), Message: head.GetCommit().GetMessage(), Protected: found.GetProtected()}
	for _, p := range head.Parents {
		out.Parents = append(out.Parents, p.GetSHA())
	}
	return out, nil
}

// Ancestor is a commit in the history of another one.
type Ancestor struct {
	ID      string
	Message string
	Parents []string
	Own     bool // whoever asks is its author
}

// mostAncestors is what GitHub lists in one request.
const mostAncestors = 100

// Ancestors lists a commit and the newest of its ancestors.
func (c *Client) Ancestors(ctx context.Context, commit string) ([]Ancestor, error) {
	found, _, err := c.api.Repositories.ListCommits(ctx, c.owner, c.name, &gh.CommitsListOptions{
		SHA: commit, ListOptions: gh.ListOptions{PerPage: mostAncestors},
	})
	if err != nil {
		return nil, c.explain(ctx, "list the ancestors of "+commit, "contents=read", err)
	}
	var out []Ancestor
	for _, one := range found {
		a := Ancestor{ID: one.GetSHA(), Message: one.GetCommit().GetMessage(), Own: strings.EqualFold(one.GetAuthor().GetLogin(), c.login)}
		for _, p := range one.Parents {
			a.Parents = append(a.Parents, p.GetSHA())
		}
		out = append(out, a)
	}
	return out, nil
}

// CameByPull reports whether a pull request that was merged brought a commit.
func (c *Client) CameByPull(ctx context.Context, commit string) (bool, error) {
	list, _, err := c.api.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.name, commit, &gh.ListOptions{PerPage: 100})
	if err != nil {
		return false, c.explain(ctx, "look up the pull requests of "+commit, "pull_requests=read", err)
	}
	return slices.ContainsFunc(list, func(p *gh.PullRequest) bool { return p.MergedAt != nil }), nil
}

// head is the commit that a branch points to.
func (c *Client) head(ctx context.Context, branch string) (string, error) {
	ref, _, err := c.api.Git.GetRef(ctx, c.owner, c.name, "heads/"+branch)
	if err != nil {
		return "", c.explain(ctx, "look up branch "+branch, "contents=read", err)
	}
	return ref.GetObject().GetSHA(), nil
}

// branchName takes both "main" and "refs/heads/main".
func branchName(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }
