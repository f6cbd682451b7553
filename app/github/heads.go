package github

import (
	"context"
	"fmt"
	"slices"
	"time"

	gh "github.com/google/go-github/v66/github"
)

// Heads lists the heads of a repository's default branch and open pull requests.
type Heads struct {
	Repository int64
	Branch     string // default branch; empty: no commits
	Head       string
	Pulls      map[int]string // head commit by number, of the open pull requests updated since the given time
}

// A query asks for GitHub's maximum of nodes, with the most recently updated pull requests of each. Older updates have
// arrived as events.
const (
	headsAtOnce  = 100
	pullsAtOnce  = 50
	headsOf      = `query($ids: [ID!]!, $pulls: Int!) { nodes(ids: $ids) { ... on Repository { databaseId defaultBranchRef { name target { oid } } ` + headsOfPulls + ` } } }`
	headsOfPulls = `pullRequests(first: $pulls, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { number headRefOid updatedAt } }`
)

type repositoryNode struct {
	ID     int64 `json:"databaseId"`
	Branch *struct {
		Name   string `json:"name"`
		Target struct {
			OID string `json:"oid"`
		} `json:"target"`
	} `json:"defaultBranchRef"`
	Pulls struct {
		Nodes []struct {
			Number  int       `json:"number"`
			Head    string    `json:"headRefOid"`
			Updated time.Time `json:"updatedAt"`
		} `json:"nodes"`
	} `json:"pullRequests"`
}

// Heads looks up many repositories of one installation, with one token and one request per hundred. Repositories that
// fail are left out and reported in the error, beside the results of the others.
func (a *App) Heads(ctx context.Context, installation int64, list []Repository, since time.Time) ([]Heads, error) {
	permissions := Permissions{"contents": "read", "metadata": "read", "pull_requests": "read"}
	key := tokenKey{installation: installation, permissions: permissions.String()}
	api := a.speaker(a.tokens.get(key, permissions))
	doing := fmt.Sprintf("look at the branches of installation %d", installation)
	var out []Heads
	var left error
	for some := range slices.Chunk(list, headsAtOnce) {
		found, failed, err := a.heads(ctx, api, doing, some)
		if err != nil {
			return out, err
		}
		if left == nil && len(failed) > 0 {
			left = explainQuery(doing, "contents=read", failed)
		}
		for _, n := range found {
			if n != nil {
				out = append(out, n.heads(since))
			}
		}
	}
	return out, left
}

func (a *App) heads(ctx context.Context, api *gh.Client, doing string, list []Repository) ([]*repositoryNode, []queryError, error) {
	ids := make([]string, 0, len(list))
	for _, r := range list {
		ids = append(ids, r.node)
	}
	var data struct {
		Nodes []*repositoryNode `json:"nodes"`
	}
	failed, err := sendQuery(repeatable(ctx), api, a.at, headsOf, map[string]any{"ids": ids, "pulls": pullsAtOnce}, &data)
	switch {
	case err != nil:
		return nil, nil, a.opt.explain(ctx, doing, "contents=read", err)
	case data.Nodes == nil:
		return nil, nil, explainQuery(doing, "contents=read", failed)
	}
	return data.Nodes, failed, nil
}

func (n *repositoryNode) heads(since time.Time) Heads {
	out := Heads{Repository: n.ID, Pulls: map[int]string{}}
	if n.Branch != nil {
		out.Branch, out.Head = n.Branch.Name, n.Branch.Target.OID
	}
	for _, p := range n.Pulls.Nodes {
		if p.Updated.After(since) {
			out.Pulls[p.Number] = p.Head
		}
	}
	return out
}
