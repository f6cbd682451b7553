package github

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Answer describes one answer from GitHub. Its fields are metric labels, so each has a small set of values.
type Answer struct {
	Method   string // GET, POST, PATCH, PUT, DELETE or other
	Endpoint string // as in GitHub's documentation, shortened: "repos/{owner}/{repo}/pulls"
	Outcome  string // ok, unchanged, credentials, forbidden, missing, limited, refused, failed or unreachable
	Status   int    // 0: no answer
	Took     time.Duration
}

const unnamed = "other"

func methodOf(req *http.Request) string {
	if slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete}, req.Method) {
		return req.Method
	}
	return unnamed
}

// endpoints by their first path segment; ofRepositories lists the segments below a repository.
var (
	topEndpoints   = []string{"app", "app-manifests", "graphql", "installation", "rate_limit"}
	ofRepositories = []string{"branches", "check-runs", "check-suites", "collaborators", "commits", "compare", "contents", "git", "issues", "pulls"}
)

const repositoryEndpoint = "repos/{owner}/{repo}"

func endpointOf(req *http.Request) string {
	path := strings.TrimPrefix(req.URL.Path, "/api")
	path = strings.TrimPrefix(path, "/v3")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case slices.Contains(topEndpoints, parts[0]):
		return parts[0]
	case parts[0] != "repos" || len(parts) < 3:
		return unnamed
	case len(parts) == 3:
		return repositoryEndpoint
	case slices.Contains(ofRepositories, parts[3]):
		return repositoryEndpoint + "/" + parts[3]
	}
	return repositoryEndpoint + "/" + unnamed
}

func statusOf(resp *http.Response) int {
	if resp == nil {
		return 0
	}
	return resp.StatusCode
}

func outcomeOf(resp *http.Response, err error) string {
	if err != nil {
		return "unreachable"
	}
	known := map[int]string{
		http.StatusNotModified: "unchanged", http.StatusUnauthorized: "credentials", http.StatusNotFound: "missing",
		http.StatusTooManyRequests: "limited", http.StatusForbidden: "forbidden",
	}
	switch name, ok := known[resp.StatusCode]; {
	case resp.StatusCode == http.StatusForbidden && (resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-Ratelimit-Remaining") == "0"):
		return "limited"
	case ok:
		return name
	case resp.StatusCode >= http.StatusInternalServerError:
		return "failed"
	case resp.StatusCode >= http.StatusBadRequest:
		return "refused"
	}
	return "ok"
}
