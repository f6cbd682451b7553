package githubsim

import "fmt"

func (g *graphCall) resolveReviewThread(args object) (any, error) {
	return g.settleThread(args, "ResolveReviewThread", true)
}

func (g *graphCall) unresolveReviewThread(args object) (any, error) {
	return g.settleThread(args, "UnresolveReviewThread", false)
}

func (g *graphCall) settleThread(args object, name string, resolved bool) (any, error) {
	var in struct {
		Mutation string `json:"clientMutationId"`
		Thread   string `json:"threadId"`
	}
	if err := g.input(args, name+"Input", &in); err != nil {
		return nil, err
	}
	t, err := g.threadBy(in.Thread, "contents:write")
	if err != nil {
		return nil, err
	}
	g.repo.settle(t, resolved, g.who.login)
	return fields{"__typename": name + "Payload", "clientMutationId": orNil(in.Mutation), "thread": g.thread(g.repo, t)}, nil
}

// addReply replies in a thread. Replies in a pending review are not supported.
func (g *graphCall) addReply(args object) (any, error) {
	var in struct {
		Mutation string `json:"clientMutationId"`
		Thread   string `json:"pullRequestReviewThreadId"`
		Body     string `json:"body"`
	}
	if err := g.input(args, "AddPullRequestReviewThreadReplyInput", &in); err != nil {
		return nil, err
	}
	t, err := g.threadBy(in.Thread, "pull_requests:write")
	if err == nil {
		err = bounded(in.Body)
	}
	if err != nil {
		return nil, err
	}
	m := g.repo.addRemark(t, nil, in.Body, g.who.login, g.who.by)
	return fields{
		"__typename": "AddPullRequestReviewThreadReplyPayload", "clientMutationId": orNil(in.Mutation), "comment": g.remark(g.repo, t, m),
	}, nil
}

func (g *graphCall) updateComment(args object) (any, error) {
	var in struct {
		Mutation string `json:"clientMutationId"`
		Comment  string `json:"pullRequestReviewCommentId"`
		Body     string `json:"body"`
	}
	if err := g.input(args, "UpdatePullRequestReviewCommentInput", &in); err != nil {
		return nil, err
	}
	if err := bounded(in.Body); err != nil {
		return nil, err
	}
	for _, repo := range g.s.repositories {
		for _, m := range repo.remarks(nil) {
			if m.node() != in.Comment || !g.who.sees(repo) {
				continue
			}
			if err := g.writes(repo, "pull_requests:write"); err != nil {
				return nil, err
			}
			repo.editRemark(m.in, m.remark, in.Body, g.who.login)
			return fields{
				"__typename": "UpdatePullRequestReviewCommentPayload", "clientMutationId": orNil(in.Mutation),
				"pullRequestReviewComment": g.remark(repo, m.in, m.remark),
			}, nil
		}
	}
	return nil, noNode(in.Comment)
}

// threadBy finds a thread by its node id and checks the caller's permission.
func (g *graphCall) threadBy(id, needs string) (*thread, error) {
	for _, repo := range g.s.repositories {
		if t, err := repo.thread(id); err == nil && g.who.sees(repo) {
			return t, g.writes(repo, needs)
		}
	}
	return nil, noNode(id)
}

// writes makes a repository the request's repository and checks that the caller may write to it.
func (g *graphCall) writes(repo *Repository, needs string) error {
	g.repo = repo
	switch {
	case !g.who.may(repo, needs):
		return &graphError{kind: "FORBIDDEN", message: "Resource not accessible by integration"}
	case repo.archived:
		return &graphError{kind: "FORBIDDEN", message: "Repository was archived so is read-only."}
	}
	return nil
}

func noNode(id string) error {
	return &graphError{kind: "NOT_FOUND", message: fmt.Sprintf("Could not resolve to a node with the global id of '%s'", id)}
}
