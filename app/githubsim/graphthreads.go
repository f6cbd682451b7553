package githubsim

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

func (g *graphCall) pull(repo *Repository, args object) any {
	if !g.who.may(repo, "pull_requests:read") {
		panic(&graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"})
	}
	p := repo.pull(int64(integer(args["number"])))
	if p == nil {
		panic(&graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to a PullRequest with the number of %v.", args["number"])})
	}
	return fields{"reviewThreads": resolver(func(args object) any {
		var nodes []any
		for _, t := range repo.threadsOn(p) {
			nodes = append(nodes, g.thread(repo, t))
		}
		return connection("reviewThreads", nodes, args)
	})}
}

// integer converts a number, whose type differs between variables and literals.
func integer(value any) int {
	switch n := value.(type) {
	case float64:
		return int(n)
	case int64:
		return int(n)
	}
	return 0
}

// connection returns the first entries after a cursor, or the last entries.
func connection(name string, nodes []any, args object) fields {
	first, last := integer(args["first"]), integer(args["last"])
	if first == 0 && last > 0 && last <= 100 {
		return pageOf(nodes, max(0, len(nodes)-last), len(nodes))
	}
	if first < 1 || first > 100 {
		panic(&graphError{kind: "MISSING_PAGINATION_BOUNDARIES", message: "You must provide a `first` or `last` value of at most 100 to properly paginate the `" + name + "` connection."})
	}
	from := 0
	if after, _ := args["after"].(string); after != "" {
		text, err := base64.StdEncoding.DecodeString(after)
		if err == nil {
			from, err = strconv.Atoi(string(text))
		}
		if err != nil {
			panic(&graphError{kind: "INVALID_CURSOR_ARGUMENTS", message: fmt.Sprintf("`%s` does not appear to be a valid cursor.", after)})
		}
	}
	from = min(from, len(nodes))
	return pageOf(nodes, from, min(from+first, len(nodes)))
}

func pageOf(nodes []any, from, to int) fields {
	var end any
	if to > from {
		end = base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(to)))
	}
	info := fields{"hasNextPage": to < len(nodes), "endCursor": end}
	return fields{"totalCount": len(nodes), "nodes": append([]any{}, nodes[from:to]...), "pageInfo": info}
}

// actor returns a login's GraphQL view. GraphQL omits the suffix "[bot]", so only the type distinguishes a bot from a user.
func (g *graphCall) actor(login string) fields {
	name, bot := strings.CutSuffix(login, "[bot]")
	kind := "User"
	if bot {
		kind = "Bot"
	}
	return fields{"__typename": kind, "login": name}
}

func (g *graphCall) thread(repo *Repository, t *thread) fields {
	out := fields{
		"id": t.node(), "isResolved": t.resolver != "", "resolvedBy": nil,
		"comments": resolver(func(args object) any {
			var nodes []any
			for _, m := range t.remarks {
				nodes = append(nodes, g.remark(repo, t, m))
			}
			return connection("comments", nodes, args)
		}),
	}
	if t.resolver != "" { // always a User with the full login, even for a bot
		out["resolvedBy"] = fields{"login": t.resolver}
	}
	return out
}

func (g *graphCall) remark(repo *Repository, t *thread, m *remark) fields {
	return fields{"id": m.node(), "body": m.body, "author": g.actor(m.author), "url": repo.viewRemark(t, m)["html_url"]}
}
