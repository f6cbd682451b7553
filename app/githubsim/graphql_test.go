package githubsim_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

func basic(user, password string) string {
	return base64.StdEncoding.EncodeToString([]byte(user + ":" + password))
}

type object = map[string]any

// ask sends a document of GraphQL and returns its answer.
func (h *hub) ask(token, query string, variables object) object {
	h.t.Helper()
	body, err := json.Marshal(object{"query": query, "variables": variables})
	if err != nil {
		h.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(h.t.Context(), http.MethodPost, h.GraphQLURL(), bytes.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "bearer "+token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	var out object
	if err := json.Unmarshal(raw, &out); err != nil {
		h.t.Fatalf("%s: %v", raw, err)
	}
	return out
}

const commitMutation = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`

func commitInput(repo, branch, head string, write map[string]string, remove ...string) object {
	additions, deletions := []object{}, []object{}
	for name, content := range write {
		additions = append(additions, object{"path": name, "contents": base64.StdEncoding.EncodeToString([]byte(content))})
	}
	for _, name := range remove {
		deletions = append(deletions, object{"path": name})
	}
	return object{"input": object{
		"branch": object{"repositoryNameWithOwner": repo, "branchName": branch}, "expectedHeadOid": head,
		"message": object{"headline": "Update the docs", "body": "Cause: abc"}, "fileChanges": object{"additions": additions, "deletions": deletions},
	}}
}

func TestCommitOnBranch(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	in := h.listen()
	in.take()
	token := h.token(&github.InstallationPermissions{Contents: new("write")})
	head := h.repo.Head("main")
	out := h.ask(token, commitMutation, commitInput("octo/shop", "main", head, map[string]string{"docs/ünï \"q\".md": "a\x00b\n"}, "README.md"))
	if out["errors"] != nil {
		t.Fatalf("errors: %v", out["errors"])
	}
	commit := out["data"].(object)["createCommitOnBranch"].(object)["commit"].(object)
	if commit["oid"] != h.repo.Head("main") {
		t.Errorf("commit: %v", commit)
	}
	if got, _ := h.repo.Read("main", "docs/ünï \"q\".md"); got != "a\x00b\n" {
		t.Errorf("content: %q", got)
	}
	if _, there := h.repo.Read("main", "README.md"); there {
		t.Error("README.md was to be deleted")
	}
	if log, err := h.repo.Log("main"); err != nil || log[0][1] != "Update the docs\n\nCause: abc" || len(log) != 2 {
		t.Errorf("log: %v, %v", log, err)
	}
	events, _ := h.next(in)
	if push := events[0].(*github.PushEvent); push.GetSender().GetLogin() != "causal[bot]" || push.GetBefore() != head || push.Commits[0].Removed[0] != "README.md" {
		t.Errorf("push: %v", push)
	}
	if writes := h.Writes(h.repo); len(writes) != 1 || writes[0].Operation != "graphql/createCommitOnBranch" {
		t.Errorf("writes: %v", writes)
	}
}

func TestCommitOnBranchIsRefused(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	head := h.repo.Head("main")
	for _, branch := range []string{"protected", "ruled"} {
		h.push(branch, githubsim.Change{Message: "Begin"})
	}
	h.repo.Protect("protected")
	h.repo.ProtectByRuleset("ruled")
	write := h.token(&github.InstallationPermissions{Contents: new("write")})
	read := h.token(&github.InstallationPermissions{Contents: new("read")})
	one := map[string]string{"a": "b"}
	for _, trial := range []struct {
		name, token string
		input       object
		kind, says  string
	}{
		{"head moved", write, commitInput("octo/shop", "main", strings.Repeat("1", 40), one), "STALE_DATA", "Expected branch to point to"},
		{"protected", write, commitInput("octo/shop", "protected", h.repo.Head("protected"), one), "BRANCH_PROTECTION_RULE_VIOLATION", "through a pull request"},
		{"ruleset", write, commitInput("octo/shop", "ruled", h.repo.Head("ruled"), one), "UNPROCESSABLE", "Repository rule violations found"},
		{"no permission", read, commitInput("octo/shop", "main", head, one), "FORBIDDEN", "Resource not accessible by integration"},
		{"no repository", write, commitInput("octo/none", "main", head, one), "NOT_FOUND", "Could not resolve to a Repository"},
		{"no branch", write, commitInput("octo/shop", "none", head, one), "NOT_FOUND", "not found"},
		{"nothing to delete", write, commitInput("octo/shop", "main", head, nil, "none.md"), "NOT_FOUND", "requested for deletion"},
	} {
		out := h.ask(trial.token, commitMutation, trial.input)
		errors, ok := out["errors"].([]any)
		if !ok || out["data"].(object)["createCommitOnBranch"] != nil {
			t.Errorf("%s: %v", trial.name, out)
			continue
		}
		e := errors[0].(object)
		if e["type"] != trial.kind || !strings.Contains(e["message"].(string), trial.says) {
			t.Errorf("%s: %v", trial.name, e)
		}
	}
	if h.repo.Head("main") != head {
		t.Error("a refused commit moved the branch")
	}
}

func TestGraphQLAnswersQueries(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	out := h.ask(h.token(nil), `query Q($o: String!, $n: String!) {
		viewer { login } # the bot
		repository(owner: $o, name: $n) { nameWithOwner branch: defaultBranchRef { target { ... on Commit { oid } } } }
	}`, object{"o": "octo", "n": "shop"})
	data := out["data"].(object)
	repo := data["repository"].(object)
	if data["viewer"].(object)["login"] != "causal[bot]" || repo["nameWithOwner"] != "octo/shop" {
		t.Errorf("data: %v", data)
	}
	if oid := repo["branch"].(object)["target"].(object)["oid"]; oid != h.repo.Head("main") {
		t.Errorf("head: %v", oid)
	}
}

func TestUnknownGraphQLIsAViolation(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"field": `{ viewer { shoeSize } }`, "mutation": `mutation { addStar(input: {starrableId: "x"}) { clientMutationId } }`, "syntax": `{ viewer { login }`,
		"empty": ``, "two operations": `query A { viewer { login } } query B { viewer { login } }`, "number": `{ repository(owner: 99999999999999999999) { name } }`,
		"named fragment": `{ viewer { ...who } } fragment who on Bot { login }`, "unknown fragment": `{ viewer { ...who } }`, "fragment alone": `{ ...who }`,
	} {
		h := start(t, githubsim.Options{})
		out := h.ask(h.Token("octo"), query, nil)
		if out["errors"] == nil || len(h.Violations()) == 0 {
			t.Errorf("%s: %v, violations %v", name, out, h.Violations())
		}
	}
}

func TestCommitIsMadeAlthoughItsAnswerIsLost(t *testing.T) {
	t.Parallel()
	for name, effect := range map[string]githubsim.Effect{"cut": githubsim.Cut(), "502": githubsim.LostAnswer()} {
		h := start(t, githubsim.Options{})
		head := h.repo.Head("main")
		h.Faults(githubsim.Fault{Operation: "graphql/createCommitOnBranch", Effect: effect})
		body, err := json.Marshal(object{"query": commitMutation, "variables": commitInput("octo/shop", "main", head, map[string]string{"a": "b"})})
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.GraphQLURL(), bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "bearer "+h.Token("octo"))
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if failed := err != nil || response.StatusCode == http.StatusBadGateway; !failed || h.repo.Head("main") == head {
			t.Errorf("%s: %v, the branch moved: %t", name, err, h.repo.Head("main") != head)
		}
		h.clean()
	}
}
