package githubsim

import "fmt"

func (g *graphCall) resolveReviewThread(args object) any {
	return g.settleThread(args, "ResolveReviewThread", true)
}

func (g *graphCall) unresolveReviewThread(args object) any {
	return g.settleThread(args, "UnresolveReviewThread", false)
}

func (g *graphCall) settleThread(args object, name string, resolved bool) any {
	var in struct {
		Thread string `json:"threadId"`
	}
	g.input(args, name+"Input", &in)
	t := g.threadBy(in.Thread, "contents:write")
	g.repo.settle(t, resolved, g.who.login)
	return acknowledged
}

// addReply replies in a thread. Replies in a pending review are not supported.
func (g *graphCall) addReply(args object) any {
	var in struct {
		Thread string `json:"pullRequestReviewThreadId"`
		Body   string `json:"body"`
	}
	g.input(args, "AddPullRequestReviewThreadReplyInput", &in)
	t := g.threadBy(in.Thread, "pull_requests:write")
	bounded(in.Body)
	g.repo.addRemark(t, nil, in.Body, g.who.login)
	return acknowledged
}

func (g *graphCall) updateComment(args object) any {
	var in struct {
		Comment string `json:"pullRequestReviewCommentId"`
		Body    string `json:"body"`
	}
	g.input(args, "UpdatePullRequestReviewCommentInput", &in)
	bounded(in.Body)
	repo, found := g.node(in.Comment)
	m, ok := found.(threaded)
	if !ok {
		panic(noNode(in.Comment))
	}
	g.writes(repo, "pull_requests:write")
	repo.editRemark(m.in, m.remark, in.Body, g.who.login)
	return acknowledged
}

// threadBy finds a thread by its node id and checks the caller's permission.
func (g *graphCall) threadBy(id, needs string) *thread {
	repo, found := g.node(id)
	t, ok := found.(*thread)
	if !ok {
		panic(noNode(id))
	}
	g.writes(repo, needs)
	return t
}

// writes makes a repository the request's repository and checks that the caller may write to it.
func (g *graphCall) writes(repo *Repository, needs string) {
	g.repo = repo
	switch {
	case !g.who.may(repo, needs):
		panic(&graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"})
	case repo.archived:
		panic(&graphError{kind: "FORBIDDEN", message: "Repository was archived so is read-only."})
	}
}

func noNode(id string) error {
	return &graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
}
