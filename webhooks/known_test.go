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
	for file, table := range map[string][]Known{"testdata/events.txt": Events, "testdata/rules.txt": Rules} {
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
	want := introduction + rendered("Events", "Event", Events) + rendered("Branch rules", "Rule or setting", Rules)
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
