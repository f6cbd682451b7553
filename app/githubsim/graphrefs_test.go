package githubsim_test

import (
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"

	"github.com/causaldocs/causal/app/githubsim"
)

const refsMutation = `mutation($input: UpdateRefsInput!) { updateRefs(input: $input) { clientMutationId } }`

// update is the input for one reference; what is empty is left out.
func (h *hub) update(branch, before, after string, force bool) object {
	h.t.Helper()
	repo := must[*github.Repository](h.t)(h.bot().Repositories.Get(h.t.Context(), "octo", "shop"))
	one := object{"name": "refs/heads/" + branch, "afterOid": after, "force": force}
	if before != "" {
		one["beforeOid"] = before
	}
	return object{"input": object{"repositoryId": repo.GetNodeID(), "refUpdates": []object{one}}}
}

func TestUpdateRefs(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	const none = "0000000000000000000000000000000000000000"
	first := h.repo.Head("main")
	second := h.push("side", githubsim.Change{Write: map[string]string{"a": "b"}, Message: "Second"})
	h.push("protected", githubsim.Change{Message: "Begin"})
	h.repo.Protect("protected")
	write := h.token(&github.InstallationPermissions{Contents: new("write")})
	read := h.token(&github.InstallationPermissions{Contents: new("read")})
	in := h.listen()
	in.take()
	for _, step := range []struct {
		name, token           string
		branch, before, after string
		force                 bool
		says                  string // empty: it is done
	}{
		{"made", write, "new", none, first, false, ""},
		{"made twice", write, "new", none, first, false, "is at " + first},
		{"elsewhere", write, "side", first, first, true, "is at " + second},
		{"no fast forward", write, "side", second, first, false, "not a fast forward"},
		{"back by force", write, "side", second, first, true, ""},
		{"forward, wherever it was", write, "side", "", second, false, ""},
		{"deleted from elsewhere", write, "side", first, none, false, "is at " + second},
		{"deleted", write, "side", second, none, false, ""},
		{"no such commit", write, "new", "", strings.Repeat("1", 40), true, "does not exist"},
		{"no name", write, "", "", first, true, "not a valid"},
		{"protected", write, "protected", "", first, true, "through a pull request"},
		{"no permission", read, "new", "", second, true, "not accessible"},
	} {
		was := h.repo.Head(step.branch)
		out := h.ask(step.token, refsMutation, h.update(step.branch, step.before, step.after, step.force))
		want := strings.TrimPrefix(step.after, none)
		if step.says != "" {
			want = was
		}
		failed, _ := out["errors"].([]any)
		if got := h.repo.Head(step.branch); got != want || (len(failed) > 0) != (step.says != "") {
			t.Errorf("%s: %v, the branch is at %q, want %q", step.name, out, got, want)
		} else if step.says != "" && !strings.Contains(failed[0].(object)["message"].(string), step.says) {
			t.Errorf("%s: %v, want %q", step.name, failed, step.says)
		}
	}
	if _, names := h.next(in); strings.Join(names, " ") != "push create push push push delete" {
		t.Errorf("events: %v", names)
	}
}

// One that may not be updated keeps all others from it.
func TestUpdateRefsIsAllOrNothing(t *testing.T) {
	t.Parallel()
	h := start(t, githubsim.Options{})
	defer h.clean()
	head := h.repo.Head("main")
	ask := h.update("one", "", head, false)
	input := ask["input"].(object)
	input["refUpdates"] = append(input["refUpdates"].([]object), object{"name": "refs/heads/main", "beforeOid": strings.Repeat("1", 40), "afterOid": head})
	if out := h.ask(h.token(nil), refsMutation, ask); out["errors"] == nil || h.repo.Head("one") != "" {
		t.Errorf("%v, the branch is at %q", out, h.repo.Head("one"))
	}
}
