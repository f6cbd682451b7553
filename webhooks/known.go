package webhooks

import "strings"

// Status is how the server treats an event or a rule of GitHub.
type Status string

// The statuses.
const (
	Handled     Status = "handled"
	NothingToDo Status = "nothing to do"
	Missing     Status = "missing" // not implemented yet
)

// Known is an event or a branch rule of GitHub, with the reaction of the server.
type Known struct {
	Name   string
	Status Status
	Why    string // the reaction, or the reason for none
}

// Always reports whether GitHub sends an event to every App. GitHub rejects manifests that ask for it.
func (k Known) Always() bool {
	return k.Name == "github_app_authorization" || k.Name == "ping" || strings.HasPrefix(k.Name, "installation")
}

// Events are all events of GitHub. docs/github-events.md lists them.
var Events = []Known{
	{"push", Handled, "a branch moved: units that depend on the changed files are re-evaluated"},
	{"pull_request", Handled, "a pull request was opened, changed, closed or merged"},
	{"merge_group", Handled, "a merge queue wants its pull requests checked before it merges them"},
	{"check_run", Handled, "someone asks to run one of our checks again"},
	{"check_suite", Handled, "someone asks to run all checks of a commit again"},
	{"issue_comment", Handled, "someone gives a command in a comment on a pull request, such as `/causal help`"},
	{"pull_request_review_comment", Handled, "someone gives one beside a line"},
	{"pull_request_review_thread", Handled, "someone settles a remark, or opens it again"},
	{"repository", Handled, "a repository was renamed, moved, archived, or has another default branch"},
	{"installation", Handled, "the App was installed, suspended or removed"},
	{"installation_repositories", Handled, "repositories were added to the App or taken from it"},
	{"label", Missing, "if a label in `bot.ignore` is renamed or deleted, its pull requests are analysed only at their next event"},
	{"pull_request_review", Missing, "a command in the summary of a review is not heard; in a comment, or beside a line, it is"},
	{"branch_protection_configuration", NothingToDo, "publishing finds out whether a branch is protected, each time"},
	{"branch_protection_rule", NothingToDo, "publishing finds out whether a branch is protected, each time"},
	{"bypass_request_secret_scanning", NothingToDo, "it says nothing about code"},
	{"cache_sync", NothingToDo, "it concerns only operators of a GitHub Enterprise Server"},
	{"code_scanning_alert", NothingToDo, "alerts of other tools belong to those tools"},
	{"commit_comment", NothingToDo, "commands are given on pull requests"},
	{"create", NothingToDo, "a push event says the same of a branch; a tag counts at the next push to the default branch"},
	{"custom_property", NothingToDo, "causal reads no custom properties"},
	{"custom_property_values", NothingToDo, "causal reads no custom properties"},
	{"delete", NothingToDo, "nothing is left to document"},
	{"dependabot_alert", NothingToDo, "alerts of other tools belong to those tools"},
	{"deploy_key", NothingToDo, "the App reads and writes with its installation tokens"},
	{"deployment", NothingToDo, "nothing is deployed for documentation in a repository"},
	{"deployment_protection_rule", NothingToDo, "nothing is deployed for documentation in a repository"},
	{"deployment_review", NothingToDo, "nothing is deployed for documentation in a repository"},
	{"deployment_status", NothingToDo, "nothing is deployed for documentation in a repository"},
	{"discussion", NothingToDo, "commands are given on pull requests"},
	{"discussion_comment", NothingToDo, "commands are given on pull requests"},
	{"dismissal_request_code_scanning", NothingToDo, "it says nothing about code"},
	{"dismissal_request_secret_scanning", NothingToDo, "it says nothing about code"},
	{"enterprise", NothingToDo, "it concerns only operators of a GitHub Enterprise Server"},
	{"exemption_request_push_ruleset", NothingToDo, "it has no effect on code until a push follows"},
	{"fork", NothingToDo, "a fork is documented when the App is installed on it"},
	{"github_app_authorization", NothingToDo, "the status page asks GitHub with the token of the person, which GitHub refuses then"},
	{"gollum", NothingToDo, "wikis are not documented"},
	{"installation_target", NothingToDo, "repositories are found by their number, which a new name of their owner does not change"},
	{"issue_dependencies", NothingToDo, "it says nothing about code"},
	{"issues", NothingToDo, "commands are given on pull requests"},
	{"marketplace_purchase", NothingToDo, "the App is not sold"},
	{"member", NothingToDo, "causal checks permissions at each command"},
	{"membership", NothingToDo, "causal checks permissions at each command"},
	{"meta", NothingToDo, "the webhook is the App's own, and ends with it"},
	{"milestone", NothingToDo, "it says nothing about code"},
	{"org_block", NothingToDo, "causal checks permissions at each command"},
	{"organization", NothingToDo, "causal checks permissions at each command"},
	{"organization_custom_property", NothingToDo, "causal reads no custom properties"},
	{"organization_custom_property_values", NothingToDo, "causal reads no custom properties"},
	{"package", NothingToDo, "docs follow branches, not releases"},
	{"page_build", NothingToDo, "nothing is deployed for documentation in a repository"},
	{"personal_access_token_request", NothingToDo, "the App uses no personal access tokens"},
	{"ping", NothingToDo, "GitHub only tests whether the server answers"},
	{"project", NothingToDo, "it says nothing about code"},
	{"project_card", NothingToDo, "it says nothing about code"},
	{"project_column", NothingToDo, "it says nothing about code"},
	{"projects_v2", NothingToDo, "it says nothing about code"},
	{"projects_v2_item", NothingToDo, "it says nothing about code"},
	{"projects_v2_status_update", NothingToDo, "it says nothing about code"},
	{"public", NothingToDo, "docs are the same in a public repository"},
	{"registry_package", NothingToDo, "docs follow branches, not releases"},
	{"release", NothingToDo, "docs follow branches, not releases"},
	{"repository_advisory", NothingToDo, "alerts of other tools belong to those tools"},
	{"repository_dispatch", NothingToDo, "it is for workflows"},
	{"repository_import", NothingToDo, "the sweeper finds the imported head"},
	{"repository_ruleset", NothingToDo, "publishing finds out which rules refuse a commit, each time"},
	{"repository_vulnerability_alert", NothingToDo, "alerts of other tools belong to those tools"},
	{"secret_scanning_alert", NothingToDo, "alerts of other tools belong to those tools"},
	{"secret_scanning_alert_location", NothingToDo, "alerts of other tools belong to those tools"},
	{"secret_scanning_scan", NothingToDo, "alerts of other tools belong to those tools"},
	{"security_advisory", NothingToDo, "alerts of other tools belong to those tools"},
	{"security_and_analysis", NothingToDo, "it says nothing about code"},
	{"sponsorship", NothingToDo, "it says nothing about code"},
	{"star", NothingToDo, "it says nothing about code"},
	{"status", NothingToDo, "verdicts of other programs change no docs"},
	{"sub_issues", NothingToDo, "it says nothing about code"},
	{"team", NothingToDo, "causal checks permissions at each command"},
	{"team_add", NothingToDo, "causal checks permissions at each command"},
	{"user", NothingToDo, "it concerns only operators of a GitHub Enterprise Server"},
	{"watch", NothingToDo, "it says nothing about code"},
	{"workflow_dispatch", NothingToDo, "it is for workflows"},
	{"workflow_job", NothingToDo, "it is for workflows"},
	{"workflow_run", NothingToDo, "it is for workflows"},
}
