package githubsim

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// queuePrefix starts the names of merge queue branches, which only GitHub writes.
const queuePrefix = "gh-readonly-queue/"

// Enqueue adds a pull request to the merge queue of its base branch. It pushes the merge to a queue branch, requests
// checks from the App and returns the branch name.
func (r *Repository) Enqueue(number int, login string) (branch string, err error) {
	return branch, r.onPull(number, func(p *pull) error {
		base := r.Head(p.base)
		message := fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s\n", p.number, p.from.owner, p.head, p.title)
		id, merges, err := r.git.merge(base, p.headID, message, r.s.ownSignature())
		if err != nil {
			return err
		}
		if !merges {
			return fmt.Errorf("pull request #%d has conflicts", p.number)
		}
		branch = fmt.Sprintf("%s%s/pr-%d-%s", queuePrefix, p.base, p.number, base)
		if err := errors.Join(r.point("refs/heads/"+branch, id, login), r.guard(branch, "merge queue")); err != nil {
			return err
		}
		return r.tellGroup(branch, "checks_requested", login, nil)
	})
}

// Dequeue removes a merge group. A merged group becomes the head of its base branch.
func (r *Repository) Dequeue(branch string, merged bool, login string) error {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	reason := "dequeued"
	if merged {
		reason = "merged"
		if err := r.point("refs/heads/"+queueBase(branch), r.Head(branch), login); err != nil {
			return err
		}
	}
	if err := r.tellGroup(branch, "destroyed", login, object{"reason": reason}); err != nil {
		return err
	}
	return errors.Join(r.point("refs/heads/"+branch, zero, login), r.guard(branch, ""))
}

func queueBase(branch string) string {
	name := strings.TrimPrefix(branch, queuePrefix)
	return name[:max(0, strings.LastIndex(name, "/"))]
}

func (r *Repository) tellGroup(branch, action, login string, more object) error {
	c, err := r.git.commit(r.Head(branch))
	if err != nil {
		return err
	}
	payload := object{"merge_group": object{
		"head_sha": c.id, "head_ref": "refs/heads/" + branch, "base_ref": "refs/heads/" + queueBase(branch), "base_sha": c.parents[0],
		"head_commit": r.viewHead(c),
	}}
	maps.Copy(payload, more)
	r.s.tell(r, "merge_group", action, login, payload)
	return nil
}
