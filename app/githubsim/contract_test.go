package githubsim

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim/openapi"
)

// The table has the operations of the description, which has what is listed for it.
func TestEveryOperationIsCarriedOut(t *testing.T) {
	t.Parallel()
	raw, err := openapi.Unpack()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	known, has := 0, map[string]bool{}
	for path, item := range doc.Paths {
		for method, op := range item {
			if name, ok := openapi.WebhookOf(path); ok {
				has["WEBHOOK "+name] = true
				continue
			}
			route := strings.ToUpper(method) + " " + path
			has[route], known = true, known+1
			if got := strings.ReplaceAll(operations[op.OperationID].route, "...}", "}"); got != route {
				t.Errorf("%s: the route is %q, want %q", op.OperationID, got, route)
			}
		}
	}
	if known != len(operations) {
		t.Errorf("%d operations are described, %d are carried out", known, len(operations))
	}
	list, err := os.ReadFile("openapi/operations.txt")
	if err != nil {
		t.Fatal(err)
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

func TestRoutes(t *testing.T) {
	t.Parallel()
	mux := (&Server{}).routes()
	for _, trial := range []struct{ method, path, id string }{
		{"GET", "/app", "apps/get-authenticated"},
		{"GET", "/repos/o/r", "repos/get"},
		{"GET", "/repos/o/r/branches/a/b%20c", "repos/get-branch"},
		{"GET", "/repos/o/r/commits/main/check-runs", "checks/list-for-ref"},
		{"GET", "/repos/o/r/compare/a/b...c/d", "repos/compare-commits-with-basehead"},
		{"PATCH", "/repos/o/r/issues/comments/7", "issues/update-comment"},
		{"GET", "/repos/o/r/issues/7/comments", "issues/list-comments"},
		{"PATCH", "/repos/o/r/git/refs/heads/a/b", "git/update-ref"},
		{"GET", "/", ""}, {"GET", "/repos/o", ""}, {"GET", "/repos/o/r/stargazers", ""},
	} {
		r := httptest.NewRequestWithContext(t.Context(), trial.method, apiPath+trial.path, nil)
		if _, pattern := mux.Handler(r); strings.Replace(pattern, apiPath, "", 1) != cmp.Or(operations[trial.id].route, "/") {
			t.Errorf("%s %s: %s", trial.method, trial.path, pattern)
		}
	}
}

func TestRequestsOutsideTheDescriptionAreViolations(t *testing.T) {
	t.Parallel()
	s, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	repo, err := s.CreateRepository("octo/shop", FromFiles(map[string]string{"a": "b"}))
	if err != nil {
		t.Fatal(err)
	}
	head := repo.Head("main")
	token := s.Token("octo")
	for _, trial := range []struct{ name, method, path, body, says string }{
		{"unknown path", "GET", "/repos/octo/shop/stargazers", "", "not in GitHub's description"},
		{"unknown method", "PUT", "/repos/octo/shop", "", "not in GitHub's description"},
		{"state of a pull request", "PATCH", "/repos/octo/shop/pulls/1", `{"state":"merged"}`, "/state"},
		{"mode in a tree", "POST", "/repos/octo/shop/git/trees", `{"tree":[{"path":"x","mode":"644","sha":"` + head + `"}]}`, "/mode"},
		{"no head", "POST", "/repos/octo/shop/check-runs", `{"name":"x"}`, "head_sha"},
		{"no body", "POST", "/repos/octo/shop/issues/1/comments", ``, "body"},
		{"a number as text", "GET", "/repos/octo/shop/pulls/one", "", "pull_number"},
		{"permission", "POST", "/app/installations/1/access_tokens", `{"permissions":{"contents":"all"}}`, "contents"},
		{"51 annotations", "PATCH", "/repos/octo/shop/check-runs/1", `{"output":{"summary":"x","annotations":[` +
			strings.TrimSuffix(strings.Repeat(`{"path":"a","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"},`, 51), ",") + `]}}`, "annotations"},
	} {
		s.mu.Lock()
		s.violations = nil
		s.mu.Unlock()
		r, err := http.NewRequestWithContext(t.Context(), trial.method, s.APIURL()+trial.path, strings.NewReader(trial.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "token "+token)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := strings.Join(s.Violations(), "\n"); !strings.Contains(got, trial.says) || response.StatusCode < 400 {
			t.Errorf("%s: %d, violations %q", trial.name, response.StatusCode, got)
		}
	}
}

// The simulator's own answers are held to the description, too.
func TestAnswersOutsideTheDescriptionAreViolations(t *testing.T) {
	s, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	right := operations["rate-limit/get"]
	defer func() { operations["rate-limit/get"] = right }()
	wrong := right
	wrong.do = func(*call) reply { return ok(object{"rate": object{"limit": "many"}}) }
	operations["rate-limit/get"] = wrong
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.APIURL()+"/rate_limit", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := s.Violations(); len(got) != 1 || !strings.Contains(got[0], "answer 200 to GET") {
		t.Errorf("violations: %q", got)
	}
}
