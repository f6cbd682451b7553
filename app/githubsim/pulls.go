package githubsim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

type pull struct {
	Pull
	id             int64
	draft          bool
	labels         []string
	from           *Repository
	trialID        string // test merge commit; empty: conflicts
	mergeID        string
	merger         string // login
	made, changed  time.Time
	closed, joined time.Time // joined: when it was merged
}

// Pull is a snapshot of a pull request.
type Pull struct {
	Number         int
	Title, Body    string
	State          string // open or closed
	Merged         bool
	Head, Base     string
	HeadID, BaseID string
	Author         string
	FromFork       bool
}

// Pulls lists the pull requests, oldest first.
func (r *Repository) Pulls() []Pull {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	return r.viewPulls()
}

func (r *Repository) viewPulls() []Pull {
	var out []Pull
	for _, p := range r.pulls {
		out = append(out, p.Pull)
	}
	return out
}

// OpenPull opens a pull request from a branch of this repository or, as owner:branch, of a fork.
func (r *Repository) OpenPull(head, base, title, login string) (number int, err error) {
	err = r.s.change(func() { number = r.openPull(pullRequest{Head: head, Base: base, Title: title}, login).Number })
	return number, err
}

type pullRequest struct {
	Title string `json:"title"`
	Head  string `json:"head"`
	Base  string `json:"base"`
	Body  string `json:"body"`
	Draft bool   `json:"draft"`
}

func (r *Repository) openPull(o pullRequest, login string) *pull {
	from, head := r.headOf(o.Head)
	if from == nil || from.Head(head) == "" {
		panic(invalid("PullRequest", "head", "invalid", ""))
	}
	if r.Head(o.Base) == "" {
		panic(invalid("PullRequest", "base", "invalid", ""))
	}
	if slices.ContainsFunc(r.pulls, func(p *pull) bool { return p.State == "open" && p.from == from && p.Head == head && p.Base == o.Base }) {
		panic(invalid("PullRequest", "", "custom", fmt.Sprintf("A pull request already exists for %s:%s.", from.owner, head)))
	}
	p := &pull{
		Pull: Pull{
			Title: o.Title, Body: o.Body, State: "open", Head: head, Base: o.Base, BaseID: r.Head(o.Base), Author: login, FromFork: from != r,
		},
		id: r.s.id(), draft: o.Draft, from: from, made: r.s.time(), changed: r.s.time(),
	}
	r.take(p, from.Head(head))
	if r.git.ancestor(p.HeadID, p.BaseID) {
		panic(invalid("PullRequest", "", "custom", fmt.Sprintf("No commits between %s and %s", o.Base, o.Head)))
	}
	r.numbers++
	p.Number = r.numbers
	r.pulls = append(r.pulls, p)
	r.keep(p)
	r.s.tellPull(r, p, "opened", nil, login)
	return p
}

// headOf resolves a head, "branch" or "owner:branch", to a repository and branch.
func (r *Repository) headOf(head string) (*Repository, string) {
	owner, branch, found := strings.Cut(head, ":")
	if !found {
		return r, head
	}
	if owner == r.owner {
		return r, branch
	}
	return first(r.s.repositories, func(fork *Repository) bool { return fork.parent == r && fork.owner == owner }), branch
}

// keep updates refs/pull: the head and the test merge, which workflows check out.
func (r *Repository) keep(p *pull) {
	p.BaseID = r.Head(p.Base)
	message := fmt.Sprintf("Merge %s into %s", p.HeadID, p.BaseID)
	p.trialID, _ = r.git.merge(p.BaseID, p.HeadID, message, r.s.ownSignature())
	r.carry(p)
	r.git.move(fmt.Sprintf("refs/pull/%d/head", p.Number), p.HeadID)
	r.git.move(fmt.Sprintf("refs/pull/%d/merge", p.Number), cmp.Or(p.trialID, zero))
}

// take sets the head of a pull request and copies its objects from the fork.
func (r *Repository) take(p *pull, id string) {
	if p.from != r {
		r.git.borrow(p.from.git)
	}
	p.HeadID = id
}

