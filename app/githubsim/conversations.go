package githubsim

import "fmt"

// Thread is a conversation about a place of a pull request, as it is at one moment.
type Thread struct {
	ID              string // as GraphQL knows it
	Number          int    // of the pull request
	Path            string
	Side            string // LEFT or RIGHT
	StartLine, Line int    // as of now; 0 where it is outdated or about the file as a whole
	OriginalLine    int
	Outdated        bool
	ResolvedBy      string // login; empty: it is not resolved
	Comments        []ReviewComment
}

// ReviewComment is one comment of a thread.
type ReviewComment struct {
	ID           int64
	Author, Body string
	Edits        int
}

// Place is where a person remarks on something: lines of a file's diff, or the whole file where there is no line.
type Place struct {
	Path            string
	StartLine, Line int  // StartLine is 0 for one line
	Left            bool // of what was there before
}

// Threads lists the conversations about places of a pull request, in the order they were begun in.
func (r *Repository) Threads(number int) []Thread {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	var out []Thread
	for _, t := range r.threads {
		if t.pull.number != number {
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

// Remark begins a thread at the head of a pull request, as somebody would with a browser, and returns its id.
func (r *Repository) Remark(number int, at Place, body, login string) (string, error) {
	var id string
	err := r.onPull(number, func(p *pull) error {
		where := place{path: at.Path, side: right, start: at.StartLine, line: at.Line, file: at.Line == 0}
		if at.Left {
			where.side = left
		}
		if _, err := r.review(p, "", "", []draft{{where, body}}, login, nil); err != nil {
			return fmt.Errorf("remark on %s of #%d: %w", at.Path, number, err)
		}
		id = r.threads[len(r.threads)-1].node()
		return nil
	})
	return id, err
}

// Reply answers in a thread, and returns the comment.
func (r *Repository) Reply(id, body, login string) (int64, error) {
	var made int64
	err := r.onThread(id, func(t *thread) { made = r.addRemark(t, nil, body, login, nil).id })
	return made, err
}

// ResolveThread resolves a thread.
func (r *Repository) ResolveThread(id, login string) error {
	return r.onThread(id, func(t *thread) { r.settle(t, true, login) })
}

// UnresolveThread begins a resolved thread anew.
func (r *Repository) UnresolveThread(id, login string) error {
	return r.onThread(id, func(t *thread) { r.settle(t, false, login) })
}

func (r *Repository) onThread(id string, do func(*thread)) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	t, err := r.thread(id)
	if err != nil {
		return err
	}
	do(t)
	return nil
}

// EditComment gives a comment another text, one of the conversation or of a thread.
func (r *Repository) EditComment(id int64, body, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if v := r.commentBy(id); v != nil {
		r.editComment(v, body, login)
		return nil
	}
	m, err := r.remark(id)
	if err != nil {
		return err
	}
	r.editRemark(m.in, m.remark, body, login)
	return nil
}

// DeleteComment deletes a comment, one of the conversation or of a thread.
func (r *Repository) DeleteComment(id int64, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if v := r.commentBy(id); v != nil {
		r.deleteComment(v, login)
		return nil
	}
	m, err := r.remark(id)
	if err != nil {
		return err
	}
	r.deleteRemark(m.in, m.remark, login)
	return nil
}
