package webhooks

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causaldocs/causal/webhooks/queue"
)

// Examples is the variable that names the unpacked npm package @octokit/webhooks-examples.
const Examples = "CAUSAL_WEBHOOK_EXAMPLES"

func TestWants(t *testing.T) {
	t.Parallel()
	const repo = `"repository": {"id": 7, "full_name": "octo/shop", "default_branch": "trunk"}, "installation": {"id": 3}`
	bot := func(changes string) string {
		return `{"ref": "refs/heads/trunk", "after": "b", "sender": {"login": "causal[bot]"}, ` + repo + `, ` + changes + `}`
	}
	many := strings.TrimSuffix(strings.Repeat(`".causal/x",`, mostPaths), ",")
	tests := []struct {
		name, event, body string
		keys              []string
		outcome           string
	}{
		{"push", "push", `{"ref": "refs/heads/trunk", ` + repo + `}`, []string{"7:refs/heads/trunk"}, ""},
		{"new branch", "push", `{"ref": "refs/heads/trunk", "created": true, ` + repo + `}`, []string{"7:refs/heads/trunk"}, ""},
		{"force-push", "push", `{"ref": "refs/heads/trunk", "forced": true, ` + repo + `}`, []string{"7:refs/heads/trunk"}, ""},
		{"a branch that is not the default one", "push", `{"ref": "refs/heads/a/b", ` + repo + `}`, nil, "not the default branch"},
		{"a push that does not say which branch is the default one", "push", `{"ref": "refs/heads/a/b", "repository": {"id": 7, "full_name": "octo/shop"}, "installation": {"id": 3}}`, []string{"7:refs/heads/a/b"}, ""},
		{"deleted branch", "push", `{"ref": "refs/heads/trunk", "deleted": true, ` + repo + `}`, nil, "the branch was deleted"},
		{"tag", "push", `{"ref": "refs/tags/v1", ` + repo + `}`, nil, "no branch was pushed"},
		{"push to nowhere", "push", `{"ref": "refs/heads/trunk"}`, nil, "the payload names no repository"},
		{"archived", "push", `{"ref": "refs/heads/trunk", "repository": {"id": 7, "full_name": "o/r", "archived": true}}`, nil, "archived"},

		{"own", "push", bot(`"commits": [{"id": "b", "added": [".causal/nodes/a.yml"], "modified": [".causal/log/x"]}]`), nil, "own"},
		{"own and more", "push", bot(`"commits": [{"id": "a", "added": [".causal/x"]}, {"id": "b", "removed": ["main.go"]}]`), []string{"7:refs/heads/trunk"}, ""},
		{"own paths by another", "push", strings.Replace(bot(`"commits": [{"id": "b", "added": [".causal/x"]}]`), "causal[bot]", "ann", 1), []string{"7:refs/heads/trunk"}, ""},
		{"own, list cut off", "push", bot(`"commits": [{"id": "a", "added": [".causal/x"]}]`), []string{"7:refs/heads/trunk"}, ""},
		{"own, no commits", "push", bot(`"commits": []`), []string{"7:refs/heads/trunk"}, ""},
		{"own, merge without files", "push", bot(`"commits": [{"id": "b"}]`), []string{"7:refs/heads/trunk"}, ""},
		{"own, too many paths", "push", bot(`"commits": [{"id": "b", "added": [` + many + `]}]`), []string{"7:refs/heads/trunk"}, ""},
		{"own, forced", "push", bot(`"forced": true, "commits": [{"id": "b", "added": [".causal/x"]}]`), []string{"7:refs/heads/trunk"}, ""},
		{"own, new branch", "push", bot(`"created": true, "commits": [{"id": "b", "added": [".causal/x"]}]`), []string{"7:refs/heads/trunk"}, ""},

		{"opened", "pull_request", `{"action": "opened", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"reopened", "pull_request", `{"action": "reopened", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"pushed to", "pull_request", `{"action": "synchronize", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"closed", "pull_request", `{"action": "closed", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"ready", "pull_request", `{"action": "ready_for_review", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"labelled", "pull_request", `{"action": "labeled", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a label less", "pull_request", `{"action": "unlabeled", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a draft again", "pull_request", `{"action": "converted_to_draft", "number": 4, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a command", "issue_comment", `{"action": "created", "issue": {"number": 4, "pull_request": {}}, "comment": {"body": "/causal dismiss F1 it is meant\nso"}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a command alone", "issue_comment", `{"action": "created", "issue": {"number": 4, "pull_request": {}}, "comment": {"body": "/causal"}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a command on an issue", "issue_comment", `{"action": "created", "issue": {"number": 4}, "comment": {"body": "/causal help"}, ` + repo + `}`, nil, ignored},
		{"a comment", "issue_comment", `{"action": "created", "issue": {"number": 4, "pull_request": {}}, "comment": {"body": "say /causal help"}, ` + repo + `}`, nil, ignored},
		{"another's command", "issue_comment", `{"action": "created", "issue": {"number": 4, "pull_request": {}}, "comment": {"body": "/causality"}, ` + repo + `}`, nil, ignored},
		{"a comment that was edited", "issue_comment", `{"action": "edited", "issue": {"number": 4, "pull_request": {}}, "comment": {"body": "/causal help"}, ` + repo + `}`, nil, ignored},
		{"a command beside a line", "pull_request_review_comment", `{"action": "created", "pull_request": {"number": 4}, "comment": {"body": "/causal why F1"}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a comment beside a line", "pull_request_review_comment", `{"action": "created", "pull_request": {"number": 4}, "comment": {"body": "no"}, ` + repo + `}`, nil, ignored},
		{"a conversation that is closed", "pull_request_review_thread", `{"action": "resolved", "pull_request": {"number": 4}, "sender": {"login": "ann"}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"a conversation that the server closed", "pull_request_review_thread", `{"action": "resolved", "pull_request": {"number": 4}, "sender": {"login": "causal[bot]"}, ` + repo + `}`, nil, "own"},
		{"assigned", "pull_request", `{"action": "assigned", "number": 4, ` + repo + `}`, nil, ignored},
		{"new title", "pull_request", `{"action": "edited", "number": 4, "changes": {"title": {"from": "x"}}, ` + repo + `}`, nil, ignored},
		{"new base", "pull_request", `{"action": "edited", "number": 4, "changes": {"base": {"ref": {"from": "x"}}}, ` + repo + `}`, []string{"7:pull/4"}, ""},

		{"a merge group", "merge_group", `{"action": "checks_requested", "merge_group": {"head_ref": "refs/heads/gh-readonly-queue/trunk/pr-4-c"}, ` + repo + `}`, []string{"7:refs/heads/gh-readonly-queue/trunk/pr-4-c"}, ""},
		{"a merge group that is over", "merge_group", `{"action": "destroyed", "merge_group": {"head_ref": "refs/heads/gh-readonly-queue/trunk/pr-4-c"}, ` + repo + `}`, nil, "the merge group is over"},
		{"a merge group without a branch", "merge_group", `{"action": "checks_requested", ` + repo + `}`, nil, "the payload names no repository"},

		{"check of a pull request", "check_run", `{"action": "rerequested", "check_run": {"pull_requests": [
			{"number": 4, "base": {"repo": {"id": 7}}, "head": {"repo": {"id": 7}}}, {"number": 9, "base": {"repo": {"id": 8}}}]}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"check of a branch", "check_run", `{"action": "rerequested", "check_run": {"pull_requests": [], "check_suite": {"head_branch": "x"}}, ` + repo + `}`, []string{"7:refs/heads/x"}, ""},
		{"suite of a branch", "check_suite", `{"action": "rerequested", "check_suite": {"head_branch": "x"}, ` + repo + `}`, []string{"7:refs/heads/x"}, ""},
		{"suite of a pull request", "check_suite", `{"action": "rerequested", "check_suite": {"head_branch": "x", "pull_requests": [
			{"number": 4, "base": {"repo": {"id": 7}}}]}, ` + repo + `}`, []string{"7:pull/4"}, ""},
		{"suite of nothing", "check_suite", `{"action": "rerequested", "check_suite": {"head_branch": null}, ` + repo + `}`, nil, "the check is of no branch and no pull request"},
		{"check of a fork", "check_run", `{"action": "rerequested", "check_run": {"external_id": "7:pull/12", "head_sha": "cccccccccccccccccccccccccccccccccccccccc", "pull_requests": [], "check_suite": {"head_branch": "main"}}, ` + repo + `}`, []string{"7:pull/12"}, ""},
		{"check of another repository", "check_run", `{"action": "rerequested", "check_run": {"external_id": "8:pull/12", "head_sha": "cccccccccccccccccccccccccccccccccccccccc", "pull_requests": [], "check_suite": {"head_branch": null}}, ` + repo + `}`, []string{"7:commit:cccccccccccccccccccccccccccccccccccccccc"}, ""},
		{"suite of a fork", "check_suite", `{"action": "rerequested", "check_suite": {"head_sha": "cccccccccccccccccccccccccccccccccccccccc", "head_branch": null, "pull_requests": []}, ` + repo + `}`, []string{"7:commit:cccccccccccccccccccccccccccccccccccccccc"}, ""},
		{"suite of a fork with the branch's name", "check_suite", `{"action": "rerequested", "check_suite": {"head_sha": "cccccccccccccccccccccccccccccccccccccccc", "head_branch": "x", "pull_requests": []}, ` + repo + `}`, []string{"7:refs/heads/x", "7:commit:cccccccccccccccccccccccccccccccccccccccc"}, ""},
		{"suite of no commit", "check_suite", `{"action": "rerequested", "check_suite": {"head_sha": "--x", "pull_requests": []}, ` + repo + `}`, nil, "the check is of no branch and no pull request"},
		{"own check", "check_run", `{"action": "completed", ` + repo + `}`, nil, ignored},

		{"installed", "installation", `{"action": "created", "installation": {"id": 3}, "repositories": [
			{"id": 1, "full_name": "octo/a"}, {"id": 2, "full_name": "octo/b"}]}`, []string{"1:HEAD", "2:HEAD"}, ""},
		{"installed on nothing", "installation", `{"action": "created"}`, nil, "no repository came in"},
		{"uninstalled", "installation", `{"action": "deleted", "repositories": [{"id": 1, "full_name": "octo/a"}]}`, nil, "uninstalled"},
		{"one more", "installation_repositories", `{"action": "added", "repositories_added": [{"id": 1, "full_name": "octo/a"}]}`, []string{"1:HEAD"}, ""},
		{"one less", "installation_repositories", `{"action": "removed", "repositories_removed": [{"id": 1, "full_name": "octo/a"}]}`, nil, "uninstalled"},

		{"renamed", "repository", `{"action": "renamed", ` + repo + `}`, []string{"7:refs/heads/trunk"}, ""},
		{"transferred", "repository", `{"action": "transferred", "repository": {"id": 7, "full_name": "octo/shop"}}`, []string{"7:HEAD"}, ""},
		{"other default branch", "repository", `{"action": "edited", "changes": {"default_branch": {"from": "x"}}, ` + repo + `}`, []string{"7:refs/heads/trunk"}, ""},
		{"other description", "repository", `{"action": "edited", "changes": {"description": {"from": "x"}}, ` + repo + `}`, nil, ignored},
		{"made read-only", "repository", `{"action": "archived", ` + repo + `}`, nil, "archived"},
		{"made public", "repository", `{"action": "publicized", ` + repo + `}`, nil, ignored},

		{"star", "star", `{"action": "created", ` + repo + `}`, nil, ignored},
		{"ping", "ping", `{` + repo + `}`, nil, "pong"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := parse(tt.event, []byte(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			got := newDoor(t, &inbox{}, nil).wants(tt.event, p)
			if keys := keysOf(got.subjects); !slices.Equal(keys, tt.keys) || got.outcome != tt.outcome {
				t.Errorf("got %v %q, want %v %q", keys, got.outcome, tt.keys, tt.outcome)
			}
		})
	}
}

// TestWhoseWork: where a pull request comes from decides who waits for whom.
func TestWhoseWork(t *testing.T) {
	t.Parallel()
	const repo = `"repository": {"id": 7, "full_name": "octo/shop", "default_branch": "trunk"}, "installation": {"id": 3}`
	for body, want := range map[string]queue.Subject{
		`{"action": "opened", "number": 4, "pull_request": {"head": {"repo": {"id": 7}}}, ` + repo + `}`:  {Pull: 4},
		`{"action": "opened", "number": 4, "pull_request": {"head": {"repo": {"id": 99}}}, ` + repo + `}`: {Pull: 4, Fork: 99},
		`{"action": "opened", "number": 4, "pull_request": {"head": {"repo": null}}, ` + repo + `}`:       {Pull: 4, Fork: queue.UnknownFork},
		`{"action": "rerequested", "check_run": {"check_suite": {"head_branch": "x"}}, ` + repo + `}`:     {Ref: "refs/heads/x", Side: true},
		`{"action": "rerequested", "check_run": {"check_suite": {"head_branch": "trunk"}}, ` + repo + `}`: {Ref: "refs/heads/trunk"},
		`{"ref": "refs/heads/trunk", ` + repo + `}`:                                                       {Ref: "refs/heads/trunk"},
	} {
		event := "push"
		if strings.Contains(body, "check_run") {
			event = "check_run"
		} else if strings.Contains(body, "opened") {
			event = "pull_request"
		}
		box := &inbox{answer: queue.New}
		newDoor(t, box, nil).ServeHTTP(httptest.NewRecorder(), request(event, body))
		want.Installation, want.Repository, want.Owner, want.Name = 3, 7, "octo", "shop"
		if len(box.accepted) != 1 || box.accepted[0] != want {
			t.Errorf("%s\nwants %+v, want %+v", body, box.accepted, want)
		}
	}
}

// TestRestores: what was given up or parked for an installation is wanted when it comes back, also without a repository.
func TestRestores(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]bool{"unsuspend": true, "created": true, "new_permissions_accepted": true, "suspend": false, "deleted": false} {
		box := &inbox{}
		newDoor(t, box, nil).ServeHTTP(httptest.NewRecorder(), request("installation", `{"action": "`+action+`", "installation": {"id": 3}}`))
		if box.delivery.Restores != want || box.delivery.GUID == "" {
			t.Errorf("%s: got %+v", action, box.delivery)
		}
	}
}

// TestMends: a push may change the rules of its branch where it lists their file, or does not list all files.
func TestMends(t *testing.T) {
	t.Parallel()
	const config = ".causal/config.yml"
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"the configuration":   {`"after": "b", "commits": [{"id": "b", "modified": ["` + config + `"]}]`, true},
		"its removal":         {`"after": "b", "commits": [{"id": "a", "removed": ["` + config + `"]}, {"id": "b", "modified": ["x"]}]`, true},
		"another file":        {`"after": "b", "commits": [{"id": "b", "modified": ["x"]}]`, false},
		"a merge":             {`"after": "b", "commits": [{"id": "b"}]`, true},
		"a list that is cut":  {`"after": "c", "commits": [{"id": "b", "modified": ["x"]}]`, true},
		"a forced push":       {`"after": "b", "forced": true, "commits": [{"id": "b", "modified": ["x"]}]`, true},
		"the App's own files": {`"after": "b", "sender": {"login": "causal[bot]"}, "commits": [{"id": "b", "added": [".causal/nodes/a.yml"]}]`, false},
	} {
		for _, branch := range []string{"trunk", "release"} {
			box := &inbox{answer: queue.New}
			newDoor(t, box, func(c *Config) { c.Rules = config }).ServeHTTP(httptest.NewRecorder(), request("push",
				`{"ref": "refs/heads/`+branch+`", "repository": {"id": 7, "full_name": "octo/shop", "default_branch": "trunk"}, `+c.body+`}`))
			want := ""
			if c.want {
				want = "7:refs/heads/" + branch
			}
			if box.delivery.Mends != want {
				t.Errorf("%s on %s may mend %q, want %q", name, branch, box.delivery.Mends, want)
			}
		}
	}
}

func keysOf(subjects []queue.Subject) []string {
	var keys []string
	for _, s := range subjects {
		keys = append(keys, s.Key())
	}
	return keys
}

// example is one kind of event in the package of examples.
type example struct {
	Name     string            `json:"name"`
	Examples []json.RawMessage `json:"examples"`
}

// wanted are the events and actions whose official examples ask for something, with how many of them do.
var wanted = map[string]int{
	"push/": 2, "pull_request/opened": 4, "pull_request/reopened": 2, "pull_request/synchronize": 1, "pull_request/closed": 2,
	"pull_request/ready_for_review": 3, "pull_request/converted_to_draft": 3, "pull_request/labeled": 2, "pull_request_review_thread/resolved": 2, "pull_request_review_thread/unresolved": 1, "pull_request/unlabeled": 2, "check_suite/rerequested": 2,
	"check_run/rerequested": 2, "merge_group/checks_requested": 2, "check_run/requested_action": 1,
	"installation/created": 2, "installation/new_permissions_accepted": 1, "installation_repositories/added": 2,
	"repository/edited": 1, "repository/renamed": 1, "repository/transferred": 3,
}

// TestOfficialExamples delivers every payload that GitHub publishes.
func TestOfficialExamples(t *testing.T) {
	t.Parallel()
	dir := os.Getenv(Examples)
	if dir == "" {
		t.Skip(Examples + " names no folder: unpack the npm package @octokit/webhooks-examples")
	}
	lists, err := filepath.Glob(filepath.Join(dir, "*", "index.json"))
	if err != nil || len(lists) == 0 {
		t.Fatalf("no examples in %s: %v", dir, err)
	}
	for _, list := range lists {
		edition := filepath.Base(filepath.Dir(list))
		t.Run(edition, func(t *testing.T) {
			t.Parallel()
			answers, total := deliverExamples(t, list)
			if edition != "api.github.com" {
				return
			}
			if total < 329 || !maps.Equal(answers, wanted) {
				t.Errorf("%d examples, wanting something: %v\nwant %v", total, answers, wanted)
			}
		})
	}
}

// deliverExamples counts by event and action the examples that want something.
func deliverExamples(t *testing.T, list string) (map[string]int, int) {
	t.Helper()
	data, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []example
	if err := json.Unmarshal(data, &kinds); err != nil {
		t.Fatal(err)
	}
	answers, total := map[string]int{}, 0
	for _, kind := range kinds {
		for i, body := range kind.Examples {
			total++
			box := &inbox{answer: queue.New}
			w := httptest.NewRecorder()
			newDoor(t, box, nil).ServeHTTP(w, request(kind.Name, string(body)))
			if want := 200 + 2*min(len(box.accepted), 1); w.Code != want || box.delivery.Event != kind.Name {
				t.Errorf("%s %d: %d %s", kind.Name, i, w.Code, w.Body)
			}
			for _, s := range box.accepted {
				if s.Repository == 0 || s.Owner == "" || s.Name == "" {
					t.Errorf("%s %d wants %+v", kind.Name, i, s)
				}
			}
			if len(box.accepted) > 0 {
				answers[fmt.Sprintf("%s/%s", kind.Name, box.delivery.Action)]++
			}
		}
	}
	return answers, total
}

// TestManyRepositories has an installation of more repositories than one delivery queues.
func TestManyRepositories(t *testing.T) {
	t.Parallel()
	body := `{"action": "created", "installation": {"id": 3}, "repositories": [` +
		strings.TrimSuffix(strings.Repeat(`{"id": 1, "full_name": "octo/shop"},`, mostRepositories+1), ",") + `]}`
	box := &inbox{answer: queue.New}
	newDoor(t, box, nil).ServeHTTP(httptest.NewRecorder(), request("installation", body))
	if n := len(box.accepted); n != mostRepositories {
		t.Errorf("%d repositories are queued, want %d", n, mostRepositories)
	}
}

func FuzzParse(f *testing.F) {
	for event := range events {
		f.Add(event, []byte(pushed))
		f.Add(event, []byte(`{"action": "created", "repositories": [{"id": 1, "full_name": "a/b"}], "check_run": {"pull_requests": null}}`))
	}
	f.Fuzz(func(t *testing.T, event string, body []byte) {
		p, err := parse(event, body)
		if err != nil {
			return
		}
		w := newDoor(t, &inbox{}, nil).wants(event, p)
		if len(w.subjects) == 0 && w.outcome == "" {
			t.Error("nothing is wanted, and nothing said about it")
		}
		for _, s := range w.subjects {
			if s.Repository <= 0 || s.Owner == "" || s.Name == "" || (s.Ref == "") == (s.Pull == 0) {
				t.Errorf("wants %+v", s)
			}
		}
	})
}
