package webhooks

import "strings"

// Known is an event of GitHub that the server handles.
type Known struct {
	Name string
	Why  string // the reaction
}

// Always reports whether GitHub sends an event to every App. GitHub rejects manifests that ask for it.
func (k Known) Always() bool { return strings.HasPrefix(k.Name, "installation") }

// Events are the handled events. docs/github-events.md lists all events of GitHub.
var Events = []Known{
	{"push", "a branch moved: units that depend on the changed files are re-evaluated"},
	{"pull_request", "a pull request was opened, changed, closed or merged"},
	{"merge_group", "a merge queue wants its pull requests checked before it merges them"},
	{"check_run", "someone asks to run one of our checks again"},
	{"check_suite", "someone asks to run all checks of a commit again"},
	{"issue_comment", "someone gives a command in a comment on a pull request, such as `/causal help`"},
	{"pull_request_review_comment", "someone gives one beside a line"},
	{"pull_request_review_thread", "someone settles a remark, or opens it again"},
	{"repository", "a repository was renamed, moved, archived, or has another default branch"},
	{"installation", "the App was installed, suspended or removed"},
	{"installation_repositories", "repositories were added to the App or taken from it"},
}
