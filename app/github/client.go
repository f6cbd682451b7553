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

// Client accesses one repository on GitHub.
type Client struct {
	opt         Options
	at          endpoints
	api         *gh.Client
	source      tokenSource
	owner, name string
	login       string
	appID       int64 // 0: the token does not belong to a known App
	largest     int
}

// TokenConfig is a repository with an existing token for it, such as a workflow's GITHUB_TOKEN.
type TokenConfig struct {
	Token      string
	Repository string // "owner/name"
	Login      string // owner of the token; empty for a workflow's token
	Options
}

// NewTokenClient returns a client that uses a fixed token.
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

// FullName returns "owner/name".
func (c *Client) FullName() string { return c.owner + "/" + c.name }

// GitURL returns the clone URL, without credentials.
func (c *Client) GitURL() string { return c.at.web + "/" + c.FullName() + ".git" }

// Token returns a token for git. It is valid for up to an hour, or for as long as the workflow runs.
func (c *Client) Token(ctx context.Context) (string, error) { return c.source.token(ctx) }

func (c *Client) explain(ctx context.Context, doing, needs string, err error) error {
	return c.opt.explain(ctx, doing+" in "+c.FullName(), needs, err)
}

// get covers the requests for which go-github has no suitable call. It escapes each path segment.
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

// settle makes a write take effect once. If the answer is lost, it checks whether the write has landed before it tries
// again; a later refusal may mean that the first attempt landed late, so it checks then too.
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

// Repository is a repository's metadata.
type Repository struct {
	ID            int64
	Owner, Name   string
	DefaultBranch string
	Private       bool
	Archived      bool
	Empty         bool
	Kilobytes     int // size as last reported by GitHub
	URL           string
	GitURL        string

	node string
}

func repositoryOf(r *gh.Repository) Repository {
	return Repository{
		ID: r.GetID(), Owner: r.GetOwner().GetLogin(), Name: r.GetName(), DefaultBranch: r.GetDefaultBranch(),
		Private: r.GetPrivate(), Archived: r.GetArchived() || r.GetDisabled(), Kilobytes: r.GetSize(),
		URL: r.GetHTMLURL(), GitURL: r.GetCloneURL(), node: r.GetNodeID(),
	}
}

// Repository looks up the repository.
func (c *Client) Repository(ctx context.Context) (Repository, error) {
	found, _, err := c.api.Repositories.Get(ctx, c.owner, c.name)
	if err != nil {
		return Repository{}, c.explain(ctx, "look up the repository", "metadata=read", err)
	}
	out := repositoryOf(found)
	if out.Kilobytes > 0 {
		return out, nil
	}
	// GitHub updates the size hourly: 0 may also mean that the repository was filled just now.
	switch _, err := c.head(ctx, out.DefaultBranch); {
	case errors.Is(err, ErrEmpty), errors.Is(err, ErrGone):
		out.Empty = true
	case err != nil:
		return Repository{}, err
	}
	return out, nil
}

// Branch is a branch and its head commit.
type Branch struct {
	Name      string
	Head      string
	Message   string
	Parents   []string
	Protected bool // by some rule, which may still exempt the App: only publishing finds out
}

// Branch looks up a branch.
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

// Ancestor is a commit in the history of another commit.
type Ancestor struct {
	ID      string
	Message string
	Parents []string
	Own     bool // the client's account is the author
}

const mostAncestors = 100

// Ancestors lists a commit and its newest ancestors.
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

// CameByPull reports whether a merged pull request contains a commit.
func (c *Client) CameByPull(ctx context.Context, commit string) (bool, error) {
	list, _, err := c.api.PullRequests.ListPullRequestsWithCommit(ctx, c.owner, c.name, commit, &gh.ListOptions{PerPage: 100})
	if err != nil {
		return false, c.explain(ctx, "look up the pull requests of "+commit, "pull_requests=read", err)
	}
	return slices.ContainsFunc(list, func(p *gh.PullRequest) bool { return p.MergedAt != nil }), nil
}

func (c *Client) head(ctx context.Context, branch string) (string, error) {
	ref, _, err := c.api.Git.GetRef(ctx, c.owner, c.name, "heads/"+branch)
	if err != nil {
		return "", c.explain(ctx, "look up branch "+branch, "contents=read", err)
	}
	return ref.GetObject().GetSHA(), nil
}

func branchName(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }
