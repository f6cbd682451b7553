package githubsim

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

func getRepository(c *call) reply { return ok(c.s.viewFullRepository(c.repo, c.who)) }

func getBranch(c *call) reply {
	name := c.r.PathValue("branch")
	head := c.repo.Head(name)
	if head == "" {
		panic(fail(http.StatusNotFound, "Branch not found"))
	}
	commit := c.repo.git.commit(head)
	self := c.repo.api() + "/branches/" + escapePath(name)
	guarded := c.repo.protected[name] != ""
	return ok(object{
		"name": name, "commit": c.repo.viewCommit(commit), "protected": guarded, "protection_url": self + "/protection",
		"_links": object{"self": self, "html": c.repo.html() + "/tree/" + escapePath(name)},
		"protection": object{
			"enabled": guarded, "required_status_checks": object{"enforcement_level": "off", "contexts": []string{}, "checks": []object{}},
		},
	})
}

func (r *Repository) revision(name string) string {
	return r.git.resolve(cmp.Or(name, r.trunk), "commit")
}

func listCommits(c *call) reply {
	if c.repo.Head(c.repo.trunk) == "" {
		panic(fail(http.StatusConflict, "Git Repository is empty."))
	}
	id := c.repo.revision(c.query().Get("sha"))
	if id == "" {
		panic(errNotFound)
	}
	if c.query().Get("path") != "" {
		c.s.violate("%s: the simulator knows no history of a path", c.op)
	}
	commits := c.repo.git.history(id)
	return list(c.repo.viewCommits(commits))
}

func (r *Repository) viewCommits(commits []commit) []object {
	return views(commits, r.viewCommit)
}

func compare(c *call) reply {
	base, head, found := strings.Cut(c.r.PathValue("basehead"), "...")
	from, to := c.repo.revision(base), c.repo.revision(head)
	if !found || from == "" || to == "" {
		panic(errNotFound)
	}
	git := c.repo.git
	shared := git.mergeBase(from, to)
	if shared == "" {
		panic(fail(http.StatusNotFound, "No common ancestor between %s and %s.", base, head))
	}
	ahead := git.history(to, from)
	slices.Reverse(ahead)
	behind := git.history(from, to)
	changes := git.diff(shared, to)
	ends := c.repo.viewCommits([]commit{git.commit(from), git.commit(shared)})
	html := c.repo.html() + "/compare/" + escapePath(c.r.PathValue("basehead"))
	return ok(object{
		"url": c.repo.api() + "/compare/" + escapePath(c.r.PathValue("basehead")), "html_url": html, "permalink_url": html, "diff_url": html + ".diff",
		"patch_url": html + ".patch", "base_commit": ends[0], "merge_base_commit": ends[1], "status": relation(len(ahead), len(behind)),
		"ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead), "commits": c.repo.viewCommits(ahead),
		"files": c.repo.viewChanges(changes, to),
	})
}

func relation(ahead, behind int) string {
	switch {
	case ahead > 0 && behind > 0:
		return "diverged"
	case ahead > 0:
		return "ahead"
	case behind > 0:
		return "behind"
	}
	return "identical"
}

func listPullsOfCommit(c *call) reply {
	id := c.r.PathValue("commit_sha")
	return list(views(only(c.repo.pulls, func(p *pull) bool {
		return id == p.mergeID || c.repo.git.ancestor(id, p.HeadID) && !c.repo.git.ancestor(id, p.BaseID)
	}), c.repo.viewSimplePull))
}
