package githubsim

import (
	"cmp"
	"maps"
	"net/url"
	"strings"
)

// viewCommit is the commit view of the commits API.
func (r *Repository) viewCommit(c commit) object {
	return object{
		"url": r.api() + "/commits/" + c.id, "sha": c.id, "node_id": node("Commit", c.id), "html_url": r.html() + "/commit/" + c.id,
		"comments_url": r.api() + "/commits/" + c.id + "/comments", "parents": r.viewParents(c),
		"author": r.s.viewAuthor(c.author), "committer": r.s.viewAuthor(c.committer),
		"commit": object{
			"url": r.api() + "/git/commits/" + c.id, "author": viewSignature(c.author), "committer": viewSignature(c.committer),
			"message": c.message, "comment_count": 0, "tree": r.viewTreeRef(c.tree), "verification": r.viewVerification(c),
		},
	}
}

func (r *Repository) viewGitCommit(c commit) object {
	return object{
		"sha": c.id, "node_id": node("Commit", c.id), "url": r.api() + "/git/commits/" + c.id, "html_url": r.html() + "/commit/" + c.id,
		"author": viewSignature(c.author), "committer": viewSignature(c.committer), "message": c.message, "tree": r.viewTreeRef(c.tree),
		"parents": r.viewParents(c), "verification": r.viewVerification(c),
	}
}

func (r *Repository) viewTreeRef(id string) object {
	return object{"sha": id, "url": r.api() + "/git/trees/" + id}
}

func (r *Repository) viewParents(c commit) []object {
	return views(c.parents, func(p string) object {
		return object{"sha": p, "url": r.api() + "/git/commits/" + p, "html_url": r.html() + "/commit/" + p}
	})
}

func (r *Repository) viewVerification(c commit) object {
	if !r.verified[c.id] {
		return object{"verified": false, "reason": "unsigned", "payload": nil, "signature": nil, "verified_at": nil}
	}
	return object{
		"verified": true, "reason": "valid", "payload": "tree " + c.tree, "signature": "-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----",
		"verified_at": stamp(c.committer.Date),
	}
}

func viewSignature(s signature) object {
	return object{"name": s.Name, "email": s.Email, "date": stamp(s.Date)}
}

// viewAuthor returns the account with an email address, or nil.
func (s *Server) viewAuthor(who signature) any {
	login := loginOf(who.Email)
	if who.Email == "noreply@github.com" {
		return s.viewLogin("web-flow")
	}
	if a, ok := s.accounts[lower(login)]; ok {
		return s.viewAccount(a)
	}
	return nil
}

func loginOf(email string) string {
	local, ok := strings.CutSuffix(email, "@users.noreply.github.com")
	if _, login, found := strings.Cut(local, "+"); ok && found {
		return login
	}
	return ""
}

func (r *Repository) viewChange(c change, at string) object {
	path := escapePath(c.path)
	out := object{
		"sha": c.id, "filename": c.path, "status": c.status, "additions": c.additions, "deletions": c.removed, "changes": c.additions + c.removed,
		"blob_url": r.html() + "/blob/" + at + "/" + path, "raw_url": r.html() + "/raw/" + at + "/" + path,
		"contents_url": r.api() + "/contents/" + path + "?ref=" + at,
	}
	if c.patch != "" {
		out["patch"] = c.patch
	}
	if c.before != "" {
		out["previous_filename"] = c.before
	}
	return out
}

func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

func (r *Repository) viewChanges(changes []change, at string) []object {
	return views(changes, func(c change) object { return r.viewChange(c, at) })
}

func (s *Server) viewEnd(r *Repository, branch, id string) object {
	return object{
		"label": r.owner + ":" + branch, "ref": branch, "sha": id, "user": s.viewLogin(r.owner), "repo": s.viewRepository(r),
	}
}

var pullLinks = map[string]string{
	"self": "", "commits": "/commits", "review_comments": "/comments", "review_comment": "/comments{/number}",
}

