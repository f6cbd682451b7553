package githubsim_test

import (
	"fmt"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

const threadsQuery = `query($number: Int!, $first: Int!, $after: String) { repository(owner: "octo", name: "shop") { pullRequest(number: $number) { reviewThreads(first: $first, after: $after) {
	totalCount pageInfo { hasNextPage endCursor }
	nodes { id isResolved resolvedBy { login }
		comments(first: 10) { totalCount pageInfo { hasNextPage } nodes { id body author { __typename login } } } } } } } }`

// threads asks for a page of threads.
func (h *hub) threads(token string, number, first int, after any) object {
	h.t.Helper()
	out := h.ask(token, threadsQuery, object{"number": number, "first": first, "after": after})
	if out["errors"] != nil {
		h.t.Fatalf("errors: %v", out["errors"])
	}
	return out["data"].(object)["repository"].(object)["pullRequest"].(object)["reviewThreads"].(object)
}

func TestReviewThreads(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	token := h.token(&github.InstallationPermissions{Contents: new("write"), PullRequests: new("write")})
	if _, err := h.review(number, h.repo.Head("fix"), at("long.txt", "RIGHT", 30, 31), at("long.txt", "LEFT", 0, 10)); err != nil {
		t.Fatal(err)
	}
	if _, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt"}, "Long", "mona"); err != nil {
		t.Fatal(err)
	}
	first := h.threads(token, number, 2, nil)
	info := first["pageInfo"].(object)
	if first["totalCount"] != 3. || len(first["nodes"].([]any)) != 2 || info["hasNextPage"] != true {
		t.Fatalf("first page: %v", first)
	}
	last := h.threads(token, number, 2, info["endCursor"])
	nodes := append(first["nodes"].([]any), last["nodes"].([]any)...)
	if len(nodes) != 3 || last["pageInfo"].(object)["hasNextPage"] != false {
		t.Fatalf("second page: %v", last)
	}
	for i, want := range []string{"Bot causal", "Bot causal", "User mona"} {
		n := nodes[i].(object)
		author := n["comments"].(object)["nodes"].([]any)[0].(object)["author"].(object)
		got := fmt.Sprint(author["__typename"], " ", author["login"])
		if got != want {
			t.Errorf("thread %d: %s, want %s", i, got, want)
		}
	}
}

// Several mutations go in one document, and one that fails leaves the others be. It takes the permission to write contents
// to resolve a thread, and not to answer in it.
func TestThreadsAreSettledByAlias(t *testing.T) {
	t.Parallel()
	h, number := reviewed(t, quiet)
	defer h.clean()
	one, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt", Line: 31}, "One", "causal[bot]")
	if err != nil {
		t.Fatal(err)
	}
	two, err := h.repo.Remark(number, githubsim.Place{Path: "long.txt", Line: 32}, "Two", "causal[bot]")
	if err != nil {
		t.Fatal(err)
	}
	const document = `mutation($one: ID!, $two: ID!, $comment: ID!) {
		a: resolveReviewThread(input: {threadId: $one}) { clientMutationId }
		b: addPullRequestReviewThreadReply(input: {pullRequestReviewThreadId: $two, body: "Yes"}) { clientMutationId }
		c: updatePullRequestReviewComment(input: {pullRequestReviewCommentId: $comment, body: "Edited"}) { clientMutationId }
		d: resolveReviewThread(input: {threadId: "none"}) { clientMutationId }
		e: unresolveReviewThread(input: {threadId: $two}) { clientMutationId }
	}`
	comment := h.threads(h.Token("octo"), number, 1, nil)["nodes"].([]any)[0].(object)["comments"].(object)["nodes"].([]any)[0].(object)["id"]
	variables := object{"one": one, "two": two, "comment": comment}
	for _, trial := range []struct {
		contents string
		failed   []any
		resolver string
	}{{"read", []any{"a", "d", "e"}, ""}, {"write", []any{"d"}, "causal[bot]"}} {
		token := h.token(&github.InstallationPermissions{Contents: new(trial.contents), PullRequests: new("write")})
		out := h.ask(token, document, variables)
		var failed []any
		for _, e := range out["errors"].([]any) {
			failed = append(failed, e.(object)["path"].([]any)[0])
		}
		threads := h.repo.Threads(number)
		if fmt.Sprint(failed) != fmt.Sprint(trial.failed) || threads[0].ResolvedBy != trial.resolver || threads[0].Comments[0].Body != "Edited" {
			t.Errorf("contents %s: %v failed, %+v", trial.contents, failed, threads)
		}
	}
	if threads := h.repo.Threads(number); len(threads[1].Comments) != 3 || threads[1].ResolvedBy != "" {
		t.Errorf("threads %+v", threads)
	}
}
