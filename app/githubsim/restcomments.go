package githubsim

import (
	"fmt"
	"slices"
	"time"
)

// Comment is a comment in a pull request's conversation.
type Comment struct {
	ID     int64
	Number int
	Author string
	Body   string
	Edits  int
	app    *App
	made   time.Time
	edited time.Time
}

// Comments lists the conversation comments of a pull request.
func (r *Repository) Comments(number int) []Comment {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []Comment
	for _, v := range r.commentsOn(number) {
		out = append(out, *v)
	}
	return out
}

// AddComment adds a conversation comment and returns its id.
func (r *Repository) AddComment(number int, body, login string) int64 {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.addComment(number, body, login, nil).ID
}

func (r *Repository) addComment(number int, body, login string, app *App) *Comment {
	v := &Comment{ID: r.s.id(), Number: number, Author: login, Body: body, app: app, made: r.s.time(), edited: r.s.time()}
	r.comments = append(r.comments, v)
	r.tellComment(v, "created", nil, login)
	return v
}

func (r *Repository) editComment(v *Comment, body, login string) {
	before := v.Body
	v.Body, v.edited = body, r.s.time()
	v.Edits++
	r.tellComment(v, "edited", object{"body": object{"from": before}}, login)
}

func (r *Repository) deleteComment(v *Comment, login string) {
	r.tellComment(v, "deleted", nil, login)
	r.comments = slices.DeleteFunc(r.comments, func(o *Comment) bool { return o == v })
}

func (r *Repository) commentBy(id int64) *Comment {
	return first(r.comments, func(v *Comment) bool { return v.ID == id })
}

func (r *Repository) commentsOn(number int) []*Comment {
	return only(r.comments, func(v *Comment) bool { return v.Number == number })
}

func (r *Repository) viewComment(v *Comment) object {
	out := object{
		"id": v.ID, "node_id": node("IssueComment", v.ID), "url": fmt.Sprintf("%s/issues/comments/%d", r.api(), v.ID),
		"html_url": fmt.Sprintf("%s#issuecomment-%d", r.pullHTML(v.Number), v.ID), "issue_url": r.issueAPI(v.Number), "body": v.Body,
		"user": r.s.viewLogin(v.Author), "created_at": stamp(v.made), "updated_at": stamp(v.edited), "author_association": r.association(v.Author),
		"performed_via_github_app": nil, "reactions": r.viewReactions(fmt.Sprintf("%s/issues/comments/%d", r.api(), v.ID), v.ID),
	}
	if v.app != nil {
		out["performed_via_github_app"] = r.s.viewApp(v.app)
	}
	return out
}

func (r *Repository) viewComments(comments []*Comment, since string) []object {
	from, _ := time.Parse(time.RFC3339, since) // the validator has checked the format
	return views(only(comments, func(v *Comment) bool { return !v.edited.Before(from) }), r.viewComment)
}

func listComments(c *call) reply {
	p := c.pull("issue_number")
	return list(c.repo.viewComments(c.repo.commentsOn(p.Number), c.query().Get("since")))
}

// longest is GitHub's limit for one text.
const longest = 65536

func (c *call) readComment() string {
	var in struct{ Body string }
	c.read(&in)
	bounded(in.Body)
	return in.Body
}

func bounded(text string) {
	if len(text) > longest {
		panic(invalid("IssueComment", "body", "custom", "body is too long (maximum is 65536 characters)"))
	}
}

func createComment(c *call) reply {
	p := c.pull("issue_number")
	body := c.readComment()
	return created(c.repo.viewComment(c.repo.addComment(p.Number, body, c.who.login, c.who.by)))
}

func (c *call) comment() *Comment {
	return one(c.repo.comments, func(v *Comment) bool { return v.ID == c.number("comment_id") })
}

func updateComment(c *call) reply {
	v := c.comment()
	body := c.readComment()
	c.repo.editComment(v, body, c.who.login)
	return ok(c.repo.viewComment(v))
}

func deleteComment(c *call) reply {
	v := c.comment()
	c.repo.deleteComment(v, c.who.login)
	return nothing()
}
