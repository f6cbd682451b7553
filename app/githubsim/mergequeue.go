package githubsim

import (
	"fmt"
	"maps"
	"strings"
)

// queuePrefix starts the names of merge queue branches, which only GitHub writes.
const queuePrefix = "gh-readonly-queue/"

// Enqueue adds a pull request to the merge queue of its base branch. It pushes the merge to a queue branch, requests
// checks from the App and returns the branch name.
func (r *Repository) Enqueue(number int, login string) (branch string, err error) {
	err = r.onPull(number, func(p *pull) {
		branch = fmt.Sprintf("%s%s/pr-%d-%s", queuePrefix, p.Base, p.Number, r.Head(p.Base))
		r.point("refs/heads/"+branch, r.join(p, r.s.ownSignature()), login)
		r.protected[branch] = "merge queue"
		r.tellGroup(branch, "checks_requested", login, nil)
	})
	return branch, err
}

// Dequeue removes a merge group. A merged group becomes the head of its base branch.
func (r *Repository) Dequeue(branch string, merged bool, login string) error {
	return r.s.change(func() {
		reason := "dequeued"
		if merged {
			reason = "merged"
			r.point("refs/heads/"+queueBase(branch), r.Head(branch), login)
		}
		r.tellGroup(branch, "destroyed", login, object{"reason": reason})
		delete(r.protected, branch)
		r.point("refs/heads/"+branch, zero, login)
	})
}

func queueBase(branch string) string {
	name := strings.TrimPrefix(branch, queuePrefix)
	return name[:max(0, strings.LastIndex(name, "/"))]
}

func (r *Repository) tellGroup(branch, action, login string, more object) {
	c := r.git.commit(r.Head(branch))
	payload := object{"merge_group": object{
		"head_sha": c.id, "head_ref": "refs/heads/" + branch, "base_ref": "refs/heads/" + queueBase(branch), "base_sha": c.parents[0],
		"head_commit": r.viewHead(c),
	}}
	maps.Copy(payload, more)
	r.s.tell(r, "merge_group", action, login, payload)
}
