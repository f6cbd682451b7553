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
	for file, table := range map[string][]Known{"testdata/events.txt": Events, "testdata/rules.txt": rules} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range table {
			got = append(got, k.Name)
			if k.Why == "" || !slices.Contains([]Status{Handled, NothingToDo, Missing}, k.Status) {
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
	for _, k := range Events {
		if handled := k.Status == Handled; handled != asking[k.Name] {
			t.Errorf("%s is listed as %s, and asks for work: %v", k.Name, k.Status, asking[k.Name])
		}
	}
}

func TestEventsAreDocumented(t *testing.T) {
	t.Parallel()
	want := introduction + rendered("Events", "Event", Events) + rendered("Branch rules", "Rule or setting", rules)
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

func rendered(heading, first string, table []Known) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n| %s | | Reaction, or the reason for none |\n|---|---|---|\n", heading, first)
	for _, k := range table {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.Name, k.Status, k.Why)
	}
	return b.String()
}

// rules are the ruleset rules and branch protection settings of GitHub.
var rules = []Known{
	{"allow_deletions", Handled, "a branch `causal/docs` that the rule keeps is reported in the check run of the commit"},
	{"block_creations", Handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"branch_name_pattern", Handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"code_scanning", Handled, "the docs are proposed in a pull request, which the tool then scans"},
	{"commit_author_email_pattern", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"commit_message_pattern", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"committer_email_pattern", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"creation", Handled, "a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"deletion", Handled, "a branch `causal/docs` that the rule keeps is reported in the check run of the commit"},
	{"file_extension_restriction", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"file_path_restriction", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"lock_branch", Handled, "the docs are proposed in a pull request, which waits until the branch is unlocked"},
	{"max_file_path_length", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"max_file_size", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"merge_queue", Handled, "each merge group gets its check run, and docs are proposed in a pull request, because the queue alone writes to the branch"},
	{"non_fast_forward", Handled, "the branch itself is never moved by force; a branch `causal/docs` that the rule refuses is reported in the check run of the commit"},
	{"pull_request", Handled, "the docs are proposed in a pull request"},
	{"required_conversation_resolution", Handled, "the App settles the conversations that it began when the finding is fixed"},
	{"required_deployments", Handled, "the docs are proposed in a pull request; deploying it is up to the repository's workflows"},
	{"required_pull_request_reviews", Handled, "the docs are proposed in a pull request"},
	{"required_status_checks", Handled, "the docs are proposed in a pull request; each pull request and merge group gets the check run `causal`, also those of the App and of forks"},
	{"restrictions", Handled, "the docs are proposed in a pull request, unless the App is among those who may push"},
	{"update", Handled, "a commit that is refused is proposed in a pull request, and the check run says so where that is refused too"},
	{"workflows", Handled, "the docs are proposed in a pull request, where the required workflows run"},
	{"allow_force_pushes", NothingToDo, "the branch itself is never moved by force"},
	{"allow_fork_syncing", NothingToDo, "a fork that is synchronized gets a push like any other"},
	{"copilot_code_review", NothingToDo, "other reviewers may comment on the App's pull request"},
	{"enforce_admins", NothingToDo, "the App is no administrator"},
	{"required_linear_history", NothingToDo, "each commit of the App has one parent"},
	{"required_signatures", NothingToDo, "GitHub signs each commit of the App"},
	{"tag_name_pattern", NothingToDo, "the App makes no tags"},
}
