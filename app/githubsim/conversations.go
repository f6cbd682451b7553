package githubsim

import "fmt"

// Thread is a snapshot of a review thread.
type Thread struct {
	ID              string // GraphQL node id
	Number          int
	Path            string
	Side            string // LEFT or RIGHT
	StartLine, Line int    // current lines; 0 if outdated or about the whole file
	OriginalLine    int
	Outdated        bool
	ResolvedBy      string // login; empty: unresolved
	Comments        []ReviewComment
}

// ReviewComment is one comment of a thread.
type ReviewComment struct {
	ID           int64
	Author, Body string
	Edits        int
}

// Place is the target of a review comment: lines of a file's diff, or the whole file if Line is 0.
type Place struct {
	Path            string
	StartLine, Line int // StartLine is 0 for a single line
}

// Threads lists the review threads of a pull request, oldest first.
func (r *Repository) Threads(number int) []Thread {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []Thread
	for _, t := range r.threads {
		if t.pull.Number != number {
			continue
		}
		one := Thread{
			ID: t.node(), Number: number, Path: t.path, Side: t.side, StartLine: t.now.start, Line: t.now.line, OriginalLine: t.line,
			Outdated: t.outdated, ResolvedBy: t.resolver,
		}
		for _, m := range t.remarks {
			one.Comments = append(one.Comments, ReviewComment{ID: m.id, Author: m.author, Body: m.body, Edits: m.edits})
		}
		out = append(out, one)
	}
	return out
}

// Remark starts a thread at the head of a pull request and returns its id.
func (r *Repository) Remark(number int, at Place, body, login string) (id string, err error) {
	err = r.onPull(number, func(p *pull) {
		where := place{path: at.Path, side: right, start: at.StartLine, line: at.Line, file: at.Line == 0}
		r.review(p, "", "", []draft{{where, body}}, login)
		id = r.threads[len(r.threads)-1].node()
	})
	return id, err
}

// Reply adds a comment to a thread and returns the comment's id.
func (r *Repository) Reply(id, body, login string) (made int64, err error) {
	err = r.s.change(func() { made = r.addRemark(r.mustThread(id), nil, body, login).id })
	return made, err
}

// ResolveThread resolves a thread.
func (r *Repository) ResolveThread(id, login string) error {
	return r.s.change(func() { r.settle(r.mustThread(id), true, login) })
}

// UnresolveThread reopens a resolved thread.
func (r *Repository) UnresolveThread(id, login string) error {
	return r.s.change(func() { r.settle(r.mustThread(id), false, login) })
}

func (r *Repository) mustThread(id string) *thread {
	t := r.thread(id)
	if t == nil {
		must(fmt.Errorf("%s has no thread %q", r.fullName(), id))
	}
	return t
}

// EditComment replaces the text of a conversation or thread comment.
func (r *Repository) EditComment(id int64, body, login string) error {
	return r.s.change(func() {
		if v := r.commentBy(id); v != nil {
			r.editComment(v, body, login)
			return
		}
		m := r.remark(id)
		r.editRemark(m.in, m.remark, body, login)
	})
}

// DeleteComment deletes a conversation or thread comment.
func (r *Repository) DeleteComment(id int64, login string) error {
	return r.s.change(func() {
		if v := r.commentBy(id); v != nil {
			r.deleteComment(v, login)
			return
		}
		m := r.remark(id)
		r.deleteRemark(m.in, m.remark, login)
	})
}
