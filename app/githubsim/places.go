package githubsim

import (
	"net/http"
	"slices"
)

// place is a line range on one side of a file's diff, or the whole file.
type place struct {
	path        string
	side        string // LEFT or RIGHT
	start, line int    // start is 0 for a single line
	file        bool
}

// GitHub's errors for a line outside all hunks, a path outside the diff and a commit outside the pull request.
var (
	errWrongLine = unprocessable(lineMust + ", Pull request review thread start line must be part of the same hunk as the line., and " + noHunk)
	errWrongPath = unprocessable("Pull request review thread path is invalid and " + noHunk)
	errNotOfPull = unprocessable("The commitOID is not part of the pull request")
)

const (
	lineMust = "Pull request review thread line must be part of the diff"
	noHunk   = "Pull request review thread diff hunk can't be blank"
)

// unprocessable is a refusal of the review endpoints, whose errors are strings instead of objects.
func unprocessable(why string) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity", errors: []string{why}}
}

// begin creates threads on one commit, atomically.
func (r *Repository) begin(p *pull, commit string, drafts []draft) []*thread {
	if commit == "" {
		commit = p.HeadID
	}
	if !r.git.ancestor(commit, p.HeadID) || r.git.ancestor(commit, p.BaseID) {
		panic(errNotOfPull)
	}
	base := r.git.mergeBase(p.BaseID, commit)
	changes := r.git.diff(base, commit)
	var out []*thread
	for _, d := range drafts {
		t := &thread{pull: p, place: d.place, first: d.body, commit: commit, base: base}
		t.locate(changes)
		out = append(out, t)
	}
	for _, t := range out {
		t.id = r.s.id()
	}
	r.threads = append(r.threads, out...)
	r.carry(p)
	return out
}

type draft struct {
	place
	body string
}

func (t *thread) locate(changes []change) {
	i := slices.IndexFunc(changes, func(c change) bool { return c.path == t.path })
	if i < 0 {
		panic(errWrongPath)
	}
	if t.file {
		t.position = 1
		return
	}
	last, there := locate(changes[i].patch, t.side, t.line)
	if !there {
		panic(errWrongLine)
	}
	if t.start != 0 {
		first, there := locate(changes[i].patch, t.side, t.start)
		if !there || first.hunk != last.hunk || t.start >= t.line {
			panic(errWrongLine)
		}
	}
	t.hunk, t.position = last.text, last.position
}

// carry updates the places of all threads after the head or base of a pull request moved. It follows a line from the
// commit that was commented on, so a force push can restore it. A thread is outdated if its line changed or left the
// diff; the simulator also treats threads in renamed files as outdated, since GitHub does not document that case.
func (r *Repository) carry(p *pull) {
	mine := r.threadsOn(p)
	if len(mine) == 0 {
		return
	}
	base := r.git.mergeBase(p.BaseID, p.HeadID)
	changes := r.git.diff(base, p.HeadID)
	for _, t := range mine {
		r.followThread(t, base, changes)
	}
}

func (r *Repository) followThread(t *thread, base string, changes []change) {
	from, to := t.commit, t.pull.HeadID
	if t.side == left {
		from, to = t.base, base
	}
	t.now, t.nowPosition, t.outdated = place{path: t.path, side: t.side, file: t.file}, 0, true
	i := slices.IndexFunc(changes, func(c change) bool { return c.path == t.path })
	if i < 0 {
		return
	}
	if t.file {
		t.outdated, t.nowPosition = false, t.position
		return
	}
	patch := r.git.patch(from, to, t.path)
	line := carried(patch, t.line)
	if at, there := locate(changes[i].patch, t.side, line); there {
		t.now.line, t.nowPosition, t.outdated = line, at.position, false
		if t.start != 0 {
			t.now.start = carried(patch, t.start)
		}
	}
}
