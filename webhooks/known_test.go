package webhooks

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
)

// status is how the server treats an event or a rule of GitHub.
type status string

const (
	handled     status = "handled"
	nothingToDo status = "nothing to do"
	missing     status = "missing" // not implemented yet
)

// listed is an event or a branch rule of GitHub; why has the reaction of the server, or the reason for none.
type listed struct {
	name   string
	status status
	why    string
}

// allEvents are all events of GitHub.
func allEvents() []listed {
	var list []listed
	for _, k := range Events {
		list = append(list, listed{k.Name, handled, k.Why})
	}
	list = append(list, listed{"label", missing, "if a label in `bot.ignore` is renamed or deleted, its pull requests are analysed only at their next event"})
	list = append(list, listed{"pull_request_review", missing, "a command in the summary of a review is not heard; in a comment, or beside a line, it is"})
	var none []listed
	for why, names := range ignoredBecause {
		for name := range strings.FieldsSeq(names) {
			none = append(none, listed{name, nothingToDo, why})
		}
	}
	slices.SortFunc(none, func(a, b listed) int { return strings.Compare(a.name, b.name) })
	return append(list, none...)
}

// ignoredBecause are the events without a reaction, by the reason.
var ignoredBecause = map[string]string{
	"publishing finds out whether a branch is protected, each time":                               "branch_protection_configuration branch_protection_rule",
	"it says nothing about code":                                                                  "bypass_request_secret_scanning dismissal_request_code_scanning dismissal_request_secret_scanning issue_dependencies milestone project project_card project_column projects_v2 projects_v2_item projects_v2_status_update security_and_analysis sponsorship star sub_issues watch",
	"it concerns only operators of a GitHub Enterprise Server":                                    "cache_sync enterprise user",
	"alerts of other tools belong to those tools":                                                 "code_scanning_alert dependabot_alert repository_advisory repository_vulnerability_alert secret_scanning_alert secret_scanning_alert_location secret_scanning_scan security_advisory",
	"commands are given on pull requests":                                                         "commit_comment discussion discussion_comment issues",
	"a push event says the same of a branch; a tag counts at the next push to the default branch": "create",
	"causal reads no custom properties":                                                           "custom_property custom_property_values organization_custom_property organization_custom_property_values",
	"nothing is left to document":                                                                 "delete",
	"the App reads and writes with its installation tokens":                                       "deploy_key",
	"nothing is deployed for documentation in a repository":                                       "deployment deployment_protection_rule deployment_review deployment_status page_build",
	"it has no effect on code until a push follows":                                               "exemption_request_push_ruleset",
	"a fork is documented when the App is installed on it":                                        "fork",
	"the status page asks GitHub with the token of the person, which GitHub refuses then":         "github_app_authorization",
	"wikis are not documented":                                                                    "gollum",
	"repositories are found by their number, which a new name of their owner does not change":     "installation_target",
	"the App is not sold":                                                                         "marketplace_purchase",
	"causal checks permissions at each command":                                                   "member membership org_block organization team team_add",
	"the webhook is the App's own, and ends with it":                                              "meta",
	"docs follow branches, not releases":                                                          "package registry_package release",
	"the App uses no personal access tokens":                                                      "personal_access_token_request",
	"GitHub only tests whether the server answers":                                                "ping",
	"docs are the same in a public repository":                                                    "public",
	"it is for workflows":                                                                         "repository_dispatch workflow_dispatch workflow_job workflow_run",
	"the sweeper finds the imported head":                                                         "repository_import",
	"publishing finds out which rules refuse a commit, each time":                                 "repository_ruleset",
	"verdicts of other programs change no docs":                                                   "status",
}

var update = flag.Bool("update", false, "write docs/github-events.md")

const eventsPage = "../docs/github-events.md"

const introduction = `# GitHub's events and branch rules

These tables list each event that GitHub sends and each rule that protects a branch, with the reaction of the [GitHub App](github-app.md). *Missing* means that causal should do something and does not yet. The names are those of GitHub's descriptions of its API, for
github.com, GitHub Enterprise Cloud and GitHub Enterprise Server.

An App that receives more events than it needs ignores them.
`

