package githubsim

import (
	"slices"
	"time"
)

// review is a submitted review. Every comment belongs to one: GitHub creates a review for a single comment or reply
// too.
type review struct {
	id           int64
	pull         *pull
	author, body string
	commit       string
	made         time.Time
}

type thread struct {
	id   int64
	pull *pull
	place
	first        string
	commit, base string // head and base when the thread was started
	hunk         string
	position     int
	now          place // current place; without a line if outdated
	nowPosition  int
	outdated     bool
	resolver     string // login; empty: unresolved
	remarks      []*remark
}

type remark struct {
	id, review   int64
	reply        int64 // the thread's first comment; 0: this is the first
	author, body string
	edits        int
	made, edited time.Time
}

// review creates a review with one thread per draft.
func (r *Repository) review(p *pull, commit, body string, drafts []draft, login string) *review {
	threads := r.begin(p, commit, drafts)
	if commit == "" {
		commit = p.HeadID
	}
	v := r.addReview(p, commit, body, login)
	r.tellReview(v)
	for _, t := range threads {
		r.addRemark(t, v, t.first, login)
	}
	return v
}

func (r *Repository) addReview(p *pull, commit, body, login string) *review {
	v := &review{id: r.s.id(), pull: p, author: login, body: body, commit: commit, made: r.s.time()}
	r.reviews = append(r.reviews, v)
	return v
}

// addRemark adds a comment to a thread. Without a review it creates one.
func (r *Repository) addRemark(t *thread, v *review, body, login string) *remark {
	if v == nil {
		v = r.addReview(t.pull, t.pull.HeadID, "", login)
		r.tellReview(v)
	}
	m := &remark{id: r.s.id(), review: v.id, author: login, body: body, made: r.s.time(), edited: r.s.time()}
	if len(t.remarks) > 0 {
		m.reply = t.remarks[0].id
	}
	t.remarks = append(t.remarks, m)
	r.tellRemark(t, m, "created", nil, login)
	return m
}

func (r *Repository) editRemark(t *thread, m *remark, body, login string) {
	before := m.body
	m.body, m.edited = body, r.s.time()
	m.edits++
	r.tellRemark(t, m, "edited", object{"body": object{"from": before}}, login)
}

// deleteRemark deletes a comment, and the thread and the review if nothing is left of them.
func (r *Repository) deleteRemark(t *thread, m *remark, login string) {
	r.tellRemark(t, m, "deleted", nil, login)
	t.remarks = slices.DeleteFunc(t.remarks, func(o *remark) bool { return o == m })
	r.threads = slices.DeleteFunc(r.threads, func(o *thread) bool { return len(o.remarks) == 0 })
	r.reviews = slices.DeleteFunc(r.reviews, func(v *review) bool {
		return v.id == m.review && v.body == "" && len(r.remarksOf(v)) == 0
	})
}

// settle resolves or reopens a thread. It delivers no webhook if nothing changes.
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
	return only(r.threads, func(t *thread) bool { return t.pull == p })
}

func (r *Repository) remarksOf(v *review) []threaded {
	return only(r.remarks(v.pull), func(m threaded) bool { return m.review == v.id })
}

type threaded struct {
	*remark
	in *thread
}

// remarks lists the comments of a pull request's threads in the order of creation; nil means all pull requests.
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

func (r *Repository) remark(id int64) threaded {
	found := first(r.remarks(nil), func(m threaded) bool { return m.id == id })
	if found.remark == nil {
		panic(errNotFound)
	}
	return found
}

func (r *Repository) thread(id string) *thread {
	return first(r.threads, func(t *thread) bool { return t.node() == id })
}

func (t *thread) node() string { return node("PullRequestReviewThread", t.id) }
func (m *remark) node() string { return node("PullRequestReviewComment", m.id) }
