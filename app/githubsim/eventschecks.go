package githubsim

import (
	"maps"
	"slices"
	"strings"
)

func (s *Server) tellCheckRun(repo *Repository, run *CheckRun, action, login string) {
	view := repo.viewCheck(run)
	view["check_suite"] = repo.viewSuite(run.suite)
	s.tell(repo, "check_run", action, login, object{"check_run": view})
}

func (s *Server) tellCheckSuite(repo *Repository, v *suite, action, login string) {
	s.tell(repo, "check_suite", action, login, object{"check_suite": repo.viewSuite(v)})
}

// askForChecks delivers "check_suite requested", as GitHub does after every push.
func (s *Server) askForChecks(repo *Repository, head, login string) {
	if s.app != nil && s.app.Permissions["checks"] == "write" && s.installationFor(repo) != nil {
		s.tellCheckSuite(repo, repo.suiteOf(head, s.app), "requested", login)
	}
}

// tellDone delivers "check_run completed", then "check_suite completed" after the last run of the suite.
func (s *Server) tellDone(repo *Repository, run *CheckRun, login string) {
	s.tellCheckRun(repo, run, "completed", login)
	if repo.statusOf(run.suite) == "completed" {
		s.tellCheckSuite(repo, run.suite, "completed", login)
	}
}

func (r *Repository) runsOf(v *suite) []*CheckRun {
	return only(r.runs, func(run *CheckRun) bool { return run.suite == v })
}

func (r *Repository) statusOf(v *suite) string {
	runs := r.runsOf(v)
	if len(runs) == 0 || slices.ContainsFunc(runs, func(run *CheckRun) bool { return run.Status != "completed" }) {
		return "queued"
	}
	return "completed"
}

func (r *Repository) viewSuite(v *suite) object {
	c := r.git.commit(v.head)
	runs := r.runsOf(v)
	var conclusion any
	if r.statusOf(v) == "completed" {
		conclusion = orNil(runs[len(runs)-1].Conclusion)
	}
	before := zero
	if len(c.parents) > 0 {
		before = c.parents[0]
	}
	return object{
		"id": v.id, "node_id": node("CheckSuite", v.id), "head_branch": orNil(r.branchAt(v.head)), "head_sha": v.head, "status": r.statusOf(v),
		"conclusion": conclusion, "url": r.suiteAPI(v), "before": before, "after": v.head, "pull_requests": r.pullsAt(v.head), "app": r.s.viewApp(v.app),
		"created_at": stamp(v.made), "updated_at": stamp(v.made), "latest_check_runs_count": len(runs), "check_runs_url": r.suiteAPI(v) + "/check-runs",
		"head_commit": r.viewHead(c),
	}
}

func (r *Repository) viewHead(c commit) object {
	out := r.viewPushedCommit(c)
	maps.DeleteFunc(out, func(key string, _ any) bool {
		return !slices.Contains([]string{"id", "tree_id", "message", "timestamp", "author", "committer"}, key)
	})
	return out
}

func (r *Repository) branchAt(commit string) string {
	heads := r.git.refs("refs/heads")
	for _, ref := range sorted(heads) {
		if heads[ref] == commit {
			return strings.TrimPrefix(ref, "refs/heads/")
		}
	}
	return ""
}
