package githubsim

import (
	"fmt"
	"maps"
	"strings"
)

func (r *Repository) remarkAPI(id int64) string {
	return fmt.Sprintf("%s/pulls/comments/%d", r.api(), id)
}

func link(address string) object { return object{"href": address} }

func (r *Repository) viewReview(v *review) object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", r.pullHTML(v.pull.Number), v.id)
	return object{
		"id": v.id, "node_id": node("PullRequestReview", v.id), "user": r.s.viewLogin(v.author), "body": v.body, "state": "COMMENTED", "html_url": html,
		"pull_request_url": r.pullAPI(v.pull), "author_association": r.association(v.author), "submitted_at": stamp(v.made), "commit_id": v.commit,
		"_links": object{"html": link(html), "pull_request": link(r.pullAPI(v.pull))},
	}
}

// viewRemark is the view of a review comment. Its commit follows the pull request's head until the comment is outdated.
func (r *Repository) viewRemark(t *thread, m *remark) object {
	self := r.remarkAPI(m.id)
	html := fmt.Sprintf("%s#discussion_r%d", r.pullHTML(t.pull.Number), m.id)
	commit, kind := t.pull.HeadID, "line"
	if t.outdated {
		commit = t.commit
	}
	if t.file {
		kind = "file"
	}
	out := object{
		"url": self, "id": m.id, "node_id": m.node(), "pull_request_review_id": m.review, "diff_hunk": t.hunk, "path": t.path,
		"position": orNil(t.nowPosition), "original_position": t.position, "commit_id": commit, "original_commit_id": t.commit,
		"user": r.s.viewLogin(m.author), "body": m.body, "created_at": stamp(m.made), "updated_at": stamp(m.edited), "html_url": html,
		"pull_request_url": r.pullAPI(t.pull), "author_association": r.association(m.author), "subject_type": kind,
		"_links": object{"self": link(self), "html": link(html), "pull_request": link(r.pullAPI(t.pull))}, "reactions": r.viewReactions(self, m.id),
		"side": t.side, "line": orNil(t.now.line), "original_line": orNil(t.line), "start_side": nil,
		"start_line": orNil(t.now.start), "original_start_line": orNil(t.start),
	}
	if t.start != 0 {
		out["start_side"] = t.side
	}
	if m.reply != 0 {
		out["in_reply_to_id"] = m.reply
	}
	return out
}

func (r *Repository) viewRemarks(remarks []threaded) []object {
	return views(remarks, func(m threaded) object { return r.viewRemark(m.in, m.remark) })
}

// viewIssue is the issue view of a pull request.
func (r *Repository) viewIssue(p *pull) object {
	self, html := r.issueAPI(p.Number), r.pullHTML(p.Number)
	out := object{
		"id": p.id, "node_id": node("PullRequest", p.id), "number": p.Number, "title": p.Title, "body": orNil(p.Body), "user": r.s.viewLogin(p.Author),
		"state": p.State, "state_reason": nil, "locked": false, "active_lock_reason": nil, "labels": r.viewLabels(p.labels), "assignee": nil,
		"assignees": []object{}, "milestone": nil, "comments": len(r.commentsOn(p.Number)), "created_at": stamp(p.made), "updated_at": stamp(p.changed),
		"closed_at": stamp(p.closed), "author_association": r.association(p.Author), "draft": p.draft, "performed_via_github_app": nil,
		"repository_url": r.api(), "html_url": html, "reactions": r.viewReactions(self, 0),
		"pull_request": object{"url": r.pullAPI(p), "html_url": html, "diff_url": html + ".diff", "patch_url": html + ".patch", "merged_at": stamp(p.joined)},
	}
	below(out, self, map[string]string{
		"url": "", "labels_url": "/labels{/name}", "comments_url": "/comments", "events_url": "/events", "timeline_url": "/timeline",
	})
	return out
}

// tellReview delivers a submitted review, whose state webhooks spell in lower case.
func (r *Repository) tellReview(v *review) {
	view := r.viewReview(v)
	view["state"] = strings.ToLower(view["state"].(string))
	r.tellOf(v.pull, "pull_request_review", "submitted", v.author, object{"review": view})
}

func (r *Repository) tellRemark(t *thread, m *remark, action string, changes object, login string) {
	r.tellOf(t.pull, "pull_request_review_comment", action, login, object{"comment": r.viewRemark(t, m), "changes": changes})
}

func (r *Repository) tellThread(t *thread, action, login string) {
	var remarks []threaded
	for _, m := range t.remarks {
		remarks = append(remarks, threaded{m, t})
	}
	about := object{"node_id": t.node(), "comments": r.viewRemarks(remarks)}
	r.tellOf(t.pull, "pull_request_review_thread", action, login, object{"thread": about})
}

// tellOf delivers a review webhook, which has the list view of the pull request.
func (r *Repository) tellOf(p *pull, event, action, login string, more object) {
	payload := object{"pull_request": r.viewSimplePull(p)}
	maps.Copy(payload, more)
	r.s.tell(r, event, action, login, payload)
}

func (r *Repository) tellComment(v *Comment, action string, changes object, login string) {
	r.s.tell(r, "issue_comment", action, login, object{
		"issue": r.viewIssue(r.pull(int64(v.Number))), "comment": r.viewComment(v), "changes": changes,
	})
}
