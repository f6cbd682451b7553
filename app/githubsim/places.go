package githubsim

import (
	"errors"
	"slices"
)

// place is lines of one side of a file's diff, or the file as a whole.
type place struct {
	path        string
	side        string // LEFT or RIGHT
	start, line int    // start is 0 for one line
	file        bool
}

// What GitHub says of a line that is in no hunk, of a path that is not in the diff, and of a commit of something else.
var (
	errWrongLine = errors.New(lineMust + ", Pull request review thread start line must be part of the same hunk as the line., and " + noHunk)
	errWrongPath = errors.New("Pull request review thread path is invalid and " + noHunk) //nolint:revive,staticcheck // GitHub's own words
	errNotOfPull = errors.New("The commitOID is not part of the pull request")            //nolint:revive,staticcheck // GitHub's own words
)

const (
	lineMust = "Pull request review thread line must be part of the diff"
	noHunk   = "Pull request review thread diff hunk can't be blank"
)

// begin makes threads of remarks about one commit, all of them or none.
func (r *Repository) begin(p *pull, commit string, drafts []draft) ([]*thread, error) {
	if commit == "" {
		commit = p.headID
	}
	if !r.git.ancestor(commit, p.headID) || r.git.ancestor(commit, p.baseID) {
		return nil, errNotOfPull
	}
	base := r.git.mergeBase(p.baseID, commit)
	changes, err := r.git.diff(base, commit)
	if err != nil {
		return nil, err
	}
	var out []*thread
	for _, d := range drafts {
		t := &thread{pull: p, place: d.place, first: d.body, commit: commit, base: base}
		if err := t.locate(changes); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	for _, t := range out {
		t.id = r.s.id()
	}
	r.threads = append(r.threads, out...)
	return out, r.carry(p)
}

// draft is a remark that is not made yet.
type draft struct {
	place
	body string
}

// locate finds the place of a new thread in the diff.
func (t *thread) locate(changes []change) error {
	i := slices.IndexFunc(changes, func(c change) bool { return c.path == t.path })
	if i < 0 {
		return errWrongPath
	}
	if t.file {
		t.position = 1
		return nil
	}
	last, there := locate(changes[i].patch, t.side, t.line)
	if !there {
		return errWrongLine
	}
	if t.start != 0 {
		first, there := locate(changes[i].patch, t.side, t.start)
		if !there || first.hunk != last.hunk || t.start >= t.line {
			return errWrongLine
		}
	}
	t.hunk, t.position = last.text, last.position
	return nil
}

// carry finds the places of all threads in a pull request whose head or base has moved. A line is followed from the
// commit that was commented on, so that one which a force push brings back is found again. It is outdated when it was
// changed, or is in the diff no more; so is, as GitHub says nothing of it, one in a file that was renamed.
func (r *Repository) carry(p *pull) error {
	mine := slices.DeleteFunc(slices.Clone(r.threads), func(t *thread) bool { return t.pull != p })
	if len(mine) == 0 {
		return nil
	}
	base := r.git.mergeBase(p.baseID, p.headID)
	changes, err := r.git.diff(base, p.headID)
	if err != nil {
		return err
	}
	for _, t := range mine {
		if err := r.followThread(t, base, changes); err != nil {
			return err
		}
	}
	return nil
}

func (r *Repository) followThread(t *thread, base string, changes []change) error {
	from, to := t.commit, t.pull.headID
	if t.side == left {
		from, to = t.base, base
	}
	t.now, t.nowPosition, t.outdated = place{path: t.path, side: t.side, file: t.file}, 0, true
	i := slices.IndexFunc(changes, func(c change) bool { return c.path == t.path })
	if i < 0 {
		return nil
	}
	if t.file {
		t.outdated, t.nowPosition = false, t.position
		return nil
	}
	patch, err := r.git.patch(from, to, t.path)
	if err != nil {
		return err
	}
	line := carried(patch, t.line)
	if at, there := locate(changes[i].patch, t.side, line); there {
		t.now.line, t.nowPosition, t.outdated = line, at.position, false
		if t.start != 0 {
			t.now.start = carried(patch, t.start)
		}
	}
	return nil
}
