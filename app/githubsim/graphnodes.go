package githubsim

import (
	"fmt"
	"slices"
	"strings"
)

// mostNodes is GitHub's limit of ids in one nodes query.
const mostNodes = 100

// nodes returns repositories and threads by id. An id that the caller cannot see yields null and an error.
func (g *graphCall) nodes(args object) any {
	ids, _ := args["ids"].([]any)
	if len(ids) > mostNodes {
		panic(&graphError{kind: "ARGUMENT_LIMIT", message: fmt.Sprintf("You may not provide more than %d node ids; you provided %d.", mostNodes, len(ids))})
	}
	out := make([]any, len(ids))
	for i, id := range ids {
		text, _ := id.(string)
		switch repo, found := g.node(text); found := found.(type) {
		case *Repository:
			out[i] = g.repository(repo)
			continue
		case *thread:
			if g.who.may(repo, "pull_requests:read") {
				out[i] = g.thread(repo, found)
				continue
			}
		}
		g.tell([]any{"nodes", i}, noNode(text))
	}
	return out
}

// node finds a visible repository, thread or comment of a thread (threaded) by its id, and its repository.
func (g *graphCall) node(id string) (*Repository, any) {
	for _, repo := range only(g.s.repositories, g.who.sees) {
		if node("Repository", repo.id) == id {
			return repo, repo
		}
		if t := repo.thread(id); t != nil {
			return repo, t
		}
		for _, m := range repo.remarks(nil) {
			if m.node() == id {
				return repo, m
			}
		}
	}
	return nil, nil
}

// pulls lists pull requests, most recently updated first: the only order the simulator supports.
func (g *graphCall) pulls(repo *Repository, args object) any {
	if !g.who.may(repo, "pull_requests:read") {
		panic(&graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"})
	}
	states, _ := args["states"].([]any)
	list := only(repo.pulls, func(p *pull) bool { return len(states) == 0 || slices.Contains(states, any(strings.ToUpper(p.State))) })
	slices.SortStableFunc(list, func(a, b *pull) int { return b.changed.Compare(a.changed) })
	var out []any
	for _, p := range list {
		out = append(out, fields{"number": p.Number, "headRefOid": p.HeadID, "updatedAt": stamp(p.changed)})
	}
	return connection("pullRequests", out, args)
}
