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
	byID := map[string]*Repository{}
	for _, repo := range g.s.repositories {
		byID[node("Repository", repo.id)] = repo
	}
	out := make([]any, len(ids))
	for i, id := range ids {
		text, _ := id.(string)
		if found := g.threadNode(text); found != nil {
			out[i] = found
			continue
		}
		if repo := byID[text]; repo != nil && g.who.sees(repo) {
			out[i] = g.repository(repo)
			continue
		}
		g.tell([]any{"nodes", i}, noNode(text))
	}
	return out
}

func (g *graphCall) threadNode(id string) any {
	for _, repo := range g.s.repositories {
		if t := repo.thread(id); t != nil && g.who.sees(repo) && g.who.may(repo, "pull_requests:read") {
			return g.thread(repo, t)
		}
	}
	return nil
}

// pulls lists pull requests, most recently updated first: the only order the simulator supports.
func (g *graphCall) pulls(repo *Repository, args object) any {
	if !g.who.may(repo, "pull_requests:read") {
		panic(&graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"})
	}
	states, _ := args["states"].([]any)
	list := only(repo.pulls, func(p *pull) bool { return len(states) == 0 || slices.Contains(states, any(strings.ToUpper(p.state))) })
	slices.SortStableFunc(list, func(a, b *pull) int { return b.changed.Compare(a.changed) })
	var out []any
	for _, p := range list {
		out = append(out, fields{"number": p.number, "headRefOid": p.headID, "updatedAt": stamp(p.changed)})
	}
	return connection("pullRequests", out, args)
}
