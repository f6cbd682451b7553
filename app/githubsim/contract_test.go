package githubsim

import (
	"net/http"
	"strings"
	"testing"

	"github.com/causaldocs/causal/app/githubsim/openapi"
)

func TestEveryOperationIsCarriedOut(t *testing.T) {
	t.Parallel()
	d, err := openapi.Load()
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, op := range d.Operations() {
		described[op.ID] = true
		if _, ok := operations[op.ID]; !ok {
			t.Errorf("%s (%s %s) has no handler", op.ID, op.Method, op.Path)
		}
	}
	for id := range operations {
		if !described[id] {
			t.Errorf("%s is not in the description", id)
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
	operations["rate-limit/get"] = operation{anyone, "", func(*call) reply { return ok(object{"rate": object{"limit": "many"}}) }}
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
