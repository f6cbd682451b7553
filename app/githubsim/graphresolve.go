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
		Mutation string `json:"clientMutationId"`
		Thread   string `json:"threadId"`
	}
	g.input(args, name+"Input", &in)
	t := g.threadBy(in.Thread, "contents:write")
	g.repo.settle(t, resolved, g.who.login)
	return fields{"clientMutationId": orNil(in.Mutation)}
}

// addReply replies in a thread. Replies in a pending review are not supported.
func (g *graphCall) addReply(args object) any {
	var in struct {
		Mutation string `json:"clientMutationId"`
		Thread   string `json:"pullRequestReviewThreadId"`
		Body     string `json:"body"`
	}
	g.input(args, "AddPullRequestReviewThreadReplyInput", &in)
	t := g.threadBy(in.Thread, "pull_requests:write")
	bounded(in.Body)
	g.repo.addRemark(t, nil, in.Body, g.who.login, g.who.by)
	return fields{"clientMutationId": orNil(in.Mutation)}
}

func (g *graphCall) updateComment(args object) any {
	var in struct {
		Mutation string `json:"clientMutationId"`
		Comment  string `json:"pullRequestReviewCommentId"`
		Body     string `json:"body"`
	}
	g.input(args, "UpdatePullRequestReviewCommentInput", &in)
	bounded(in.Body)
	for _, repo := range g.s.repositories {
		for _, m := range repo.remarks(nil) {
			if m.node() != in.Comment || !g.who.sees(repo) {
				continue
			}
			g.writes(repo, "pull_requests:write")
			repo.editRemark(m.in, m.remark, in.Body, g.who.login)
			return fields{"clientMutationId": orNil(in.Mutation)}
		}
	}
	panic(noNode(in.Comment))
}

// threadBy finds a thread by its node id and checks the caller's permission.
func (g *graphCall) threadBy(id, needs string) *thread {
	for _, repo := range g.s.repositories {
		if t := repo.thread(id); t != nil && g.who.sees(repo) {
			g.writes(repo, needs)
			return t
		}
	}
	panic(noNode(id))
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