// TestEverythingIsKnown fails on an event or a rule that GitHub describes and no table lists. The lists in testdata are from
// @octokit/openapi-webhooks 12.1.0: names of events, and the types of rules with the settings of branch protection.
func TestEverythingIsKnown(t *testing.T) {
	t.Parallel()
	for file, table := range map[string][]listed{"testdata/events.txt": allEvents(), "testdata/rules.txt": rules} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range table {
			got = append(got, k.name)
			if k.why == "" {
				t.Errorf("%s: %+v", file, k)
			}
		}
		slices.Sort(got)
		if want := strings.Fields(string(data)); !slices.Equal(got, want) {
			t.Errorf("%s lists\n%v\nand the table\n%v", file, want, got)
		}
	}
}

// TestHandledEventsAreDecided: an event is handled where some action of it asks for work, or gives an installation back.
func TestHandledEventsAreDecided(t *testing.T) {
	t.Parallel()
	p, err := parse("push", []byte(pushed))
	if err != nil {
		t.Fatal(err)
	}
	p.Number, p.Repositories, p.Issue, p.Comment.Body = 1, []repository{p.Repository}, &issue{Number: 1, PullRequest: &struct{}{}}, Word
	p.PullRequest, p.MergeGroup.HeadRef, p.CheckRun.HeadSHA = &pullRequest{Number: 1}, "refs/heads/x", strings.Repeat("a", 40)
	d := newDoor(t, &inbox{answer: queue.New}, nil)
	asking := map[string]bool{}
	for event, actions := range events {
		for action := range actions {
			p.Action = action
			asking[event] = asking[event] || len(d.wants(event, p).subjects) > 0
		}
	}
	for _, k := range allEvents() {
		if (k.status == handled) != asking[k.name] {
			t.Errorf("%s is listed as %s, and asks for work: %v", k.name, k.status, asking[k.name])
		}
	}
}

func TestEventsAreDocumented(t *testing.T) {
	t.Parallel()
	want := introduction + rendered("Events", "Event", allEvents()) + rendered("Branch rules", "Rule or setting", rules)
	if *update {
		if err := os.WriteFile(eventsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(eventsPage)
	if err != nil || string(got) != want {
		t.Errorf("docs/github-events.md is out of date (%v): run go test ./webhooks -run Documented -update", err)
	}
}

func rendered(heading, first string, table []listed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n| %s | | Reaction, or the reason for none |\n|---|---|---|\n", heading, first)
	for _, k := range table {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.name, k.status, k.why)
	}
	return b.String()
}

// rules are the ruleset rules and branch protection settings of GitHub.
var rules = []listed{
	{"allow_deletions", handled, "a branch `causal/docs` that the rule keeps is reported in the check run of the commit"},
	{"block_creations", handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"branch_name_pattern", handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"code_scanning", handled, "the docs are proposed in a pull request, which the tool then scans"},
	{"commit_author_email_pattern", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"commit_message_pattern", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"committer_email_pattern", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"creation", handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"deletion", handled, "a branch `causal/docs` that the rule keeps is reported in the check run of the commit"},
	{"file_extension_restriction", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"file_path_restriction", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"lock_branch", handled, "the docs are proposed in a pull request, which waits until the branch is unlocked"},
	{"max_file_path_length", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"max_file_size", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"merge_queue", handled, "each merge group gets its check run, and docs are proposed in a pull request, because the queue alone writes to the branch"},
	{"non_fast_forward", handled, "the branch itself is never moved by force; a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"pull_request", handled, "the docs are proposed in a pull request"},
	{"required_conversation_resolution", handled, "the App settles the conversations that it began when the finding is fixed"},
	{"required_deployments", handled, "the docs are proposed in a pull request; deploying it is up to the repository's workflows"},
	{"required_pull_request_reviews", handled, "the docs are proposed in a pull request"},
	{"required_status_checks", handled, "the docs are proposed in a pull request; each pull request and merge group gets the check run `causal`, also those of the App and of forks"},
	{"restrictions", handled, "the docs are proposed in a pull request, unless the App is among those who may push"},
	{"update", handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"workflows", handled, "the docs are proposed in a pull request, where the required workflows run"},
	{"allow_force_pushes", nothingToDo, "the branch itself is never moved by force"},
	{"allow_fork_syncing", nothingToDo, "a fork that is synchronized gets a push like any other"},
	{"copilot_code_review", nothingToDo, "other reviewers may comment on the App's pull request"},
	{"enforce_admins", nothingToDo, "the App is no administrator"},
	{"required_linear_history", nothingToDo, "each commit of the App has one parent"},
	{"required_signatures", nothingToDo, "GitHub signs each commit of the App"},
	{"tag_name_pattern", nothingToDo, "the App makes no tags"},
}
