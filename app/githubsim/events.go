package githubsim

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// about returns the fields that every repository webhook has.
func (s *Server) about(repo *Repository, login string) object {
	out := object{"repository": s.viewRepository(repo), "sender": s.viewLogin(login)}
	if in := s.installationFor(repo); in != nil {
		out["installation"] = object{"id": in.id, "node_id": node("Installation", in.id)}
	}
	return out
}

// tell delivers an event of a repository. Its changes, an object, are left out if nil.
func (s *Server) tell(repo *Repository, event, action, login string, more object) {
	payload := s.about(repo, login)
	if action != "" {
		payload["action"] = action
	}
	maps.Copy(payload, more)
	if changes, ok := more["changes"].(object); ok && changes == nil {
		delete(payload, "changes")
	}
	s.deliver(event, action, s.installationFor(repo), repo, payload)
}

func (s *Server) tellRepository(repo *Repository, action string, changes object) {
	s.tell(repo, "repository", action, repo.owner, object{"changes": changes})
}

func (s *Server) tellPull(repo *Repository, p *pull, action string, more object, login string) {
	payload := object{"number": p.Number, "pull_request": repo.viewPull(p)}
	maps.Copy(payload, more)
	s.tell(repo, "pull_request", action, login, payload)
}

// mostCommits is GitHub's limit of commits in a push payload.
const mostCommits = 2048

// tellPush delivers a push, and create or delete for a new or removed reference.
func (s *Server) tellPush(repo *Repository, ref, before, after, login string) {
	commits, head := repo.brought(ref, before, after)
	fresh, gone := before == zero, after == zero
	kind := "branch"
	name, isBranch := strings.CutPrefix(ref, "refs/heads/")
	if !isBranch {
		kind, name = "tag", strings.TrimPrefix(ref, "refs/tags/")
	}
	if isBranch && !gone {
		s.askForChecks(repo, after, login)
	}
	payload := object{
		"ref": ref, "before": before, "after": after, "created": fresh, "deleted": gone, "base_ref": nil, "commits": commits, "head_commit": head,
		"forced":  !fresh && !gone && !repo.git.ancestor(before, after),
		"compare": repo.html() + "/compare/" + before[:12] + "..." + after[:12],
		"pusher":  object{"name": login, "email": s.signature(login).Email}, "repository": s.viewPushed(repo),
	}
	s.tell(repo, "push", "", login, payload)
	about := object{"ref": name, "ref_type": kind, "pusher_type": "user"}
	switch {
	case fresh:
		maps.Copy(about, object{"master_branch": repo.trunk, "description": nil})
		s.tell(repo, "create", "", login, about)
	case gone:
		s.tell(repo, "delete", "", login, about)
	}
}

// viewPushed is the repository view of push payloads, whose times are in Unix seconds.
func (s *Server) viewPushed(repo *Repository) object {
	out := s.viewRepository(repo)
	maps.Copy(out, object{
		"created_at": repo.made.Unix(), "pushed_at": repo.pushed.Unix(), "stargazers": 0, "master_branch": repo.trunk, "url": repo.html(),
	})
	owner := s.account(repo.owner)
	maps.Copy(out["owner"].(object), object{"name": owner.login, "email": nil})
	return out
}

func (r *Repository) brought(ref, before, after string) ([]object, any) {
	items := []object{}
	if after == zero {
		return items, nil
	}
	var without []string
	if before != zero {
		without = []string{r.git.resolve(before, "commit")}
	} else {
		branches := r.git.refs("refs/heads")
		delete(branches, ref)
		without = slices.Collect(maps.Values(branches))
	}
	after = r.git.resolve(after, "commit") // peel an annotated tag
	commits := r.git.history(after, without...)
	slices.Reverse(commits)
	commits = commits[max(0, len(commits)-mostCommits):]
	all := append(slices.Clip(commits), r.git.commit(after))
	r.git.touched(all)
	for _, c := range all[:len(commits)] {
		items = append(items, r.viewPushedCommit(c))
	}
	return items, r.viewPushedCommit(all[len(commits)])
}

func (r *Repository) viewPushedCommit(c commit) object {
	lists := map[string][]string{"added": {}, "removed": {}, "modified": {}}
	for _, f := range c.files {
		status := f.status
		if lists[status] == nil {
			status = "modified"
		}
		lists[status] = append(lists[status], f.path)
	}
	person := func(s signature) object {
		return object{"name": s.Name, "email": s.Email, "username": cmp.Or(loginOf(s.Email), s.Name)}
	}
	return object{
		"id": c.id, "tree_id": c.tree, "distinct": true, "message": c.message, "timestamp": c.committer.Date.Format(time.RFC3339),
		"url": r.html() + "/commit/" + c.id, "author": person(c.author), "committer": person(c.committer),
		"added": lists["added"], "removed": lists["removed"], "modified": lists["modified"],
	}
}

func (s *Server) tellPing() {
	s.deliver("ping", "", nil, nil, object{
		"zen": "Keep it logically awesome.", "hook_id": s.app.ID,
		"hook": object{
			"type": "App", "id": s.app.ID, "name": "web", "active": true, "events": s.app.Events, "app_id": s.app.ID, "config": s.viewHook(),
			"updated_at": stamp(s.time()), "created_at": stamp(s.time()), "deliveries_url": s.APIURL() + "/app/hook/deliveries",
		},
	})
}

func (s *Server) tellInstallation(in *installation, action string) {
	s.deliver("installation", action, in, nil, object{
		"action": action, "installation": s.viewInstallation(in), "repositories": s.viewShort(in.repos), "requester": nil,
		"sender": s.viewAccount(in.account),
	})
}

func (s *Server) tellInstallationRepositories(in *installation, action string, repos []*Repository) {
	payload := object{
		"action": action, "installation": s.viewInstallation(in), "repository_selection": "selected", "requester": nil,
		"repositories_added": []object{}, "repositories_removed": []object{}, "sender": s.viewAccount(in.account),
	}
	payload["repositories_"+action] = s.viewShort(repos)
	s.deliver("installation_repositories", action, in, nil, payload)
}
