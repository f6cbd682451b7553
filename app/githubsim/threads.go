package githubsim

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// review is what somebody said about a pull request at once. Every remark belongs to one: GitHub makes one for a remark
// or a reply that is made alone.
type review struct {
	id           int64
	pull         *pull
	author, body string
	app          *App
	commit       string
	made         time.Time
}

// thread is a conversation about a place of a pull request.
type thread struct {
	id   int64
	pull *pull
	place
	first        string // what it is begun with
	commit, base string // that it was begun on: the head, and what that was compared with
	hunk         string
	position     int
	now          place // where that is in the pull request as it is; without a line where it is outdated
	nowPosition  int
	outdated     bool
	resolver     string // login; empty: it is not resolved
	remarks      []*remark
}

// remark is one comment of a thread.
type remark struct {
	id, review   int64
	reply        int64 // to the thread's first comment; 0: it is the first
	author, body string
	app          *App
	edits        int
	made, edited time.Time
}

// review records what somebody said at once, with a thread for each remark.
func (r *Repository) review(p *pull, commit, body string, drafts []draft, login string, app *App) (*review, error) {
	threads, err := r.begin(p, commit, drafts)
	if err != nil {
		return nil, err
	}
	if commit == "" {
		commit = p.headID
	}
	v := r.addReview(p, commit, body, login, app)
	r.tellReview(v)
	for _, t := range threads {
		r.addRemark(t, v, t.first, login, app)
	}
	return v, nil
}

func (r *Repository) addReview(p *pull, commit, body, login string, app *App) *review {
	v := &review{id: r.s.id(), pull: p, author: login, body: body, app: app, commit: commit, made: r.s.time()}
	r.reviews = append(r.reviews, v)
	return v
}

// addRemark adds a comment to a thread. One without a review gets a review of its own.
func (r *Repository) addRemark(t *thread, v *review, body, login string, app *App) *remark {
	if v == nil {
		v = r.addReview(t.pull, t.pull.headID, "", login, app)
		r.tellReview(v)
	}
	m := &remark{id: r.s.id(), review: v.id, author: login, body: body, app: app, made: r.s.time(), edited: r.s.time()}
	if len(t.remarks) > 0 {
		m.reply = t.remarks[0].id
	}
	t.remarks = append(t.remarks, m)
	r.tellRemark(t, m, "created", nil, login)
	return m
}

// editRemark gives a comment of a thread another text.
func (r *Repository) editRemark(t *thread, m *remark, body, login string) {
	before := m.body
	m.body, m.edited = body, r.s.time()
	m.edits++
	r.tellRemark(t, m, "edited", object{"body": object{"from": before}}, login)
}

// deleteRemark deletes a comment. A thread without any is gone, and so is a review that said nothing else.
func (r *Repository) deleteRemark(t *thread, m *remark, login string) {
	r.tellRemark(t, m, "deleted", nil, login)
	t.remarks = slices.DeleteFunc(t.remarks, func(o *remark) bool { return o == m })
	r.threads = slices.DeleteFunc(r.threads, func(o *thread) bool { return len(o.remarks) == 0 })
	r.reviews = slices.DeleteFunc(r.reviews, func(v *review) bool {
		return v.id == m.review && v.body == "" && len(r.remarksOf(v)) == 0
	})
}

// settle resolves a thread, or begins it anew. Nothing is told of what was so already.
func (r *Repository) settle(t *thread, resolved bool, login string) {
	if (t.resolver != "") == resolved {
		return
	}
	action := "unresolved"
	t.resolver = ""
	if resolved {
		t.resolver, action = login, "resolved"
	}
	r.tellThread(t, action, login)
}

func (r *Repository) threadsOn(p *pull) []*thread {
	return slices.DeleteFunc(slices.Clone(r.threads), func(t *thread) bool { return t.pull != p })
}

// remarksOf lists the comments of a review.
func (r *Repository) remarksOf(v *review) []threaded {
	return slices.DeleteFunc(r.remarks(v.pull), func(m threaded) bool { return m.review != v.id })
}

// threaded is a comment with its thread.
type threaded struct {
	*remark
	in *thread
}

// remarks lists the comments of all threads, in the order in which they were made; nil for those of all pull requests.
func (r *Repository) remarks(p *pull) []threaded {
	var out []threaded
	for _, t := range r.threads {
		for _, m := range t.remarks {
			if p == nil || t.pull == p {
				out = append(out, threaded{m, t})
			}
		}
	}
	slices.SortFunc(out, func(a, b threaded) int { return int(a.id - b.id) })
	return out
}

// remark finds a comment of a thread by its number.
func (r *Repository) remark(id int64) (threaded, error) {
	for _, m := range r.remarks(nil) {
		if m.id == id {
			return m, nil
		}
	}
	return threaded{}, fail(http.StatusNotFound, "Not Found")
}

// thread finds a thread by the id that GraphQL knows it by.
func (r *Repository) thread(id string) (*thread, error) {
	for _, t := range r.threads {
		if t.node() == id {
			return t, nil
		}
	}
	return nil, fmt.Errorf("%s has no thread %q", r.fullName(), id)
}

func (t *thread) node() string { return node("PullRequestReviewThread", t.id) }
func (m *remark) node() string { return node("PullRequestReviewComment", m.id) }
