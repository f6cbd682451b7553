package githubsim

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// queuePrefix begins the branches of merge queues, which GitHub alone writes.
const queuePrefix = "gh-readonly-queue/"

// Enqueue puts a pull request into the merge queue of its base: its merge is put on a branch of the queue, whose name is returned, and the
// App is asked for its checks.
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

// Dequeue ends a merge group. One that is merged becomes the head of its base.
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

// queueBase is the branch that a queue's branch is merged into.
func queueBase(branch string) string {
	name := strings.TrimPrefix(branch, queuePrefix)
	return name[:max(0, strings.LastIndex(name, "/"))]
}

// tellGroup delivers what happens to a merge group.
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