func (r *Repository) synchronize(p *pull, after, login string) {
	before := p.HeadID
	r.take(p, after)
	p.changed = r.s.time()
	r.keep(p)
	r.s.tellPull(r, p, "synchronize", object{"before": before, "after": after}, login)
}

// ClosePull closes a pull request without merging it.
func (r *Repository) ClosePull(number int, login string) error {
	return r.onPull(number, func(p *pull) { r.closePull(p, login) })
}

func (r *Repository) closePull(p *pull, login string) {
	p.State, p.closed, p.changed = "closed", r.s.time(), r.s.time()
	r.s.tellPull(r, p, "closed", nil, login)
}

// ReopenPull reopens a closed pull request at the current head of its branch.
func (r *Repository) ReopenPull(number int, login string) error {
	return r.onPull(number, func(p *pull) { r.reopenPull(p, login) })
}

func (r *Repository) reopenPull(p *pull, login string) {
	head := p.from.Head(p.Head)
	if head == "" || p.Merged {
		panic(invalid("PullRequest", "state", "invalid", "state cannot be changed. The branch was deleted or merged."))
	}
	r.take(p, head)
	p.State, p.closed, p.changed = "open", time.Time{}, r.s.time()
	r.keep(p)
	r.s.tellPull(r, p, "reopened", nil, login)
}

// EditPull changes the base branch of a pull request.
func (r *Repository) EditPull(number int, base, login string) error {
	return r.onPull(number, func(p *pull) {
		changes := object{"base": object{"ref": object{"from": p.Base}, "sha": object{"from": p.BaseID}}}
		p.Base, p.changed = base, r.s.time()
		r.keep(p)
		r.s.tellPull(r, p, "edited", object{"changes": changes}, login)
	})
}

// DraftPull converts a pull request to a draft or marks it ready for review.
func (r *Repository) DraftPull(number int, draft bool, login string) error {
	return r.onPull(number, func(p *pull) {
		p.draft, p.changed = draft, r.s.time()
		r.s.tellPull(r, p, map[bool]string{true: "converted_to_draft", false: "ready_for_review"}[draft], nil, login)
	})
}

// LabelPull adds or removes a label.
func (r *Repository) LabelPull(number int, label string, on bool, login string) error {
	return r.onPull(number, func(p *pull) {
		p.labels = slices.DeleteFunc(p.labels, func(l string) bool { return l == label })
		action := "unlabeled"
		if on {
			p.labels, action = append(p.labels, label), "labeled"
		}
		p.changed = r.s.time()
		r.s.tellPull(r, p, action, object{"label": r.viewLabel(label)}, login)
	})
}

// MergePull merges a pull request with a merge commit, ignoring branch protection, and returns the commit.
func (r *Repository) MergePull(number int, login string) (id string, err error) {
	err = r.onPull(number, func(p *pull) {
		id = r.join(p, r.s.signature(login))
		r.point("refs/heads/"+p.Base, id, login)
	})
	return id, err
}

// join writes the merge of a pull request into its base branch.
func (r *Repository) join(p *pull, who signature) string {
	message := fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s\n", p.Number, p.from.owner, p.Head, p.Title)
	id, merges := r.git.merge(r.Head(p.Base), p.HeadID, message, who)
	if !merges {
		must(fmt.Errorf("pull request #%d has conflicts", p.Number))
	}
	return id
}

// merged closes a pull request whose commits have reached its base branch.
func (r *Repository) merged(p *pull, id, login string) {
	now := r.s.time()
	p.State, p.Merged, p.closed, p.joined, p.changed, p.mergeID, p.merger = "closed", true, now, now, now, id, login
	r.s.tellPull(r, p, "closed", nil, login)
}

func (r *Repository) onPull(number int, do func(*pull)) error {
	return r.s.change(func() {
		p := r.pull(int64(number))
		if p == nil {
			must(fmt.Errorf("%s has no pull request #%d", r.fullName(), number))
		}
		do(p)
	})
}

func (r *Repository) pull(number int64) *pull {
	return first(r.pulls, func(p *pull) bool { return int64(p.Number) == number })
}
