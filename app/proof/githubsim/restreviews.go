package githubsim

import (
	"fmt"
	"net/http"
	"slices"
)

// Review is a review of a pull request.
type Review struct {
	ID     int64
	Pull   int
	Author string
	Body   string
	State  string // APPROVED, CHANGES_REQUESTED, COMMENTED or PENDING
	Commit string
}

// ReviewComment is a comment on a line of a pull request.
type ReviewComment struct {
	ID     int64
	Pull   int
	Review int64 // 0: it stands alone
	Author string
	Body   string
	Path   string
	Line   int
	Side   string
	Commit string
	made   any
}

// Reviews lists the reviews of a pull request.
func (r *Repository) Reviews(number int) []Review {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []Review
	for _, v := range r.reviews {
		if v.Pull == number {
			out = append(out, *v)
		}
	}
	return out
}

// ReviewComments lists the comments on lines of a pull request.
func (r *Repository) ReviewComments(number int) []ReviewComment {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []ReviewComment
	for _, v := range r.reviewCommentsOn(number) {
		out = append(out, *v)
	}
	return out
}

func (r *Repository) reviewCommentsOn(number int) []*ReviewComment {
	return slices.DeleteFunc(slices.Clone(r.reviewComments), func(v *ReviewComment) bool { return v.Pull != number })
}

// states are what a review becomes by what it was sent as.
var states = map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED", "": "PENDING"}

// comment on a line, as it is sent.
type lineComment struct {
	Body   string `json:"body"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Side   string `json:"side"`
	Commit string `json:"commit_id"`
}

func createReview(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	var in struct {
		Body, Event string
		Commit      string `json:"commit_id"`
		Comments    []lineComment
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if in.Event == "APPROVE" && c.who.login == p.author {
		return reply{}, &refusal{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity"}
	}
	if in.Commit == "" {
		in.Commit = p.headID
	}
	for _, l := range in.Comments {
		if _, there := c.repo.git.at(p.headID, l.Path); !there {
			return reply{}, &refusal{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity"}
		}
	}
	v := &Review{ID: c.s.id(), Pull: p.number, Author: c.who.login, Body: in.Body, State: states[in.Event], Commit: in.Commit}
	c.repo.reviews = append(c.repo.reviews, v)
	for _, l := range in.Comments {
		l.Commit = in.Commit
		c.addLineComment(p, v.ID, l)
	}
	return ok(c.repo.viewReview(v))
}

func (c *call) addLineComment(p *pull, review int64, l lineComment) *ReviewComment {
	if l.Side == "" {
		l.Side = "RIGHT"
	}
	v := &ReviewComment{
		ID: c.s.id(), Pull: p.number, Review: review, Author: c.who.login, Body: l.Body, Path: l.Path, Line: l.Line, Side: l.Side,
		Commit: l.Commit, made: stamp(c.s.time()),
	}
	c.repo.reviewComments = append(c.repo.reviewComments, v)
	return v
}

func listReviews(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	items := []object{}
	for _, v := range c.repo.reviews {
		if v.Pull == p.number {
			items = append(items, c.repo.viewReview(v))
		}
	}
	return list(items)
}

func createReviewComment(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	var in lineComment
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	if _, there := c.repo.git.at(in.Commit, in.Path); !there {
		return reply{}, invalid("PullRequestReviewComment", "path", "invalid", "")
	}
	return created(c.repo.viewReviewComment(c.addLineComment(p, 0, in)))
}

func listReviewComments(c *call) (reply, error) {
	p, err := c.pull()
	if err != nil {
		return reply{}, err
	}
	items := []object{}
	for _, v := range c.repo.reviewCommentsOn(p.number) {
		items = append(items, c.repo.viewReviewComment(v))
	}
	return list(items)
}

func (r *Repository) viewReview(v *Review) object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", r.pullHTML(v.Pull), v.ID)
	api := fmt.Sprintf("%s/pulls/%d", r.api(), v.Pull)
	return object{
		"id": v.ID, "node_id": node("PullRequestReview", v.ID), "user": r.s.viewLogin(v.Author), "body": v.Body, "state": v.State,
		"commit_id": v.Commit, "html_url": html, "pull_request_url": api, "author_association": r.association(v.Author),
		"_links": object{"html": object{"href": html}, "pull_request": object{"href": api}},
	}
}

func (r *Repository) viewReviewComment(v *ReviewComment) object {
	self := fmt.Sprintf("%s/pulls/comments/%d", r.api(), v.ID)
	html := fmt.Sprintf("%s#discussion_r%d", r.pullHTML(v.Pull), v.ID)
	api := fmt.Sprintf("%s/pulls/%d", r.api(), v.Pull)
	out := object{
		"url": self, "id": v.ID, "node_id": node("PullRequestReviewComment", v.ID), "pull_request_review_id": nil, "diff_hunk": "", "path": v.Path,
		"commit_id": v.Commit, "original_commit_id": v.Commit, "user": r.s.viewLogin(v.Author), "body": v.Body, "created_at": v.made,
		"updated_at": v.made, "html_url": html, "pull_request_url": api, "author_association": r.association(v.Author), "line": v.Line,
		"original_line": v.Line, "side": v.Side, "subject_type": "line",
		"_links": object{"self": object{"href": self}, "html": object{"href": html}, "pull_request": object{"href": api}},
	}
	if v.Review != 0 {
		out["pull_request_review_id"] = v.Review
	}
	return out
}
