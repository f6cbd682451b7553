package githubsim

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func node(kind string, id any) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s:%v", kind, id))
}

func views[T any](list []T, view func(T) object) []object {
	out := make([]object, len(list))
	for i, v := range list {
		out[i] = view(v)
	}
	return out
}

func only[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool { return !keep(v) })
}

// first returns the first such value, or the zero value.
func first[T any](list []T, is func(T) bool) (found T) {
	if i := slices.IndexFunc(list, is); i >= 0 {
		found = list[i]
	}
	return found
}

// one ends the request if there is no such value.
func one[T any](list []*T, is func(*T) bool) *T {
	if found := first(list, is); found != nil {
		return found
	}
	panic(errNotFound)
}

func below(out object, base string, paths map[string]string) {
	for name, path := range paths {
		out[name] = base + path
	}
}

var accountPaths = map[string]string{
	"url": "", "followers_url": "/followers", "following_url": "/following{/other_user}", "gists_url": "/gists{/gist_id}",
	"starred_url": "/starred{/owner}{/repo}", "subscriptions_url": "/subscriptions", "organizations_url": "/orgs", "repos_url": "/repos",
	"events_url": "/events{/privacy}", "received_events_url": "/received_events",
}

func (s *Server) viewAccount(a *account) object {
	out := object{
		"login": a.login, "id": a.id, "node_id": node(a.kind, a.id), "gravatar_id": "", "type": a.kind, "site_admin": false,
		"user_view_type": "public", "avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.url, a.id), "html_url": s.url + "/" + a.login,
	}
	below(out, s.APIURL()+"/users/"+a.login, accountPaths)
	return out
}

func (s *Server) viewLogin(login string) object { return s.viewAccount(s.account(login)) }

var repositoryPaths = map[string]string{
	"url": "", "archive_url": "/{archive_format}{/ref}", "assignees_url": "/assignees{/user}", "blobs_url": "/git/blobs{/sha}",
	"branches_url": "/branches{/branch}", "collaborators_url": "/collaborators{/collaborator}", "comments_url": "/comments{/number}",
	"commits_url": "/commits{/sha}", "compare_url": "/compare/{base}...{head}", "contents_url": "/contents/{+path}",
	"contributors_url": "/contributors", "deployments_url": "/deployments", "downloads_url": "/downloads", "events_url": "/events",
	"forks_url": "/forks", "git_commits_url": "/git/commits{/sha}", "git_refs_url": "/git/refs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"hooks_url": "/hooks", "issue_comment_url": "/issues/comments{/number}", "issue_events_url": "/issues/events{/number}",
	"issues_url": "/issues{/number}", "keys_url": "/keys{/key_id}", "labels_url": "/labels{/name}", "languages_url": "/languages",
	"merges_url": "/merges", "milestones_url": "/milestones{/number}", "notifications_url": "/notifications{?since,all,participating}",
	"pulls_url": "/pulls{/number}", "releases_url": "/releases{/id}", "stargazers_url": "/stargazers", "statuses_url": "/statuses/{sha}",
	"subscribers_url": "/subscribers", "subscription_url": "/subscription", "tags_url": "/tags", "teams_url": "/teams",
	"trees_url": "/git/trees{/sha}",
}

func (s *Server) viewRepository(r *Repository) object {
	visibility := "public"
	if r.private {
		visibility = "private"
	}
	html := s.url + "/" + r.fullName()
	out := object{
		"id": r.id, "node_id": node("Repository", r.id), "name": r.name, "full_name": r.fullName(), "owner": s.viewLogin(r.owner),
		"private": r.private, "visibility": visibility, "description": nil, "fork": r.parent != nil, "default_branch": r.trunk,
		"homepage": nil, "language": nil, "license": nil, "topics": []string{}, "mirror_url": nil, "size": r.size(),
		"archived": r.archived, "disabled": false, "is_template": false, "allow_forking": true, "web_commit_signoff_required": false,
		"has_issues": true, "has_projects": true, "has_downloads": true, "has_wiki": true, "has_pages": false, "has_discussions": false,
		"has_pull_requests": true, "forks": 0, "forks_count": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0,
		"open_issues": 0, "open_issues_count": 0, "html_url": html, "clone_url": html + ".git", "svn_url": html,
		"git_url": "git" + strings.TrimPrefix(html, "http") + ".git", "ssh_url": "git@github.com:" + r.fullName() + ".git",
		"created_at": stamp(r.made), "updated_at": stamp(r.pushed), "pushed_at": stamp(r.pushed),
	}
	below(out, r.api(), repositoryPaths)
	return out
}

// size is in kilobytes, as on GitHub. Only an empty repository has size 0.
func (r *Repository) size() int {
	if r.Head(r.trunk) == "" {
		return 0
	}
	return 100
}

func (r *Repository) api() string { return r.s.APIURL() + "/repos/" + r.fullName() }

func (r *Repository) html() string { return r.s.url + "/" + r.fullName() }

// viewFullRepository adds the fields of a single repository.
func (s *Server) viewFullRepository(r *Repository, who *principal) object {
	out := s.viewRepository(r)
	push := who.may(r, "contents:write")
	maps.Copy(out, object{
		"network_count": 0, "subscribers_count": 0, "temp_clone_token": nil,
		"permissions": object{"admin": who.everything, "maintain": who.everything, "push": push, "triage": push, "pull": true},
	})
	if r.parent != nil {
		out["parent"], out["source"] = s.viewRepository(r.parent), s.viewRepository(r.parent)
	}
	return out
}

func (s *Server) viewApp(a *App) object {
	permissions := object{}
	for name, level := range a.Permissions {
		permissions[name] = level
	}
	installed := 0
	for _, in := range s.installations {
		if in.app == a {
			installed++
		}
	}
	return object{
		"id": a.ID, "client_id": a.ClientID, "slug": a.Slug, "node_id": node("App", a.ID), "owner": s.viewLogin(a.Owner), "name": a.Name,
		"description": "", "external_url": a.HomePage, "html_url": s.url + "/apps/" + a.Slug, "created_at": stamp(s.account(a.Owner).created),
		"updated_at": stamp(s.account(a.Owner).created), "permissions": permissions, "events": a.Events, "installations_count": installed,
	}
}

func (s *Server) viewInstallation(in *installation) object {
	return object{
		"id": in.id, "account": s.viewAccount(in.account), "access_tokens_url": fmt.Sprintf("%s/app/installations/%d/access_tokens", s.APIURL(), in.id),
		"repositories_url": s.APIURL() + "/installation/repositories", "html_url": fmt.Sprintf("%s/settings/installations/%d", s.url, in.id),
		"app_id": in.app.ID, "client_id": in.app.ClientID, "app_slug": in.app.Slug, "target_id": in.account.id, "target_type": in.account.kind,
		"permissions": in.permissions, "events": in.events, "single_file_name": nil, "has_multiple_single_files": false,
		"single_file_paths": []string{}, "repository_selection": "selected", "created_at": stamp(in.created), "updated_at": stamp(in.created),
		"suspended_by": nil, "suspended_at": nil, "contact_email": nil,
	}
}

func (s *Server) viewShort(repos []*Repository) []object {
	return views(repos, func(r *Repository) object {
		return object{"id": r.id, "node_id": node("Repository", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private}
	})
}
