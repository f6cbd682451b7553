package openapi_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim/openapi"
)

func TestFind(t *testing.T) {
	t.Parallel()
	d, err := openapi.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range []struct{ method, path, id, param, value string }{
		{"GET", "/app", "apps/get-authenticated", "", ""},
		{"GET", "/repos/o/r", "repos/get", "repo", "r"},
		{"GET", "/repos/o/r/branches/a/b%20c", "repos/get-branch", "branch", "a/b c"},
		{"GET", "/repos/o/r/commits/feature/x/check-runs", "checks/list-for-ref", "ref", "feature/x"},
		{"GET", "/repos/o/r/compare/a/b...c/d", "repos/compare-commits-with-basehead", "basehead", "a/b...c/d"},
		{"PATCH", "/repos/o/r/issues/comments/7", "issues/update-comment", "comment_id", "7"},
		{"GET", "/repos/o/r/issues/7/comments", "issues/list-comments", "issue_number", "7"},
		{"PATCH", "/repos/o/r/git/refs/heads/a/b", "git/update-ref", "ref", "heads/a/b"},
	} {
		op, params, err := d.Find(trial.method, trial.path)
		if err != nil || op.ID != trial.id || params[trial.param] != trial.value {
			t.Errorf("%s %s: %v, %v, %v", trial.method, trial.path, op, params, err)
		}
	}
	for _, path := range []string{"/", "/repos/o", "/repos/o/r/stargazers"} {
		if op, _, err := d.Find("GET", path); !errors.Is(err, openapi.ErrUnknown) {
			t.Errorf("%s: %v, %v", path, op, err)
		}
	}
}

// What is listed is all that is in the file, so that the list can be trusted.
func TestDescriptionHoldsWhatIsListed(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("operations.txt")
	if err != nil {
		t.Fatal(err)
	}
	d, err := openapi.Load()
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, op := range d.Operations() {
		has[op.Method+" "+op.Path] = true
	}
	for _, name := range d.Webhooks() {
		has["WEBHOOK "+name] = true
	}
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	for _, line := range lines {
		if !has[line] {
			t.Errorf("%s is listed and not there", line)
		}
	}
	if len(lines) != len(has) {
		t.Errorf("%d are listed, %d are there", len(lines), len(has))
	}
}