func (r *Repository) viewLabels(names []string) []object {
	return views(names, r.viewLabel)
}

// viewLabel returns a label by name. Labels are not stored, so their ids are not unique.
func (r *Repository) viewLabel(name string) object {
	return object{
		"id": r.id, "node_id": node("Label", r.id), "url": r.api() + "/labels/" + url.PathEscape(name), "name": name, "description": nil,
		"color": "ededed", "default": false,
	}
}

// viewSimplePull is the pull request view in lists.
func (r *Repository) viewSimplePull(p *pull) object {
	api, issue, html := r.pullAPI(p), r.issueAPI(p.Number), r.pullHTML(p.Number)
	links := object{"html": object{"href": html}, "issue": object{"href": issue}, "comments": object{"href": issue + "/comments"}}
	for name, path := range pullLinks {
		links[name] = object{"href": api + path}
	}
	links["statuses"] = object{"href": r.api() + "/statuses/" + p.HeadID}
	merge := orNil(cmp.Or(p.mergeID, p.trialID))
	return object{
		"url": api, "id": p.id, "node_id": node("PullRequest", p.id), "html_url": html, "diff_url": html + ".diff", "patch_url": html + ".patch",
		"issue_url": issue, "number": p.Number, "state": p.State, "locked": false, "title": p.Title, "user": r.s.viewLogin(p.Author),
		"body": p.Body, "created_at": stamp(p.made), "updated_at": stamp(p.changed), "closed_at": stamp(p.closed), "merged_at": stamp(p.joined),
		"merge_commit_sha": merge, "assignee": nil, "assignees": []object{}, "requested_reviewers": []object{}, "requested_teams": []object{},
		"labels": r.viewLabels(p.labels), "milestone": nil, "draft": p.draft, "commits_url": api + "/commits", "review_comments_url": api + "/comments",
		"review_comment_url": r.api() + "/pulls/comments{/number}", "comments_url": issue + "/comments", "statuses_url": r.api() + "/statuses/" + p.HeadID,
		"head": r.s.viewEnd(p.from, p.Head, p.HeadID), "base": r.s.viewEnd(r, p.Base, p.BaseID), "_links": links,
		"author_association": r.association(p.Author), "auto_merge": nil, "active_lock_reason": nil,
	}
}

// viewPull is the view of a single pull request.
func (r *Repository) viewPull(p *pull) object {
	out := r.viewSimplePull(p)
	from := r.git.mergeBase(p.BaseID, p.HeadID)
	if from == "" {
		from = emptyTree
	}
	changes, added, removed := r.git.diff(from, p.HeadID), 0, 0
	for _, c := range changes {
		added, removed = added+c.additions, removed+c.removed
	}
	commits := r.git.history(p.HeadID, p.BaseID)
	var merger any
	if p.merger != "" {
		merger = r.s.viewLogin(p.merger)
	}
	maps.Copy(out, object{
		"merged": p.Merged, "merged_by": merger, "mergeable": nil, "rebaseable": nil, "mergeable_state": "unknown", "maintainer_can_modify": false,
		"comments": len(r.commentsOn(p.Number)), "review_comments": len(r.remarks(p)), "commits": len(commits),
		"additions": added, "deletions": removed, "changed_files": len(changes),
	})
	if !p.Merged && p.State == "open" {
		out["mergeable"], out["mergeable_state"] = p.trialID != "", map[bool]string{true: "clean", false: "dirty"}[p.trialID != ""]
	}
	return out
}

func (r *Repository) viewPullMinimal(p *pull) object {
	end := func(repo *Repository, branch, id string) object {
		return object{"ref": branch, "sha": id, "repo": object{"id": repo.id, "name": repo.name, "url": repo.api()}}
	}
	return object{
		"id": p.id, "number": p.Number, "url": r.pullAPI(p), "head": end(p.from, p.Head, p.HeadID), "base": end(r, p.Base, p.BaseID),
	}
}

func (r *Repository) association(login string) string {
	if login == r.owner {
		return "OWNER"
	}
	return "NONE"
}
